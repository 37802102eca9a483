#pragma once

#include "kernels/attention/cuda/register_mma_state.cuh"
#include "kernels/cuda/device/asynchronous_copy.cuh"

namespace kvarium {

/// The pieces of a step that one lane multiplies, in shared memory. The lane that reads a piece is the one that copied
/// it there, so that no lane waits for another, and the pieces of all lanes lie side by side, so that no two of them
/// share a bank.
template <int num_pieces, int words>
class StagedPieces {
 public:
  static constexpr int bytes = num_pieces * warp_size * 4 * words;

  explicit StagedPieces(char* first) : own_(first + threadIdx.x % warp_size * 4 * words) {}

  void load(int index, const char* address, bool exists) {
    if constexpr (variant::pieces_are_aligned) {
      start_copy<words>(place(index), address, exists);
    } else {
      Piece<words> piece{};
      if (exists) load_cache_piece(piece, address);
      set(index, piece);
    }
  }
  Piece<words> operator[](int index) const { return read_piece<words>(place(index)); }
  void set(int index, const Piece<words>& piece) { write_piece(place(index), piece); }

 private:
  char* place(int index) const { return own_ + index * warp_size * 4 * words; }

  char* own_;
};

/// One step of one warp in shared memory.
struct StagedStep {
  using Keys = StagedPieces<KeyOperands::num_pieces, KeyOperands::piece_words>;
  using Values = StagedPieces<ValueOperands::num_pieces, ValueOperands::piece_words>;
  static constexpr int bytes = Keys::bytes + Values::bytes;

  Keys keys;
  Values values;

  /// Step in slot `slot` of the warp's ring.
  explicit StagedStep(int slot) : StagedStep(first_byte(slot)) {}

 private:
  explicit StagedStep(char* first) : keys(first), values(first + Keys::bytes) {}

  static char* first_byte(int slot) {
    extern __shared__ uint4 rings[];
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    return reinterpret_cast<char*>(rings) + (warp * variant::stages + slot) * bytes;
  }
};
static_assert(StagedStep::bytes * variant::stages * variant::warps == variant::ring_bytes,
              "the host plans the same shared memory");

/// Copies the steps of a warp's work into its ring, one after the other.
class StepCopier {
 public:
  StepCopier(const AttentionParameters& parameters, const WarpWork& work, Lane lane)
      : places_(parameters, work),
        keys_(parameters, work, lane),
        values_(parameters, work, lane),
        next_group_(work.first_group()),
        end_group_(work.end_group()) {}

  /// Starts the copies of the next step, in a group of their own; of an empty one after the last step.
  void copy_step(const AttentionParameters& parameters, Lane lane) {
    if (next_group_ < end_group_) {
      StagedStep step(slot_);
      places_.advance(next_group_);
      keys_.load(step.keys, parameters, places_, next_group_, lane);
      values_.load(step.values, parameters, places_, next_group_, lane);
    }
    end_copy_group();
    next_group_ += tiles_per_step;
    slot_ = next_slot(slot_);
  }

  static int next_slot(int slot) { return slot + 1 == variant::stages ? 0 : slot + 1; }

 private:
  GroupPlaces places_;
  KeyOperands keys_;
  ValueOperands values_;
  int next_group_;
  int end_group_;
  int slot_ = 0;
};

}  // namespace kvarium
