#include "experiments/report/report_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/commands/text_table.hpp"
#include "experiments/report/crossed_points.hpp"
#include "experiments/report/paired_points.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

/// Characters of a part of a table.
constexpr std::size_t most_width = 160;

/// Percent with as many digits as say something: what is missed of 10,000 trials shows in the second one.
std::string percent(double share) { return fmt::format("{:.4g}", 100 * share); }

std::string cell(const PointNumbers& numbers, const std::string& column) {
  if (numbers.empty()) return "-";
  const auto share = share_of(numbers, column);
  if (!share) return "n/a";
  return fmt::format("{} [{}, {}]", percent(share->rate), percent(share->low), percent(share->high));
}

const PointNumbers& numbers_at(const std::vector<PointNumbers>& numbers, std::int64_t point) {
  static const PointNumbers none;
  return point < 0 ? none : numbers[static_cast<std::size_t>(point)];
}

/// Columns of cells, the first one the labels of the rows.
using Columns = std::vector<std::vector<std::string>>;

std::size_t width_of(const std::vector<std::string>& column) {
  std::size_t width = 0;
  for (const std::string& text : column) width = std::max(width, text.size());
  return width + 2;
}

/// Tables of at most most_width characters (or of one column beside the labels), one below the other.
std::string parts_text(const Columns& columns) {
  std::string text;
  for (std::size_t first = 1; first < columns.size();) {
    std::size_t end = first, width = width_of(columns[0]);
    while (end < columns.size() && (end == first || width + width_of(columns[end]) <= most_width)) {
      width += width_of(columns[end++]);
    }
    std::vector<std::string> headings{columns[0][0]};
    for (std::size_t column = first; column < end; ++column) headings.push_back(columns[column][0]);
    TextTable table(headings);
    for (std::size_t row = 1; row < columns[0].size(); ++row) {
      std::vector<std::string> cells{columns[0][row]};
      for (std::size_t column = first; column < end; ++column) cells.push_back(columns[column][row]);
      table.add(cells);
    }
    text += table.text() + "\n";
    first = end;
  }
  return text;
}

std::string share_text(const CrossedPoints& crossed, const std::vector<PointNumbers>& numbers,
                       const std::string& column) {
  Columns columns{{"fault"}};
  columns[0].insert(columns[0].end(), crossed.faults().begin(), crossed.faults().end());
  for (std::size_t other = 0; other < crossed.others().size(); ++other) {
    std::vector<std::string> cells{crossed.others()[other]};
    for (std::size_t fault = 0; fault < crossed.faults().size(); ++fault) {
      cells.push_back(cell(numbers_at(numbers, crossed.point(fault, other)), column));
    }
    columns.push_back(std::move(cells));
  }
  return fmt::format("{}, percent of applicable faults [95 % interval]\n\n{}",
                     column.substr(0, column.size() - std::string_view("_rate").size()), parts_text(columns));
}

/// What a checksum alone saw against what the first one alone saw; "=" where they agree on every trial.
std::string paired_cell(const std::optional<PairedCounts>& counts) {
  if (!counts) return "-";
  if (counts->first_only == 0 && counts->second_only == 0) return "=";
  return fmt::format("{}/{} p={:.2g}", counts->second_only, counts->first_only, mcnemar_test(*counts));
}

/// Every checksum beside the first, over the trials whose rows were kept; empty where there is nothing to pair.
std::string paired_text(const CrossedPoints& crossed, const StoredResults& stored) {
  Columns columns{{"fault"}};
  columns[0].insert(columns[0].end(), crossed.faults().begin(), crossed.faults().end());
  bool is_paired = false;
  for (std::size_t other = 1; other < crossed.others().size(); ++other) {
    std::vector<std::string> cells{crossed.others()[other]};
    for (std::size_t fault = 0; fault < crossed.faults().size(); ++fault) {
      const auto counts = paired_counts(stored, crossed.point(fault, 0), crossed.point(fault, other));
      is_paired |= counts.has_value();
      cells.push_back(paired_cell(counts));
    }
    columns.push_back(std::move(cells));
  }
  if (!is_paired) return {};
  return fmt::format("seen by it alone / by {} alone, trial by trial, and McNemar's exact p (=: no difference)\n\n{}",
                     crossed.others()[0], parts_text(columns));
}

