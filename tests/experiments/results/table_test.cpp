#include "experiments/results/table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "experiments/results/point_tables.hpp"

using namespace kvarium;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

TableSchema example_schema() {
  return {"/example",
          "row",
          "Example",
          {{"flag", ColumnType::int8, "", "", {"no", "yes"}},
           {"count", ColumnType::int64, "1", ""},
           {"mask", ColumnType::uint64, "1", "", {}, true, true},
           {"share", ColumnType::float64, "1", ""},
           {"name", ColumnType::text, "", ""}}};
}

std::string text_of(const Table& table, const std::string& column) { return table.column(column).text(0); }

}  // namespace

TEST_CASE("a row gives its values back", "[experiments][results]") {
  Table table(example_schema());

  table.append_row({"yes", -5, std::numeric_limits<std::uint64_t>::max() - 1, 0.25, "text"});

  CHECK(table.num_rows() == 1);
  CHECK(table.row(0) == std::vector<Value>{1, -5, std::numeric_limits<std::uint64_t>::max() - 1, 0.25, "text"});
  CHECK(text_of(table, "flag") == "yes");
}

TEST_CASE("missing values come back as missing", "[experiments][results]") {
  Table table(example_schema());

  table.append_row({0, 0, Value(), Value(), Value()});

  CHECK(table.value("mask", 0).is_missing());
  CHECK(text_of(table, "mask") == "-");
  CHECK(std::isnan(std::get<double>(table.value("share", 0).storage())));
  CHECK(text_of(table, "name").empty());
}

TEST_CASE("a row that does not fit throws, names the column, and changes nothing", "[experiments][results]") {
  using WrongRow = std::pair<std::vector<Value>, std::string>;
  const auto [row, place] = GENERATE(values<WrongRow>({
      {{0, 1, 2, 3.0}, "5 values, not 4"},
      {{0, 1, 2, 3.0, "four", 5}, "5 values, not 6"},
      {{2, 1, 2, 3.0, "four"}, "'flag'"},
      {{-1, 1, 2, 3.0, "four"}, "'flag'"},
      {{"maybe", 1, 2, 3.0, "four"}, "no, yes"},
      {{0, 1.5, 2, 3.0, "four"}, "'count'"},
      {{0, Value(), 2, 3.0, "four"}, "'count'"},
      {{0, std::uint64_t{1} << 63U, 2, 3.0, "four"}, "'count'"},
      {{0, 1, -2, 3.0, "four"}, "'mask'"},
      {{0, 1, std::numeric_limits<std::uint64_t>::max(), 3.0, "four"}, "stands for a missing value"},
      {{0, 1, 2, "three", "four"}, "'share'"},
      {{0, 1, 2, 3.0, 4}, "'name'"},
  }));
  CAPTURE(place);
  Table table(example_schema());
  table.append_row({0, 1, 2, 3.0, "four"});

  CHECK_THROWS_MATCHES(table.append_row(row), AssertionFailure, MessageMatches(ContainsSubstring(place)));

  CHECK(table.num_rows() == 1);
  for (const Column& column : table.columns()) CHECK(column.size() == 1);
}

TEST_CASE("integers may stand in a floating-point column", "[experiments][results]") {
  Table table({"/t", "row", "", {{"share", ColumnType::float64, "1", ""}}});

  table.append_row({2});

  CHECK(table.column("share").values<double>()[0] == 2.0);
}

TEST_CASE("tables are equal when every bit is, NaN and the sign of zero included", "[experiments][results]") {
  const TableSchema schema{"/t", "row", "", {{"share", ColumnType::float64, "1", ""}}};
  const auto table_of = [&](double value) {
    Table table(schema);
    table.append_row({value});
    return table;
  };

  CHECK(table_of(std::nan("")) == table_of(std::nan("")));
  CHECK_FALSE(table_of(0.0) == table_of(-0.0));
}

TEST_CASE("rows of another table are appended in part, and only from the same schema", "[experiments][results]") {
  Table source({"/t", "row", "", {{"n", ColumnType::int64, "1", ""}}});
  for (int n = 0; n < 5; ++n) source.append_row({n});
  Table target(source.schema());

  target.append_rows(source, 1, 3);

  CHECK(target.num_rows() == 2);
  CHECK(target.column("n").values<std::int64_t>()[1] == 2);
  CHECK_THROWS_AS(target.append_rows(source, 4, 6), AssertionFailure);
  CHECK_THROWS_AS(target.append_rows(Table(example_schema())), AssertionFailure);
}

TEST_CASE("a schema with duplicate columns or flags of several words is refused", "[experiments][results]") {
  const ColumnSchema column{"x", ColumnType::int64, "1", ""};
  const ColumnSchema flags{"f", ColumnType::int8, "", "", {"not applicable"}};
  const ColumnSchema wrong_type{"f", ColumnType::int64, "1", "", {"yes"}};

  CHECK_THROWS_AS(Table({"/t", "row", "", {column, column}}), AssertionFailure);
  CHECK_THROWS_AS(Table({"/t", "row", "", {flags}}), AssertionFailure);
  CHECK_THROWS_AS(Table({"/t", "row", "", {wrong_type}}), AssertionFailure);
}

TEST_CASE("tables of times are marked as not deterministic, all others as deterministic", "[experiments][results]") {
  const std::vector<ColumnSchema> columns{{"x", ColumnType::float64, "s", ""}};

  const PointTables tables(KindSchema{columns, columns, columns, columns, columns, true, {}});

  for (const Table* table : tables.all()) {
    const bool is_timed = table->schema().path.starts_with("/timing");
    for (const Column& column : table->columns()) CHECK(column.schema().deterministic != is_timed);
  }
}
