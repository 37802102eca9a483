#include "kernels/checksums/cuda/canary_parameters.cuh"
#include "kernels/checksums/cuda/cell_units.cuh"
#include "kernels/checksums/cuda/splitmix.cuh"
#include "kernels/cuda/device/warp.cuh"

// Four words a slot: token id, position, chain of earlier slots, hash of the slot's data. The hash folds buffer after
// buffer, so its launches come in their order and carry it on in `out`.

namespace kvarium {

constexpr int num_threads = 128;
constexpr int words_per_slot = 4;

inline uint64* slot_words(const CellSumParameters& parameters, int64 row, int64 token) {
  return parameters.out + (row * variant::block_size + token) * words_per_slot;
}

/// Writes what does not depend on the data, zeros where no token is valid, and 0 as the hash to begin with.
inline void write_places(const CellSumParameters& parameters, const CanaryParameters& canary, int64 row) {
  const CellRow cells = row_of(parameters, 0, row);
  uint64 chain = splitmix(0xC0FFEE1234567890ULL);
  for (int token = 0; token < variant::block_size; ++token) {
    uint64* const words = slot_words(parameters, row, token);
    const bool is_valid = token < cells.valid_tokens;
    const int64 slot = row * variant::block_size + token;
    const uint64 id = canary.token_ids != nullptr ? static_cast<uint64>(canary.token_ids[slot]) : 0;
    const uint64 position = static_cast<uint64>(cells.first_token + token);
    words[0] = is_valid ? id : 0;
    words[1] = is_valid ? position : 0;
    words[2] = is_valid ? chain : 0;
    words[3] = 0;
    chain = splitmix(splitmix(splitmix(chain) ^ id) ^ position);
  }
}

/// Eight bytes of a token's row in one buffer, or as many of them as the row has.
template <bool is_value>
uint64 row_word(const CellSumParameters& parameters, const CellRow& cells, int token, int byte) {
  uint64 word = 0;
  for (int i = 0; i < 8; i += element_size) {
    const int head = (byte + i) / half_cell_bytes;
    const UnitPlace place{head, token, (byte + i) % half_cell_bytes};
    const uint32 bits = load_bits<variant::cache_type>(address_of<is_value>(parameters, cells, place));
    word |= uint64{bits} << (8 * i);
  }
  return word;
}

template <bool is_value>
uint64 row_hash(const CellSumParameters& parameters, const CanaryParameters& canary, const CellRow& cells, int token) {
  uint64 hash = 0;
  for (int byte = 0; byte < canary.hashed_bytes; byte += 8) {
    hash = splitmix(hash ^ row_word<is_value>(parameters, cells, token, byte));
  }
  return hash;
}

}  // namespace kvarium

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    places(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::CanaryParameters canary) {
  using namespace kvarium;
  const int64 row = int64{blockIdx.x} * num_threads + threadIdx.x;
  if (row < parameters.num_rows) write_places(parameters, canary, row);
}

extern "C" __global__ void __launch_bounds__(kvarium::num_threads)
    data(const __grid_constant__ kvarium::CellSumParameters parameters, const kvarium::CanaryParameters canary) {
  using namespace kvarium;
  const int64 slot = int64{blockIdx.x} * num_threads + threadIdx.x;
  const int64 row = slot / variant::block_size;
  const int token = static_cast<int>(slot % variant::block_size);
  if (row >= parameters.num_rows || token >= row_of(parameters, 0, row).valid_tokens) return;
  uint64* const hash = slot_words(parameters, row, token) + 3;
  for (int layer = 0; layer < parameters.num_layers; ++layer) {
    const CellRow cells = row_of(parameters, layer, row);
    *hash = splitmix(*hash ^ (canary.is_value != 0 ? row_hash<true>(parameters, canary, cells, token)
                                                   : row_hash<false>(parameters, canary, cells, token)));
  }
}
