#include "experiments/run/point_runner.hpp"

#include <exception>
#include <new>

#include "experiments/plan/point_identity.hpp"
#include "experiments/run/free_memory.hpp"
#include "experiments/run/memory_need.hpp"
#include "experiments/tuning/point_variant.hpp"

namespace kvarium {

namespace {

/// One line: reasons stand in a table.
std::string one_line(std::string text) {
  for (char& letter : text) {
    if (letter == '\n' || letter == '\0') letter = ' ';
  }
  return text;
}

PointResult without_rows(PointStatus status, const std::string& reason, const ExperimentKind& kind) {
  return {status, one_line(reason), PointTables(kind.schema())};
}

/// Why memory is short, what earlier points have kept given up for it.
std::optional<std::string> memory_shortage(const PointConfig& config, const PointContext& context) {
  std::optional<std::string> problem = memory_problem(config, free_memory_bytes());
  if (!problem || context.kept == nullptr || !context.kept->has_value()) return problem;
  context.kept->reset();
  return memory_problem(config, free_memory_bytes());
}

}  // namespace

PointContext point_context(const PointConfig& point) {
  PointContext context;
  context.random = {point.seed, stimulus_id(point)};
  return context;
}

PointResult run_point(const Plan& plan, std::int64_t point, const ExperimentKind& kind, PointContext context) {
  try {
    if (const std::optional<std::string> reason = plan.skip_reason(point)) {
      return without_rows(PointStatus::skipped, *reason, kind);
    }
    const PointConfig config = plan.point(point);
    // The system ends a process that fills more memory than there is, and with it every other point.
    if (const std::optional<std::string> reason = memory_shortage(config, context)) {
      return without_rows(PointStatus::failed, *reason, kind);
    }
    const VariantChoice choice = point_variant(config, SpillCheck::compile);
    context.random = point_context(config).random;
    PointResult result = kind.run(with_variant(config, choice.variant), context);
    result.reason = one_line(result.reason);
    if (plan.leaves_variants_open()) result.choice = choice;
    return result;
  } catch (const std::bad_alloc&) {
    return without_rows(PointStatus::failed, "out of memory; use fewer or shorter sequences, heads or layers", kind);
  } catch (const std::exception& error) {
    return without_rows(PointStatus::failed, error.what(), kind);
  }
}

}  // namespace kvarium
