#include "cli/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace wheelcheck::cli {

Result<Pattern> Pattern::parse(const std::string& text) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_never_capture(true);
  auto pattern = std::make_shared<const re2::RE2>(text, options);
  if (pattern->ok()) return Pattern(std::move(pattern));
  // RE2 hands back the part that it could not read; where that is the whole pattern, it starts at character 1.
  const std::string& part = pattern->error_arg();
  const std::size_t at = text.find(part);
  return std::unexpected(Error{ErrorCode::Usage, fmt::format("--match {}: {}, at character {}", escape(text),
                                                             escape(pattern->error()), at == text.npos ? 1 : at + 1)});
}

bool Pattern::found_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *pattern_);
}

}  // namespace wheelcheck::cli
