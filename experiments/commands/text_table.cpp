#include "experiments/commands/text_table.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// Characters of UTF-8 text: its bytes without continuation bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char letter) { return (static_cast<unsigned char>(letter) & 0xc0U) != 0x80U; }));
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    text += cells[column] + std::string(widths[column] - width(cells[column]) + 2, ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  KVARIUM_EXPECT(cells.size() == rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], width(row[column]));
    }
  }
  std::vector<std::string> rule;
  for (const std::size_t column_width : widths) rule.emplace_back(column_width, '-');
  std::string text = line(rows_.front(), widths) + line(rule, widths);
  for (std::size_t row = 1; row < rows_.size(); ++row) text += line(rows_[row], widths);
  return text;
}

}  // namespace kvarium
