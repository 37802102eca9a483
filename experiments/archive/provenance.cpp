#include "experiments/archive/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "experiments/archive/build_facts.hpp"
#include "experiments/archive/gpu_facts.hpp"
#include "experiments/archive/host_facts.hpp"
#include "experiments/archive/library_facts.hpp"
#include "kernels/attention/attention_family.hpp"

namespace kvarium {

namespace {

void append(RunProvenance& facts, const RunProvenance& more) { facts.insert(facts.end(), more.begin(), more.end()); }

RunProvenance input_facts(const std::vector<FileDigest>& inputs) {
  RunProvenance facts;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    facts.emplace_back(fmt::format("input_{}_path", i), inputs[i].path.string());
    facts.emplace_back(fmt::format("input_{}_sha256", i), inputs[i].sha256);
    facts.emplace_back(fmt::format("input_{}_bytes", i), inputs[i].bytes);
  }
  return facts;
}

}  // namespace

std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

ProvenanceRecorder::ProvenanceRecorder(std::string device, const std::vector<FileDigest>& inputs)
    : started_(std::chrono::system_clock::now()), clock_(std::chrono::steady_clock::now()) {
  fixed_.emplace_back("started", utc_text(started_));
  append(fixed_, build_facts());
  append(fixed_, library_facts());
  append(fixed_, host_facts());
  if (device == to_string(Device::cuda)) append(fixed_, gpu_facts());
  fixed_.emplace_back("device", std::move(device));
  append(fixed_, input_facts(inputs));
}

RunProvenance ProvenanceRecorder::facts(const std::string& exit_reason) const {
  RunProvenance facts = fixed_;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock_;
  facts.emplace_back("ended", utc_text(std::chrono::system_clock::now()));
  facts.emplace_back("wall_seconds", wall.count());
  facts.emplace_back("exit_reason", exit_reason);
  return facts;
}

}  // namespace kvarium
