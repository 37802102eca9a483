#include "kernels/checksums/cuda/keyed_cells.cuh"
#include "kernels/cuda/device/dependent_launch.cuh"

// The exact sums of `syndrome` and its mixed_sum in one pass. A piece's number counts cells by head and token, whatever
// order memory has.

namespace kvarium {

/// Sums of one lane. A number is split in two, so that no sum of a chunk leaves 64 bits: numbers stay below 2^31, the
/// shares of a unit add up to less than 2^36, and a chunk has at most 2^11 units.
struct ExactSums {
  uint64 plain = 0;
  uint64 low_numbered = 0;   ///< low 16 bits of the unit's first number, times its sum
  uint64 high_numbered = 0;  ///< the number's other bits
  uint64 within = 0;         ///< numbers within the unit, times pieces

  void add(int64 first_number, uint64 sum, uint64 numbered) {
    plain += sum;
    low_numbered += (static_cast<uint64>(first_number) & 0xFFFFU) * sum;
    high_numbered += (static_cast<uint64>(first_number) >> 16) * sum;
    within += numbered;
  }
};

static_assert(units_per_chunk <= 1 << 11, "a chunk of syndrome has at most 2048 units");

template <bool is_value>
struct SyndromeWalk {
  const CellSumParameters& parameters;
  const CellRow& row;
  const ChunkKeys& keys;
  ExactSums& exact;
  int end;

  bool counts(int index) const { return cell_place_of<is_value>(index).token < row.valid_tokens; }
  const uint8* address(int index) const { return cell_address_of<is_value>(parameters, row, index); }
  const uint8* any_address() const { return is_value ? row.value : row.key; }
  static UnitBytes load(const uint8* address) { return load_unit(address); }

  uint64 term(int index, const UnitBytes& loaded) const {
    const UnitPlace place = cell_place_of<is_value>(index);
    UnitBytes unit = loaded;
    const bool is_counted = index < end && counts(index);
#pragma unroll
    for (uint32& word : unit.words) word = is_counted ? word : 0;
    add_exactly(place, unit);
    return mixed_unit_share<is_value>(keys, row, place, unit);
  }

  void add_exactly(const UnitPlace& place, UnitBytes unit) const {
    constexpr int pieces = 2 * half_cell_bytes / 4;
    const int64 number = (place.head * row.valid_tokens + place.token) * pieces + place.byte / 4 + 1;
    const int shift = 8 * (place.byte % 4);
    if constexpr (!variant::is_vectorised) {
      exact.add(number, uint64{unit.words[0]} << shift, 0);
    } else if constexpr (is_value && values_run_over_tokens) {
      cut(unit, static_cast<int>(smaller((row.valid_tokens - place.token) * element_size, int64{16})));
      const VectorSums sums = sums_of<element_size>(unit);
      exact.add(number, sums.plain << shift, pieces * sums.numbered << shift);
    } else {
      const VectorSums sums = sums_of<4>(unit);
      exact.add(number, sums.plain, sums.numbered);
    }
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
  const uint64 half = exact.low_numbered + exact.within;  // below 2^63 and 2^60
  const uint64 low = shifted + half;
  add_wide(words + 2, low, (exact.high_numbered >> 48) + (low < half ? 1 : 0));
  atomicAdd(words + 4, mixed);
}

template <bool is_value>
uint64 syndrome_chunk(const CellSumParameters& parameters, const CellRow& row, uint64 seed_key, int chunk,
                      ExactSums& exact) {
  constexpr Batches batches{.units_per_lane = 2, .unrolled = 8};
  const ChunkKeys keys(row, seed_key, chunk);
  const int end = smaller((chunk + 1) * units_per_chunk, units_per_walk);
  const uint64 mixed = sum_units<batches, units_per_chunk, units_per_walk>(
      SyndromeWalk<is_value>{parameters, row, keys, exact, end}, chunk);
  exact = {warp_sum(exact.plain), warp_sum(exact.low_numbered), warp_sum(exact.high_numbered), warp_sum(exact.within)};
  return mixed;
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
  uint64 mixed = 0;
  if (row.valid_tokens > 0) {
    mixed = work.is_value ? syndrome_chunk<true>(parameters, row, seed_key, work.chunk, exact)
                          : syndrome_chunk<false>(parameters, row, seed_key, work.chunk, exact);
  }
  // Everything but `out` was written before the launch that zeroes it began, so only the sums wait for that one.
  if constexpr (variant::follows_zeroing) wait_for_predecessors();
  if (row.valid_tokens <= 0 || threadIdx.x % warp_size != 0) return;
  const int64 layer = parameters.first_layer + static_cast<int64>(blockIdx.y);
  add_to_record(parameters.out + (work.row * parameters.all_layers + layer) * words_per_layer, exact, mixed);
}
