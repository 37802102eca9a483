#include "experiments/kinds/piece_repairs.hpp"

#include "sim/faults/cell_bytes.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t piece_bytes = 4;

/// The repair that covers a changed byte, or null.
const PieceRepair* covering(const std::vector<PieceRepair>& repairs, const ByteChange& change) {
  for (const PieceRepair& repair : repairs) {
    if (static_cast<std::int64_t>(repair.layer) == change.layer && repair.head == change.kv_head &&
        repair.token == change.token && repair.piece == change.byte / piece_bytes) {
      return &repair;
    }
  }
  return nullptr;
}

std::uint8_t byte_of(const PieceRepair& repair, std::int64_t byte) {
  return static_cast<std::uint8_t>(repair.value >> (8 * (byte % piece_bytes)));
}

/// Bytes that the repair would leave other than they are now.
int changed_bytes(const PieceRepair& repair, const BlockRow& row, const CacheLayer& layer) {
  int changed = 0;
  for (std::int64_t byte = repair.piece * piece_bytes; byte < (repair.piece + 1) * piece_bytes; ++byte) {
    const CellByte place{repair.head, repair.token, byte};
    const std::byte* present = address_of(layer.cache, locate_byte(layer.cache, row.block, place));
    changed += std::to_integer<std::uint8_t>(*present) != byte_of(repair, byte) ? 1 : 0;
  }
  return changed;
}

int severity(ChecksumVerdict verdict) {
  switch (verdict) {
    case ChecksumVerdict::wrong_repair:
      return 4;
    case ChecksumVerdict::detected:
      return 3;
    case ChecksumVerdict::repaired:
    case ChecksumVerdict::false_alarm:
      return 2;
    case ChecksumVerdict::unverified:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

bool restores(const std::vector<PieceRepair>& repairs, const FaultRecord& record, const BlockRow& row,
              const std::vector<CacheLayer>& layers) {
  int put_back = 0, changed = 0;
  for (const ByteChange& change : record.changes) {
    if (change.block != row.block || change.token >= row.valid_tokens) continue;
    const PieceRepair* repair = covering(repairs, change);
    if (repair == nullptr || byte_of(*repair, change.byte) != change.before) return false;
    ++put_back;
  }
  for (const PieceRepair& repair : repairs) changed += changed_bytes(repair, row, layers[repair.layer]);
  return put_back == changed;
}

ChecksumVerdict graver(ChecksumVerdict one, ChecksumVerdict other) {
  return severity(one) < severity(other) ? other : one;
}

}  // namespace kvarium
