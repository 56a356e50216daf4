// Validates a rendered document against one of the published JSON Schemas.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace wheelcheck::test {

// A schema, read once. `definition` is a name below "definitions", or empty for the whole schema.
class SchemaCheck {
 public:
  explicit SchemaCheck(std::string_view text, const std::string& definition = "") {
    nlohmann::json schema = nlohmann::json::parse(text);
    if (!definition.empty()) schema = {{"$ref", "#/definitions/" + definition}, {"definitions", schema["definitions"]}};
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), schema_);
  }
  // Empty if the document is valid.
  std::string errors(const nlohmann::json& document) const {
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), &results)) return "";
    std::string out;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      for (const std::string& part : error.context) out += part;
      out += ": " + error.description + "\n";
    }
    return out.empty() ? "invalid" : out;
  }

 private:
  valijson::Schema schema_;
};

}  // namespace wheelcheck::test