std::vector<const PointNumbers*> points_of(const CrossedPoints& crossed, const std::vector<PointNumbers>& numbers,
                                           std::size_t other) {
  std::vector<const PointNumbers*> points;
  for (std::size_t fault = 0; fault < crossed.faults().size(); ++fault) {
    points.push_back(&numbers_at(numbers, crossed.point(fault, other)));
  }
  return points;
}

std::string costs_text(const CrossedPoints& crossed, const std::vector<PointNumbers>& numbers,
                       const std::vector<ReportedCost>& costs) {
  Columns columns{{""}};
  columns[0].insert(columns[0].end(), crossed.others().begin(), crossed.others().end());
  for (const ReportedCost& cost : costs) {
    std::vector<std::string> cells{cost.summing == Summing::total ? "all " + cost.column : cost.column};
    bool is_known = false;
    for (std::size_t other = 0; other < crossed.others().size(); ++other) {
      const auto number = cost_of(points_of(crossed, numbers, other), cost);
      is_known |= number.has_value();
      cells.push_back(number ? fmt::format("{:.4g}", *number) : "-");
    }
    if (is_known) columns.push_back(std::move(cells));
  }
  return columns.size() == 1 ? "" : "costs\n\n" + parts_text(columns);
}

}  // namespace

std::string crossed_text(const StoredResults& stored) {
  const CrossedPoints crossed(stored.plan);
  const std::vector<PointNumbers> numbers = point_numbers(stored);
  std::string text;
  for (const std::string& column : stored.schema.report.shares) text += share_text(crossed, numbers, column);
  return text + paired_text(crossed, stored) + costs_text(crossed, numbers, stored.schema.report.costs);
}

nlohmann::ordered_json crossed_json(const StoredResults& stored) {
  const CrossedPoints crossed(stored.plan);
  const std::vector<PointNumbers> numbers = point_numbers(stored);
  Json shares = Json::array(), pairs = Json::array(), costs = Json::array();
  for (std::size_t other = 0; other < crossed.others().size(); ++other) {
    for (std::size_t fault = 0; fault < crossed.faults().size(); ++fault) {
      const std::int64_t point = crossed.point(fault, other);
      for (const std::string& column : stored.schema.report.shares) {
        const auto share = share_of(numbers_at(numbers, point), column);
        if (!share) continue;
        shares.push_back({{"point", point},
                          {"fault", crossed.faults()[fault]},
                          {"of", crossed.others()[other]},
                          {"share", column},
                          {"rate", share->rate},
                          {"low", share->low},
                          {"high", share->high},
                          {"trials", share->trials}});
      }
    }
    for (std::size_t fault = 0; other > 0 && fault < crossed.faults().size(); ++fault) {
      const auto counts = paired_counts(stored, crossed.point(fault, 0), crossed.point(fault, other));
      if (!counts) continue;
      pairs.push_back({{"fault", crossed.faults()[fault]},
                       {"first", crossed.others()[0]},
                       {"second", crossed.others()[other]},
                       {"both", counts->both},
                       {"first_only", counts->first_only},
                       {"second_only", counts->second_only},
                       {"neither", counts->neither},
                       {"p", mcnemar_test(*counts)}});
    }
    Json cost{{"of", crossed.others()[other]}};
    for (const ReportedCost& one : stored.schema.report.costs) {
      const auto number = cost_of(points_of(crossed, numbers, other), one);
      cost[one.column] = number ? Json(*number) : Json(nullptr);
    }
    costs.push_back(std::move(cost));
  }
  return {{"shares", shares}, {"pairs", pairs}, {"costs", costs}};
}

}  // namespace kvarium
