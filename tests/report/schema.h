// Validates a rendered document against one of the published JSON Schemas.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace valijson {
class Schema;
}

namespace wheelcheck::test {

// A schema, parsed once. `definition` is a name below "definitions", or empty for the whole schema.
class SchemaCheck {
 public:
  explicit SchemaCheck(std::string_view text, const std::string& definition = "");
  // Empty if the document is valid.
  std::string errors(const nlohmann::json& document) const;

 private:
  std::shared_ptr<const valijson::Schema> schema_;
};

}  // namespace wheelcheck::test
