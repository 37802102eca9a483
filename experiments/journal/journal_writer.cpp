#include "experiments/journal/journal_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "core/check.hpp"
#include "experiments/archive/config_groups.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/journal/journal_file.hpp"
#include "experiments/results/choice_columns.hpp"

namespace kvarium {

namespace {

constexpr std::uint64_t rows_of_commit = journal_chunk_rows;
constexpr auto longest_wait = std::chrono::seconds(1);
/// A kill leaves what was written to the system, a loss of power only what is on the disk.
constexpr auto longest_off_disk = std::chrono::seconds(10);

Hdf5Handle character_type() { return Hdf5Handle(H5Tcopy(H5T_NATIVE_UINT8), H5Tclose); }

void write_header(hid_t file, const JournalHeader& header) {
  write_attribute(file, "journal_version", journal_schema_version);
  write_attribute(file, "title", header.title);
  write_attribute(file, "created", header.created);
  write_attribute(file, "history", header.history);
  write_config_group(file, header.config);
  write_provenance_groups(file, {header.run});
}

}  // namespace

void JournalWriter::Records::write() {
  if (pending.empty()) return;
  const hsize_t begin = num_written, count = num_pending(), size = begin + count;
  hdf5_checked(H5Dset_extent(dataset.get(), &size), dataset.get(), "make the journal longer");
  const Hdf5Handle file_space(H5Dget_space(dataset.get()), H5Sclose);
  H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
  const Hdf5Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  hdf5_checked(H5Dwrite(dataset.get(), type.get(), memory_space.get(), file_space.get(), H5P_DEFAULT, pending.data()),
               dataset.get(), "write the journal");
  num_written += count;
  pending.clear();
}

JournalWriter::JournalWriter(std::filesystem::path path, const JournalHeader& header, const KindSchema& kind)
    : path_(std::move(path)), schema_(kind) {
  create(header);
  characters_ = open_records(journal_characters, character_type());
  for (const RowLayout& layout : schema_.tables) {
    tables_.push_back(open_records(journal_table_path(layout.schema().path), layout.hdf5_type()));
  }
  points_ = open_records(schema_.points.schema().path, schema_.points.hdf5_type());
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
}

JournalWriter::~JournalWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void JournalWriter::create(const JournalHeader& header) {
  file_ = create_journal_file(path_, [&](hid_t file) {
    write_header(file, header);
    create_record_dataset(file, journal_characters, character_type().get());
    for (const RowLayout& layout : schema_.tables) {
      create_record_dataset(file, journal_table_path(layout.schema().path), layout.hdf5_type().get());
    }
    create_record_dataset(file, schema_.points.schema().path, schema_.points.hdf5_type().get());
  });
}

JournalWriter::Records JournalWriter::open_records(const std::string& path, Hdf5Handle type) {
  Records records;
  records.dataset = hdf5_checked(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose, file_.get(),
                                 "open dataset '" + path + "'");
  records.record_bytes = H5Tget_size(type.get());
  records.type = std::move(type);
  return records;
}

void JournalWriter::add_rows(const RowLayout& layout, Records& records, const Table& rows) {
  std::string characters;
  layout.encode(rows, 0, rows.num_rows(), characters_.size(), characters, records.pending);
  characters_.pending.insert(characters_.pending.end(), characters.begin(), characters.end());
}

void JournalWriter::append(std::uint64_t point_id, const PointResult& result, const PointTime& time) {
  std::vector<Value> row{point_id, result.status, result.reason, time.started, time.duration, time.overhead};
  const std::array<const Table*, num_kind_tables> tables = result.tables.all();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    row.emplace_back(tables_[i].size());
    row.emplace_back(tables[i]->num_rows());
    add_rows(schema_.tables[i], tables_[i], *tables[i]);
  }
  for (Value& value : choice_values(result.choice)) row.push_back(std::move(value));
  Table point(schema_.points.schema());
  point.append_row(row);
  add_rows(schema_.points, points_, point);
}

void JournalWriter::write_all() {
  characters_.write();
  for (Records& records : tables_) records.write();
  // Last: a point counts once its row is there.
  points_.write();
  hdf5_checked(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), file_.get(), "write the journal");
}

void JournalWriter::abandon() {
  characters_.dataset.abandon();
  for (Records& records : tables_) records.dataset.abandon();
  points_.dataset.abandon();
  file_.abandon();
}

void JournalWriter::commit() {
  try {
    write_all();
  } catch (const InputError& error) {
    abandon();
    throw named_error(path_, error);
  }
  last_commit_ = Clock::now();
  synchronise_if_due();
}

bool JournalWriter::commit_if_due() {
  std::uint64_t rows = points_.num_pending();
  for (const Records& records : tables_) rows = std::max(rows, records.num_pending());
  if (rows == 0) return true;
  if (rows < rows_of_commit && Clock::now() - last_commit_ < longest_wait) return false;
  commit();
  return true;
}

void JournalWriter::synchronise_if_due() {
  if (Clock::now() - last_synchronised_ < longest_off_disk) return;
  KVARIUM_VALIDATE(descriptor_ < 0 || fdatasync(descriptor_) == 0, path_.string(),
                   ": cannot be brought to the disk; check the space on it");
  last_synchronised_ = Clock::now();
}

}  // namespace kvarium
