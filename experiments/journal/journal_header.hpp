#pragma once

#include <string>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// What a journal says of itself beside its rows.
struct JournalHeader {
  std::string title;
  std::string created;  ///< of the archive it goes into: UTC, ISO 8601
  std::string history;  ///< this run's line
  ArchivedConfig config;
  RunProvenance run;  ///< as at the start
};

}  // namespace kvarium
