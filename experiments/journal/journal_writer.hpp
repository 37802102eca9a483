#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/archive/hdf5_handle.hpp"
#include "experiments/journal/journal_header.hpp"
#include "experiments/journal/journal_schema.hpp"
#include "experiments/results/point_time.hpp"

namespace kvarium {

/// Appends finished points to a journal: once commit() has returned, no kill loses them.
class JournalWriter {
 public:
  /// Makes the file. Errors: InputError when it cannot be written.
  JournalWriter(std::filesystem::path path, const JournalHeader& header, const KindSchema& kind);
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  /// What was not committed is lost.
  ~JournalWriter();

  const std::filesystem::path& path() const { return path_; }

  /// Takes a finished point into the next commit.
  void append(std::uint64_t point_id, const PointResult& result, const PointTime& time);

  /// Writes what was appended. Errors: InputError when the disk is full or gone; what was committed before stays whole.
  void commit();

  /// Commits once enough rows or a second have come together. Returns whether nothing is left to be lost.
  bool commit_if_due();

 private:
  using Clock = std::chrono::steady_clock;

  /// A dataset of records and what will be written to it next.
  struct Records {
    Hdf5Handle dataset;
    Hdf5Handle type;
    std::uint64_t num_written = 0;
    std::size_t record_bytes = 1;
    std::vector<char> pending;

    std::uint64_t num_pending() const { return pending.size() / record_bytes; }
    std::uint64_t size() const { return num_written + num_pending(); }
    void write();
  };

  void write_all();
  /// After a failed write: nothing of the file may be closed any more.
  void abandon();
  void create(const JournalHeader& header);
  Records open_records(const std::string& path, Hdf5Handle type);
  void add_rows(const RowLayout& layout, Records& records, const Table& rows);
  void synchronise_if_due();

  std::filesystem::path path_;
  JournalSchema schema_;
  Hdf5Handle file_;
  Records characters_;
  std::vector<Records> tables_;
  Records points_;
  Clock::time_point last_commit_ = Clock::now();
  Clock::time_point last_synchronised_ = Clock::now();
  int descriptor_ = -1;  // for fsync
};

}  // namespace kvarium
