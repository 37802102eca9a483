#include "experiments/archive/archive_content.hpp"

namespace kvarium {

const Table* ArchiveContent::find_table(std::string_view path) const {
  for (const Table& table : tables) {
    if (table.schema().path == path) return &table;
  }
  return nullptr;
}

}  // namespace kvarium
