#include "experiments/journal/journal_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "experiments/archive/config_groups.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_probe.hpp"
#include "experiments/journal/journal_file.hpp"
#include "experiments/journal/journal_schema.hpp"

namespace kvarium {

namespace {

/// Records read at once; a read that fails is tried again by chunks.
constexpr hsize_t records_at_once = 64 * journal_chunk_rows;

std::string major_of(std::string_view version) { return std::string(version.substr(0, version.find('.'))); }

void check_version(hid_t file, const std::filesystem::path& path) {
  const std::optional<std::string> version = read_text_attribute(file, "journal_version");
  KVARIUM_VALIDATE(version.has_value(), path.string(),
                   ": an HDF5 file but no kvarium journal (no attribute 'journal_version'); name a journal");
  KVARIUM_VALIDATE(major_of(*version) == major_of(journal_schema_version), path.string(),
                   ": journal of schema version ", *version, ", and this program reads ",
                   major_of(journal_schema_version), ".x; use the kvarium version that wrote it");
}

/// Reads the records of one dataset; what the file does not hold becomes zeros, which no CRC fits.
class RecordReader {
 public:
  RecordReader(hid_t file, const std::string& path, const Hdf5Handle& type)
      : dataset_(
            hdf5_checked(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, file, "open dataset '" + path + "'")),
        type_(type.get()),
        record_bytes_(H5Tget_size(type.get())) {
    const Hdf5Handle stored(H5Dget_type(dataset_.get()), H5Tclose);
    KVARIUM_VALIDATE(H5Tequal(stored.get(), type_) > 0, hdf5_file_name(file), ": '", path,
                     "' has other columns than this version writes; use the kvarium version that wrote it");
  }

  std::vector<char> read() {
    const hsize_t size = checked_size();
    std::vector<char> bytes(size * record_bytes_);
    for (hsize_t begin = 0; begin < size; begin += records_at_once) {
      const hsize_t end = std::min(size, begin + records_at_once);
      if (!read_range(begin, end, bytes)) read_by_chunks(begin, end, bytes);
    }
    return bytes;
  }

 private:
  /// A damaged extent must not become an allocation: records are not compressed.
  hsize_t checked_size() const {
    const Hdf5Handle space(H5Dget_space(dataset_.get()), H5Sclose);
    const Hdf5Handle file(H5Iget_file_id(dataset_.get()), H5Fclose);
    hsize_t file_bytes = 0;
    H5Fget_filesize(file.get(), &file_bytes);
    const hssize_t size = H5Sget_simple_extent_npoints(space.get());
    const bool is_possible = size >= 0 && H5Sget_simple_extent_ndims(space.get()) == 1 &&
                             static_cast<hsize_t>(size) <= file_bytes / record_bytes_ + journal_chunk_rows;
    return is_possible ? static_cast<hsize_t>(size) : 0;
  }

  bool read_range(hsize_t begin, hsize_t end, std::vector<char>& bytes) {
    const hsize_t count = end - begin;
    const Hdf5Handle file_space(H5Dget_space(dataset_.get()), H5Sclose);
    H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
    const Hdf5Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    return H5Dread(dataset_.get(), type_, memory_space.get(), file_space.get(), H5P_DEFAULT,
                   bytes.data() + begin * record_bytes_) >= 0;
  }

  void read_by_chunks(hsize_t begin, hsize_t end, std::vector<char>& bytes) {
    for (hsize_t first = begin; first < end; first += journal_chunk_rows) {
      const hsize_t last = std::min(end, first + journal_chunk_rows);
      if (read_range(first, last, bytes)) continue;
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(first * record_bytes_),
                bytes.begin() + static_cast<std::ptrdiff_t>(last * record_bytes_), '\0');
    }
  }

