#include "experiments/run/archive_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "experiments/commands/text_table.hpp"
#include "experiments/results/point_status.hpp"
#include "experiments/run/archived_config.hpp"

namespace kvarium {

namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  template <class Held>
  Json operator()(const Held& held) const {
    return held;
  }
};

Json status_counts_of(const ArchiveContent& content) {
  Json counts = Json::object();
  const Table* points = content.find_table("/plan/points");
  if (points == nullptr || points->schema().find("status") < 0) return counts;
  const Column& status = points->column("status");
  for (const std::string& name : point_status_names()) counts[name] = 0;
  for (std::size_t row = 0; row < status.size(); ++row) {
    const std::string name = status.text(row);
    counts[name] = counts.value(name, 0) + 1;
  }
  return counts;
}

Json column_json(const ColumnSchema& column) {
  Json json{{"name", column.name},
            {"type", to_string(column.type)},
            {"unit", column.unit},
            {"deterministic", column.deterministic},
            {"description", column.description}};
  if (!column.flag_meanings.empty()) json["flag_meanings"] = column.flag_meanings;
  return json;
}

Json table_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns()) columns.push_back(column_json(column.schema()));
  return {{"path", table.schema().path},
          {"rows", table.num_rows()},
          {"description", table.schema().description},
          {"columns", std::move(columns)}};
}

Json run_json(const RunProvenance& run) {
  Json json = Json::object();
  for (const auto& [name, value] : run) json[name] = std::visit(ToJson{}, value.storage());
  return json;
}

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string counts_text(const Json& counts) {
  std::vector<std::string> texts;
  for (const auto& [name, count] : counts.items()) {
    if (count != 0) texts.push_back(fmt::format("{} {}", count.get<std::int64_t>(), name));
  }
  return join(texts);
}

std::string table_text(const Json& table) {
  TextTable columns({"column", "type", "unit", "deterministic", "description"});
  for (const Json& column : table.at("columns")) {
    std::string description = plain(column.at("description"));
    if (column.contains("flag_meanings")) {
      description += " (" + join(column.at("flag_meanings").get<std::vector<std::string>>()) + ")";
    }
    columns.add({plain(column.at("name")), plain(column.at("type")), plain(column.at("unit")),
                 column.at("deterministic").get<bool>() ? "yes" : "no", description});
  }
  return fmt::format("\n{}: {} rows; {}\n{}", plain(table.at("path")), table.at("rows").get<std::int64_t>(),
                     plain(table.at("description")), columns.text());
}

std::string run_text(std::size_t number, const Json& run) {
  std::string text = fmt::format("\nrun {}\n", number);
  for (const auto& [name, value] : run.items()) text += fmt::format("  {}: {}\n", name, plain(value));
  return text;
}

}  // namespace

Json archive_summary(const std::filesystem::path& path, const ArchiveContent& content) {
  Json summary{{"path", path.string()},
               {"title", content.title},
               {"schema_version", archive_schema_version},
               {"created", content.created},
               {"complete", content.complete},
               {"history", content.history},
               {"status", status_counts_of(content)},
               {"plan", archived_json(content.config.plan_json)},
               {"config", archived_json(content.config.resolved_json)},
               {"overrides", content.config.overrides},
               {"tables", Json::array()},
               {"runs", Json::array()}};
  for (const Table& table : content.tables) summary["tables"].push_back(table_json(table));
  for (const RunProvenance& run : content.runs) summary["runs"].push_back(run_json(run));
  return summary;
}

std::string archive_summary_text(const Json& summary) {
  std::string text =
      fmt::format("{}: kvarium archive '{}', {}\n", plain(summary.at("path")), plain(summary.at("title")),
                  summary.at("complete").get<bool>() ? "complete" : "incomplete");
  text += fmt::format("created: {}\n", plain(summary.at("created")));
  for (const Json& line : summary.at("history")) text += fmt::format("history: {}\n", plain(line));
  text += fmt::format("points: {}\n", counts_text(summary.at("status")));
  if (summary.at("plan").is_object()) {
    for (const auto& [key, value] : summary.at("plan").items()) text += fmt::format("{}: {}\n", key, plain(value));
  }
  for (const Json& table : summary.at("tables")) text += table_text(table);
  std::size_t number = 0;
  for (const Json& run : summary.at("runs")) text += run_text(number++, run);
  return text;
}

}  // namespace kvarium
