// One clear line for an input that cannot be read as a wheel.
#include "report/shared/unreadable.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

std::string unreadable_text(const Unreadable& unreadable) {
  const std::string& message = unreadable.error.message;
  if (message.find(base_name(unreadable.path)) != std::string::npos) return escape(message);
  return fmt::format("{}: {}", escape(unreadable.path), escape(message));
}

Error named(const std::string& path, Error error) {
  const ErrorCode code = error.code;
  return {code, unreadable_text({path, std::move(error)})};
}

std::string unreadable_message(const Unreadable& unreadable) {
  return escape(replaced(unreadable.error.message, unreadable.path, base_name(unreadable.path)));
}

std::string unreadable_sentence(const Unreadable& unreadable) {
  const std::string name = escape(base_name(unreadable.path)), message = unreadable_message(unreadable);
  return message.find(name) != std::string::npos ? message : fmt::format("{}: {}", name, message);
}

}  // namespace wheelcheck::report
