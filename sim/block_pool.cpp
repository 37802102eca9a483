#include "sim/block_pool.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "sim/random_order.hpp"

namespace kvarium {

BlockPool::BlockPool(std::int64_t num_blocks) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  KVARIUM_VALIDATE(num_blocks >= 0 && num_blocks <= most, "num_blocks is ", num_blocks, "; use 0 to ", most);
  blocks_.resize(static_cast<std::size_t>(num_blocks));
  empty_.reserve(blocks_.size());
  for (std::int64_t block = num_blocks; block > 0; --block) {
    empty_.push_back(BlockId{static_cast<std::int32_t>(block - 1)});
  }
}

std::size_t BlockPool::index_of(BlockId block) const {
  KVARIUM_VALIDATE(block.is_valid() && block.value() < size(), "block ", block.value(),
                   " is not in the pool; use 0 to ", size() - 1, " (num_blocks - 1)");
  return static_cast<std::size_t>(block.value());
}

std::vector<BlockId> BlockPool::allocate(std::int64_t count) {
  KVARIUM_EXPECT(count >= 0);
  KVARIUM_VALIDATE(count <= num_free(), "out of KV blocks: ", count, " needed, ", num_free(), " free of ", size(),
                   "; raise num_blocks, or use fewer or shorter sequences");
  std::vector<BlockId> taken;
  taken.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) taken.push_back(take_one());
  return taken;
}

BlockId BlockPool::take_one() {
  const BlockId block = empty_.empty() ? evict() : empty_.back();
  if (!empty_.empty()) empty_.pop_back();
  at(block).references = 1;
  ++num_in_use_;
  return block;
}

BlockId BlockPool::evict() {
  const BlockId block = least_recently_used_.front();
  least_recently_used_.pop_front();
  by_hash_.erase(*at(block).hash);
  at(block).hash.reset();
  ++num_evicted_;
  return block;
}

void BlockPool::remember(BlockId block, BlockHash hash) {
  Block& state = at(block);
  KVARIUM_EXPECT(state.references > 0 && !state.hash);
  if (by_hash_.try_emplace(hash, block).second) state.hash = hash;
}

std::optional<BlockId> BlockPool::share(BlockHash hash) {
  const auto found = by_hash_.find(hash);
  if (found == by_hash_.end()) return {};
  Block& state = at(found->second);
  if (state.references == 0) {
    least_recently_used_.erase(state.place);
    ++num_in_use_;
  }
  ++state.references;
  return found->second;
}

void BlockPool::add_reference(BlockId block) {
  Block& state = at(block);
  KVARIUM_VALIDATE(state.references > 0, "block ", block.value(), " is free and cannot be shared; allocate it first");
  ++state.references;
}

void BlockPool::release(BlockId block) {
  Block& state = at(block);
  KVARIUM_VALIDATE(state.references > 0, "block ", block.value(), " is free and cannot be released again");
  if (--state.references > 0) return;
  --num_in_use_;
  if (state.hash) {
    state.place = least_recently_used_.insert(least_recently_used_.end(), block);
  } else {
    empty_.push_back(block);
  }
}

void BlockPool::fragment(CounterRandom& random, double fraction) {
  KVARIUM_VALIDATE(fraction >= 0.0 && fraction <= 1.0, "fragmentation is ", fraction, "; use 0 to 1");
  const auto count = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(empty_.size())));
  // Which places are mixed is random as well: the first `count` of a random order of all places.
  const std::vector<std::size_t> places = random_order(empty_.size(), random);
  for (std::size_t i = count; i > 1; --i) {
    std::swap(empty_[places[i - 1]], empty_[places[random.below(i)]]);
  }
}

}  // namespace kvarium
