// Reads the JSON of a plan. Messages contain the place in the file.
#include "environment/plan.h"

#include <fmt/format.h>

#include <optional>

#include "base/fail.h"
#include "base/text.h"
#include "json/json.h"

namespace wheelcheck::environment {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Result<WrittenPlan> plan(const Json& json) {
    WrittenPlan out;
    if (!json.is_object() || !json.contains("steps") || !json["steps"].is_array()) wrong("steps", "is not a list");
    if (!problem_ && json.contains("main")) out.main = text(json["main"], "main");
    if (out.main == "default") out.main.clear();
    if (!problem_ && json.contains("glibc")) out.glibc = glibc(text(json["glibc"], "glibc"));
    if (!problem_ && json.contains("env")) variables(json["env"], out);
    if (!problem_)
      for (std::size_t i = 0; i < json["steps"].size(); ++i)
        out.steps.push_back(step(json["steps"][i], fmt::format("steps[{}]", i)));
    if (problem_) return fail(ErrorCode::Usage, *problem_);
    return out;
  }

 private:
  void wrong(const std::string& place, std::string_view what) {
    if (!problem_) problem_ = fmt::format("plan {}: {} {}", escape(file_), place, what);
  }
  std::string text(const Json& json, const std::string& place) {
    if (json.is_string()) return json.get<std::string>();
    wrong(place, "is not a text");
    return {};
  }
  process::Glibc glibc(const std::string& written) {
    const auto parts = split(written, '.');
    std::uint64_t major = 0, minor = 0;
    if (parts.size() != 2 || !parse_number(parts[0], major) || !parse_number(parts[1], minor) || minor > 1000)
      wrong("glibc", "is not a version such as 2.36");
    return {static_cast<unsigned>(major), static_cast<unsigned>(minor)};
  }
  void variables(const Json& json, WrittenPlan& out) {
    if (!json.is_object()) return wrong("env", "is not an object");
    for (const auto& [name, value] : json.items()) out.variables[name] = text(value, "env." + name);
  }
  std::vector<WrittenOpen> step(const Json& json, const std::string& place) {
    if (!json.is_object() || !json.contains("opens"))
      return wrong(place, "has no list `opens`"), std::vector<WrittenOpen>{};
    return opens(json["opens"], place + ".opens");
  }
  std::vector<WrittenOpen> opens(const Json& json, const std::string& place) {
    std::vector<WrittenOpen> out;
    if (!json.is_array()) return wrong(place, "is not a list"), out;
    for (std::size_t i = 0; i < json.size() && !problem_; ++i)
      out.push_back(open(json[i], fmt::format("{}[{}]", place, i)));
    return out;
  }
  WrittenOpen open(const Json& json, const std::string& place) {
    WrittenOpen out;
    if (!json.is_object() || !json.contains("path")) return wrong(place, "has no path"), out;
    out.path = text(json["path"], place + ".path");
    if (json.contains("op")) {
      const std::string op = text(json["op"], place + ".op");
      out.by = op == "ctypes"   ? process::OpenBy::Ctypes
               : op == "dlopen" ? process::OpenBy::Dlopen
                                : process::OpenBy::Import;
      if (op != "ctypes" && op != "dlopen" && op != "import") wrong(place + ".op", "is none of import, dlopen, ctypes");
    }
    if (json.contains("flags")) out.flags = flags(json["flags"], place + ".flags");
    if (json.contains("caller")) out.caller = text(json["caller"], place + ".caller");
    if (json.contains("constructors")) out.constructors = opens(json["constructors"], place + ".constructors");
    return out;
  }
  process::OpenFlags flags(const Json& json, const std::string& place) {
    process::OpenFlags out;
    if (!json.is_array()) return wrong(place, "is not a list"), out;
    for (const Json& flag : json) {
      const std::string name = text(flag, place);
      if (name == "LAZY")
        out.lazy = true;
      else if (name == "GLOBAL")
        out.global = true;
      else if (name == "DEEPBIND")
        out.deepbind = true;
      else if (name == "NOLOAD")
        out.noload = true;
      else if (name == "NODELETE")
        out.nodelete = true;
      else if (name != "LOCAL" && name != "NOW")  // these are the default
        wrong(place, "contains a flag that is not one of NOW, LAZY, GLOBAL, LOCAL, DEEPBIND, NOLOAD, NODELETE");
    }
    return out;
  }

  const std::string& file_;
  std::optional<std::string> problem_;
};

}  // namespace

Result<WrittenPlan> parse_plan(std::string_view text, const std::string& file) {
  // Each level of nested constructors adds an array and an object; the list of a step is at depth 4.
  constexpr std::size_t max_nested_constructors = 100, max_depth = 4 + 2 * (max_nested_constructors + 1);
  const auto document = json::parse(text, max_depth);
  if (document) return Reader(file).plan(*document);
  return fail(ErrorCode::Usage, "plan {}: {}", escape(file), document.error().front());
}

}  // namespace wheelcheck::environment
