#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/faults/fault_parameters.hpp"
#include "sim/faults/fault_record.hpp"
#include "sim/faults/struck_block.hpp"

namespace kvarium {

/// An attended token of a layer.
struct DrawnToken {
  StruckBlock block;
  std::int64_t token = 0;  ///< in the block
};

/// What a fault must reach to be one.
enum class Reach : std::uint8_t {
  attended,  ///< an attended byte
  anything   ///< any byte: damage beside what is attended is the point of the fault
};

/// One injection after another into one target: a model draws a site, collects changes, and strikes or refuses.
/// It keeps the memory of its lists, so that injections allocate nothing once those have grown.
class Injection {
 public:
  /// `target` must outlive this.
  explicit Injection(const FaultTarget& target) : target_(target) {}

  /// Begins the next injection, forgetting the one before. `parameters` must live until it has ended.
  void begin(std::string_view model, const FaultParameters& parameters, const CounterRandom& random);

  const FaultTarget& target() const { return target_; }
  const FaultParameters& parameters() const { return *parameters_; }
  CounterRandom& random() { return random_; }
  /// Uniform in [0, bound). Precondition: bound > 0.
  std::int64_t below(std::int64_t bound) { return static_cast<std::int64_t>(random_.below(std::uint64_t(bound))); }
  /// The setting's value; one of its other values, all equally likely, where it is "any".
  const std::string& choose(std::string FaultParameters::*setting);

  /// The cache of a layer.
  const PagedCacheView& cache(std::int64_t layer) const { return target_.layers()[static_cast<std::size_t>(layer)]; }
  /// One of the layers, all equally likely.
  std::int64_t draw_layer() { return below(std::ssize(target_.layers())); }
  /// One of the attended blocks of one of the layers, all equally likely. Precondition: a token is attended.
  StruckBlock draw_block();
  /// One of the attended tokens, all equally likely, in a layer.
  DrawnToken draw_token(std::int64_t layer);
  /// The same block in another layer.
  static StruckBlock in_layer(StruckBlock block, std::int64_t layer) { return {layer, block.span}; }
  /// A physical block as a place to strike, attended or not.
  StruckBlock block_of(std::int64_t layer, std::int64_t physical_block) const;

  /// Present value of a byte: nothing is written before strike().
  std::uint8_t present(const StruckBlock& block, const CellByte& place) const;
  /// Collects a new value for a byte; one that stays what it is is no change. Each byte at most once.
  void change(const StruckBlock& block, const CellByte& place, std::uint8_t after);
  /// Collects new contents [num_kv_heads, block_size, cell_bytes] for a block.
  void replace(const StruckBlock& block, const std::vector<std::uint8_t>& cells);
  void change_entry(const LogicalBlock& block, std::int64_t physical_block, bool brings_record = false);
  void change_reading(ReadQuantity quantity, std::int64_t index, double after);
  void change_record(const RecordChange& change);

  /// Blocks by layer and number that models keep from one injection to the next, such as earlier contents as stored.
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint8_t>>& kept_blocks() { return kept_blocks_; }

  /// What was drawn beyond the site.
  void set_detail(std::string_view detail) { record_.detail = detail; }
  /// Writes everything collected and completes the record; refuses when nothing collected reaches far enough.
  void strike(Reach reach = Reach::attended);
  /// The fault cannot apply, for this reason; nothing is written.
  void refuse(std::string_view reason);

  bool is_applicable() const { return reason_.empty(); }
  /// What was done. Precondition: is_applicable().
  const FaultRecord& record() const { return record_; }
  /// Why nothing was done; empty when something was.
  const std::string& not_applicable() const { return reason_; }
  /// Record or reason as a value.
  FaultOutcome outcome() const;

 private:
  void strike_cache(Reach reach);

  const FaultTarget& target_;
  const FaultParameters* parameters_ = nullptr;
  CounterRandom random_{{}, 0};
  FaultRecord record_;
  std::string reason_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint8_t>> kept_blocks_;
  std::vector<StruckBlock> blocks_;
  std::vector<std::size_t> first_changes_;  ///< [blocks_], where in record_.changes those of a block begin
};

}  // namespace kvarium
