#include "kernels/checksums/cuda/keyed_cells.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// The exact sums of `syndrome` and its mixed_sum in one pass. A piece's number counts cells by head and token, whatever
// order memory has.

namespace kvarium {

/// Sums of one lane. A number is split in two, so that no sum of a chunk leaves 64 bits: numbers stay below 2^31, the
/// shares of a unit add up to less than 2^36, and a chunk has at most 2^11 units.
struct ExactSums {
  uint64 plain = 0;
  uint64 low_numbered = 0;   ///< low 16 bits of the unit's first number, times its sum; and numbers within the unit
  uint64 high_numbered = 0;  ///< the number's other bits

  void add(uint32 first_number, uint64 sum, uint64 numbered) {
    plain += sum;
    low_numbered += (first_number & 0xFFFFU) * sum + numbered;
    high_numbered += (first_number >> 16) * sum;
  }
};

static_assert(units_per_chunk <= 1 << 11, "a chunk of syndrome has at most 2048 units");

/// A chunk of K, V or whole cells as sum_units walks it; the exact sums are a lane's until the end.
template <bool is_value, bool all>
struct SyndromeSum {
  static constexpr bool counts_all = all;

  const KeyedTensor<is_value> tensor;
  const ChunkKeys keys;
  const int valid_tokens;
  const int end;
  ExactSums& exact;

  bool counts(int index) const { return tensor.place_of_unit(index).token < valid_tokens; }
  const uint8* address(int index) const { return tensor.address(index); }
  const uint8* any_address() const { return tensor.data; }
  static UnitBytes load(const uint8* address) { return load_unit(address); }

  uint64 term(int index, const UnitBytes& loaded) const {
    UnitBytes unit = loaded;
    if (!is_counted(*this, index, end)) unit = {0, 0, 0, 0};
    add_exactly(tensor.place_of_unit(index), unit);
    return mixed_unit_share<all>(tensor, keys, index, unit);
  }

  void add_exactly(const UnitPlace& place, UnitBytes unit) const {
    constexpr int pieces = 2 * half_cell_bytes / 4;
    const uint32 number =
        static_cast<uint32>(place.head * valid_tokens + place.token) * pieces + static_cast<uint32>(place.byte) / 4 + 1;
    const int shift = 8 * (place.byte % 4);
    if constexpr (!variant::is_vectorised) {
      exact.add(number, uint64{unit.words[0]} << shift, 0);
    } else if constexpr (is_value && values_run_over_tokens) {
      if (!all) cut_tail(unit, tensor.row, place);
      const VectorSums sums = sums_of<element_size>(unit);
      exact.add(number, sums.plain << shift, pieces * sums.numbered << shift);
    } else {
      const VectorSums sums = sums_of<4>(unit);
      exact.add(number, sums.plain, sums.numbered);
    }
  }

  static uint64 of_chunk(const CellSumParameters& parameters, const CellRow& row, const KeyedWork& work,
                         uint64 seed_key, ExactSums& exact) {
    const SyndromeSum walk{{parameters, row, work.is_value, work.chunk},
                           {row, seed_key, work.chunk},
                           static_cast<int>(row.valid_tokens),
                           smaller((work.chunk + 1) * units_per_chunk, units_per_walk),
                           exact};
    const uint64 mixed = sum_units<keyed_batches, units_per_chunk, units_per_walk>(walk, work.chunk);
    exact = {warp_sum(exact.plain), warp_sum(exact.low_numbered), warp_sum(exact.high_numbered)};
    return mixed;
  }
};

/// Adds to a number of two words, low one first. Every wrap of the low word is seen by the addition that causes it.
inline void add_wide(uint64* words, uint64 low, uint64 high) {
  const uint64 before = atomicAdd(words, low);
  high += before + low < before ? 1 : 0;
  if (high != 0) atomicAdd(words + 1, high);
}

/// Adds a warp's sums to the layer's words.
inline void add_to_record(uint64* words, const ExactSums& exact, uint64 mixed) {
  add_wide(words, exact.plain, 0);
  const uint64 shifted = exact.high_numbered << 16;
  const uint64 low = shifted + exact.low_numbered;
  add_wide(words + 2, low, (exact.high_numbered >> 48) + (low < shifted ? 1 : 0));
  atomicAdd(words + 4, mixed);
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    syndrome(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::uint64 seed_key) {
  using namespace kvarium;
  constexpr int words_per_layer = 5;
  const KeyedWork work = KeyedWork::of_this_warp();
  CellRow row{};
  if (work.row < parameters.num_rows) row = row_of(parameters, blockIdx.y, work.row);
  ExactSums exact;
  const uint64 mixed = row.valid_tokens > 0 ? sum_keyed_chunk<SyndromeSum>(parameters, row, work, seed_key, exact) : 0;
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (row.valid_tokens <= 0 || threadIdx.x % warp_size != 0) return;
  const int64 layer = parameters.first_layer + static_cast<int64>(blockIdx.y);
  add_to_record(parameters.out + (work.row * parameters.all_layers + layer) * words_per_layer, exact, mixed);
}
