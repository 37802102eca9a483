#include "experiments/commands/plan_summary.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "experiments/archive/archive_reader.hpp"
#include "experiments/plan/skip_reasons.hpp"
#include "experiments/results/point_status.hpp"
#include "experiments/run/archived_config.hpp"
#include "experiments/run/memory_need.hpp"

namespace kvarium {
namespace {

void add_point(PlanSummary& summary, const ExperimentKind& kind, const PointConfig& point) {
  summary.most_trials += kind.most_trials(point);
  // Drawing the lengths of a batch takes longer than all else.
  if (most_needed_bytes(point) > summary.most_bytes) {
    summary.most_bytes = std::max(summary.most_bytes, needed_bytes(point));
  }
}

/// Points that ran, whatever came of it.
std::int64_t count_measured(const Table& points) {
  const Column& status = points.column("status");
  std::int64_t count = 0;
  for (std::size_t row = 0; row < status.size(); ++row) {
    const std::string text = status.text(row);
    count += text != to_string(PointStatus::skipped) && text != to_string(PointStatus::unfinished) ? 1 : 0;
  }
  return count;
}

double wall_seconds(const std::vector<RunProvenance>& runs) {
  double seconds = 0;
  for (const RunProvenance& run : runs) {
    for (const auto& [name, value] : run) {
      const auto* number = std::get_if<double>(&value.storage());
      if (name == "wall_seconds" && number != nullptr) seconds += *number;
    }
  }
  return seconds;
}

}  // namespace

PlanSummary summarize(const Plan& plan, const PointVisitor& visit) {
  const ExperimentKind& kind = experiment_kinds().at(plan.experiment().point.kind);
  SkipReasons reasons(plan);
  PlanSummary summary;
  for (std::int64_t index = 0; index < plan.num_points(); ++index) {
    const std::optional<std::string> reason = reasons.at(index);
    if (visit) visit(index, reason);
    if (reason) {
      ++summary.num_skipped;
    } else {
      add_point(summary, kind, reasons.point());
    }
  }
  return summary;
}

MeasuredTime measured_time(const Plan& plan, const std::filesystem::path& archive) {
  const std::string place = archive.string();
  const ArchiveContent content = read_archive(archive);
  KVARIUM_VALIDATE(archived_fingerprint(place, content.config) == plan.fingerprint(), place,
                   ": holds another plan; name an archive of this one");
  const Table* points = content.find_table("/plan/points");
  KVARIUM_VALIDATE(points != nullptr && points->schema().find("status") >= 0, place,
                   ": '/plan/points' is damaged; name another archive");
  const MeasuredTime time{count_measured(*points), wall_seconds(content.runs)};
  KVARIUM_VALIDATE(time.num_measured > 0, place, ": no point has run to its end yet; ask again later");
  return time;
}

}  // namespace kvarium