  Hdf5Handle dataset_;
  hid_t type_;
  std::size_t record_bytes_;
};

/// Rows of one table and which of them are whole.
struct CheckedRows {
  Table rows;
  std::vector<bool> is_whole;
};

CheckedRows read_rows(hid_t file, const std::string& path, const RowLayout& layout, std::string_view characters) {
  const Hdf5Handle type = layout.hdf5_type();
  const std::vector<char> bytes = RecordReader(file, path, type).read();
  std::vector<bool> is_whole = layout.whole_rows(bytes, characters.size());
  Table rows = layout.decode(bytes, characters, is_whole);
  return {std::move(rows), std::move(is_whole)};
}

/// Whether rows [first, first + count) are there and whole.
bool are_whole(const std::vector<bool>& is_whole, std::int64_t first, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(is_whole.size());
  if (first < 0 || count < 0 || first > size || count > size - first) return false;
  const auto begin = is_whole.begin() + first;
  return std::all_of(begin, begin + count, [](bool whole) { return whole; });
}

/// Marks points of which some row is lost.
void drop_broken(JournalRows& journal, const std::vector<std::vector<bool>>& whole_rows) {
  for (std::size_t table = 0; table < whole_rows.size(); ++table) {
    const auto first = journal.points.column(first_row_column(table)).values<std::int64_t>();
    const auto count = journal.points.column(num_rows_column(table)).values<std::int64_t>();
    for (std::size_t row = 0; row < journal.is_whole.size(); ++row) {
      if (!are_whole(whole_rows[table], first[row], count[row])) journal.is_whole[row] = false;
    }
  }
}

/// Bytes that the file's own bookkeeping speaks of and that are not there.
hsize_t missing_bytes(hid_t file, const std::filesystem::path& path) {
  hsize_t expected = 0;
  H5Fget_filesize(file, &expected);
  const hsize_t size = std::filesystem::file_size(path);
  return expected > size ? expected - size : 0;
}

/// Points behind the last whole one were on their way to the file when its writer was killed; the others are damaged.
void note_cuts(const std::filesystem::path& path, JournalRows& journal) {
  const auto last = std::find(journal.is_whole.rbegin(), journal.is_whole.rend(), true);
  const auto unwritten = last - journal.is_whole.rbegin();
  const auto damaged = std::count(last, journal.is_whole.rend(), false);
  if (unwritten > 0) {
    journal.cuts.push_back(
        fmt::format("{}: the last {} points are not whole in it; they run again", path.string(), unwritten));
  }
  if (damaged > 0) {
    journal.is_damaged = true;
    journal.cuts.push_back(fmt::format("{}: {} of {} points are damaged and were cut; they run again", path.string(),
                                       damaged, journal.is_whole.size()));
  }
}

JournalHeader read_header(const std::filesystem::path& path) {
  const Hdf5Handle file = open_journal_file(path);
  check_version(file.get(), path);
  const auto text = [&](const char* name) { return read_text_attribute(file.get(), name).value_or(""); };
  JournalHeader header{text("title"), text("created"), text("history"), read_config_group(file.get()), {}};
  const std::vector<RunProvenance> runs = read_provenance_groups(file.get());
  if (!runs.empty()) header.run = runs.front();
  return header;
}

/// Reads the kind's tables into `rows`; which of each table's rows are whole.
std::vector<std::vector<bool>> read_tables(hid_t file, const JournalSchema& schema, std::string_view characters,
                                           PointTables& rows) {
  std::vector<std::vector<bool>> whole_rows;
  for (std::size_t i = 0; i < num_kind_tables; ++i) {
    const RowLayout& layout = schema.tables[i];
    CheckedRows checked = read_rows(file, journal_table_path(layout.schema().path), layout, characters);
    *rows.all()[i] = std::move(checked.rows);
    whole_rows.push_back(std::move(checked.is_whole));
  }
  return whole_rows;
}

JournalRows read_all(const std::filesystem::path& path, const KindSchema& kind) {
  const Hdf5Handle file = open_journal_file(path);
  check_version(file.get(), path);
  const JournalSchema schema(kind);
  // Points first: while the journal grows, what they name is there by then.
  const RowLayout& layout = schema.points;
  const std::vector<char> bytes = RecordReader(file.get(), layout.schema().path, layout.hdf5_type()).read();
  const Hdf5Handle character(H5Tcopy(H5T_NATIVE_UINT8), H5Tclose);
  const std::vector<char> characters = RecordReader(file.get(), journal_characters, character).read();
  const std::string_view text(characters.data(), characters.size());
  PointTables rows(kind);
  const std::vector<std::vector<bool>> whole_rows = read_tables(file.get(), schema, text, rows);
  std::vector<bool> is_whole = layout.whole_rows(bytes, text.size());
  Table points = layout.decode(bytes, text, is_whole);
  JournalRows journal{std::move(points), std::move(rows), std::move(is_whole), {}};
  drop_broken(journal, whole_rows);
  if (const hsize_t missing = missing_bytes(file.get(), path); missing > 0) {
    journal.is_damaged = true;
    journal.cuts.push_back(fmt::format("{}: truncated, {} bytes are missing", path.string(), missing));
  }
  note_cuts(path, journal);
  return journal;
}

}  // namespace

JournalHeader read_journal_header(const std::filesystem::path& path) {
  probe_hdf5(path, [&] { read_header(path); });
  return read_header(path);
}

JournalRows read_journal_rows(const std::filesystem::path& path, const KindSchema& kind) {
  probe_hdf5(path, [&] { read_all(path, kind); });
  return read_all(path, kind);
}

}  // namespace kvarium
