#pragma once

#include <string>
#include <vector>

namespace kvarium {

/// Rows of texts under headings, printed with aligned columns.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : rows_{std::move(headings)} {}

  /// Precondition: as many cells as headings.
  void add(std::vector<std::string> cells);

  /// Lines with a line end each: headings, a rule, rows. Columns are as wide as their widest cell (in characters).
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace kvarium
