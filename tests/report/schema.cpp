#include "tests/report/schema.h"

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

SchemaCheck::SchemaCheck(std::string_view text, const std::string& definition) {
  nlohmann::json schema = nlohmann::json::parse(text);
  if (!definition.empty()) schema = {{"$ref", "#/definitions/" + definition}, {"definitions", schema["definitions"]}};
  auto made = std::make_shared<valijson::Schema>();
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), *made);
  schema_ = std::move(made);
}

std::string SchemaCheck::errors(const nlohmann::json& document) const {
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(*schema_, valijson::adapters::NlohmannJsonAdapter(document), &results)) return "";
  std::string out;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& part : error.context) out += part;
    out += ": " + error.description + "\n";
  }
  return out.empty() ? "invalid" : out;
}

}  // namespace wheelcheck::test
