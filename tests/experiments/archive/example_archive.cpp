#include "tests/experiments/archive/example_archive.hpp"

#include <cmath>
#include <limits>

namespace kvarium::test {

namespace {

Table example_trials() {
  Table trials({"/trials",
                "trial",
                "One row a trial",
                {{"trial", ColumnType::int64, "1", "Number of the row"},
                 {"effect", ColumnType::int8, "", "What became of it", {"masked", "corrupted"}},
                 {"tensor", ColumnType::int8, "", "Which tensor", {"key", "value"}, true, true},
                 {"mask", ColumnType::uint64, "1", "Changed bits", {}, true, true},
                 {"layer", ColumnType::int64, "1", "Layer struck", {}, true, true},
                 {"relative_l2", ColumnType::float64, "1", "Difference"},
                 {"reason", ColumnType::text, "", "Why"}}});
  trials.append_row({0, "masked", "key", 0xfffffffffffffffeULL, 3, 0.1, ""});
  trials.append_row({1, "corrupted", Value(), Value(), Value(), std::nan(""), "größer als 1 µs"});
  trials.append_row({2, 1, 1, std::uint64_t{1} << 63U, -7, std::numeric_limits<double>::infinity(), "two\nlines"});
  return trials;
}

Table example_timing_summary() {
  Table table({"/timing/summary",
               "point",
               "Medians",
               {{"point", ColumnType::int64, "1", "Row of /plan/points", {}, false},
                {"median_duration", ColumnType::float64, "s", "Median time", {}, false}},
               true});
  table.append_row({4, 1.5e-6});
  return table;
}

}  // namespace

ArchiveContent example_archive() {
  ArchiveContent content;
  content.title = "example";
  content.created = "2026-11-30T00:00:00Z";
  content.history = {"first run", "second run"};
  content.complete = true;
  content.config = {"schema: 1\n", "{\"schema\":1}", "{}", {"kvarium", "run", "example.yaml"}, {}};
  content.runs = {{{"commit", "abc"}, {"cores", 2}, {"wall_seconds", 0.25}}, {{"commit", "def"}}};
  content.tables = {Table({"/faults",
                           "fault",
                           "No rows",
                           {{"fault", ColumnType::int64, "1", "Row"}, {"model", ColumnType::text, "", "Name"}}}),
                    example_timing_summary(), example_trials()};
  return content;
}

}  // namespace kvarium::test
