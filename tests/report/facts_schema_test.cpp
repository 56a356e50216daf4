// docs/report.schema.json: the definitions of facts are those of their descriptions (facts/json_form.h), in both
// directions. WHEELCHECK_UPDATE=1 writes them. A key that the report computes itself (derived()) is described in the
// schema by hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "facts/describe_wheel.h"

namespace wheelcheck::test::facts_schema_test {
namespace {

using Json = nlohmann::ordered_json;

class SchemaForm {
 public:
  static constexpr bool writes = true, in_reports = true;

  // Adds the definition of the struct, and of what it contains; returns its name.
  template <class T>
  static std::string define(Json& definitions, const T& value) {
    using facts::describe;
    SchemaForm form(definitions);
    describe(form, value);
    Json required = Json::array();
    for (const auto& [key, schema] : form.properties_.items()) required.push_back(key);
    definitions[form.name_] = {{"description", form.text_},
                               {"type", "object"},
                               {"properties", std::move(form.properties_)},
                               {"required", std::move(required)},
                               {"additionalProperties", false}};
    return form.name_;
  }

  void about(std::string_view name, std::string_view text) { name_ = name, text_ = text; }
  void derived(std::string_view key) { properties_[std::string(key)] = nullptr; }
  template <class T>
  void operator()(std::string_view, const T&) const {}
  template <class T>
  void operator()(std::string_view key, const T& value, std::string_view meaning) {
    add(key, schema_of(value), meaning);
  }
  template <class T>
  void unless(std::string_view, const T&, std::type_identity_t<T>) const {}
  template <class T>
  void unless(std::string_view key, const T& value, std::type_identity_t<T>, std::string_view meaning) {
    add(key, schema_of(value), meaning);
  }
  template <class Enum, std::size_t n>
  void word(std::string_view, Enum, const EnumTable<Enum, n>&) const {}
  template <class Enum, std::size_t n>
  void word(std::string_view key, Enum, const EnumTable<Enum, n>& words, std::string_view meaning) {
    add(key, words_of(words), meaning);
  }
  template <class Enum, std::size_t n>
  void word_unless(std::string_view, Enum, const EnumTable<Enum, n>&, Enum) const {}
  template <std::size_t n>
  void bits(std::string_view key, std::uint32_t, const facts::BitWords<n>& words, std::string_view meaning) {
    add(key, {{"type", "array"}, {"items", words_of(words)}}, meaning);
  }
  template <class T>
  void first(std::string_view key, std::string_view more_key, const std::vector<T>& list, std::string_view meaning) {
    add(key, schema_of(list), meaning);
    add(more_key, schema_of(list.size()), "entries left out of the list before");
  }
  template <class T>
  void inlined(std::string_view, const T& value) {
    using facts::describe;
    describe(*this, value);
  }

 private:
  explicit SchemaForm(Json& definitions) : definitions_(definitions) {}

  void add(std::string_view key, Json schema, std::string_view meaning) {
    if (!meaning.empty()) schema["description"] = meaning;
    properties_[std::string(key)] = std::move(schema);
  }
  template <class Words>
  static Json words_of(const Words& words) {
    Json list = Json::array();
    for (const auto& [value, word] : words) list.push_back(word);
    return {{"enum", std::move(list)}};
  }
  template <class T>
  Json schema_of(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_integral_v<T>) {
      return {{"type", "integer"}, {"minimum", 0}};
    } else if constexpr (std::is_convertible_v<const T&, std::string_view> || std::is_same_v<T, PlatformTag>) {
      return {{"type", "string"}};
    } else if constexpr (requires { value.has_value(); }) {
      const Json one = schema_of(typename T::value_type{});
      if (one.contains("type")) return {{"type", {one["type"], "null"}}};
      return {{"oneOf", {{{"type", "null"}}, one}}};
    } else if constexpr (requires { value.begin(); }) {
      return {{"type", "array"}, {"items", schema_of(typename T::value_type{})}};
    } else {
      return {{"$ref", "#/definitions/" + define(definitions_, value)}};
    }
  }

  Json& definitions_;
  Json properties_ = Json::object();
  std::string name_, text_;
};

// On one line if it fits, as the schemas in docs/ are written.
void write(const Json& value, std::size_t indent, std::string& out) {
  const auto flat = [](const auto& self, const Json& one) -> std::string {
    if (!one.is_structured()) return one.dump();
    std::string text;
    for (const auto& [key, item] : one.items())
      text += (text.empty() ? "" : ", ") + (one.is_object() ? Json(key).dump() + ": " : "") + self(self, item);
    return one.is_object() ? "{" + text + "}" : "[" + text + "]";
  };
  constexpr std::size_t width = 120;
  const std::string line = flat(flat, value);
  const std::size_t column = out.size() - (out.rfind('\n') + 1);
  if (!value.is_structured() || value.empty() || column + line.size() < width) {
    out += line;
    return;
  }
  out += value.is_object() ? '{' : '[';
  const char* before = "\n";
  for (const auto& [key, item] : value.items()) {
    out += before + std::string(indent + 2, ' ') + (value.is_object() ? Json(key).dump() + ": " : "");
    write(item, indent + 2, out);
    before = ",\n";
  }
  out += '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

TEST(FactsSchema, IsThatOfTheDescriptions) {
  const std::string path = WHEELCHECK_SOURCE_DIR "/docs/report.schema.json";
  std::ifstream in(path);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  Json schema = Json::parse(text);
  Json described = Json::object();
  SchemaForm::define(described, ElfMember{});
  SchemaForm::define(described, ExtensionModule{});
  SchemaForm::define(described, PythonFile{});
  SchemaForm::define(described, WheelName{});
  SchemaForm::define(described, WheelFile{});
  SchemaForm::define(described, Metadata{});
  SchemaForm::define(described, WheelFlaw{});
  const bool update = std::getenv("WHEELCHECK_UPDATE") != nullptr;
  for (auto& [name, definition] : described.items()) {
    Json& written = schema["definitions"][name];
    for (auto& [key, property] : definition["properties"].items()) {
      if (!property.is_null()) continue;
      ASSERT_TRUE(written.is_object() && written["properties"].contains(key))
          << path << ": write the schema of " << name << '.' << key << ", which the report computes";
      property = written["properties"][key];
    }
    if (!update) {
      EXPECT_EQ(written.dump(), definition.dump()) << "WHEELCHECK_UPDATE=1 writes the definition of " << name;
    }
    written = definition;
  }
  if (!update) return;
  std::string out;
  write(schema, 0, out);
  std::ofstream(path) << out << '\n';
}

}  // namespace
}  // namespace wheelcheck::test::facts_schema_test
