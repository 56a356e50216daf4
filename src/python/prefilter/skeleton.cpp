#include "python/prefilter/skeleton.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "python/prefilter/lines.h"

namespace wheelcheck::python {
namespace {

class Cutter {
 public:
  explicit Cutter(Lines code) : code_(std::move(code)) {}

  std::string cut() {
    const std::vector<Function>& functions = code_.functions;
    for (std::uint32_t i = 0; i < functions.size(); ++i) by_name_[functions[i].name].push_back(i);
    kept_.assign(functions.size(), false);
    std::size_t from = 0;
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
      mention(from, functions[i].first);
      from = functions[i].last;
      if (matters(body(functions[i]))) keep(i);
    }
    mention(from, code_.lines.size());
    while (!open_.empty()) {
      const Function& function = functions[open_.back()];
      open_.pop_back();
      mention(function.first, function.last);
    }
    return code_.with(kept_);
  }

 private:
  std::string_view body(const Function& function) const {
    const std::size_t begin = code_.lines[function.first].begin;
    return code_.text.substr(begin, code_.lines[function.last - 1].end - begin);
  }
  static bool matters(std::string_view text) {
    return text.find("import") != text.npos || text.find("global") != text.npos;
  }

  void keep(std::uint32_t function) {
    if (kept_[function]) return;
    kept_[function] = true;
    open_.push_back(function);
  }

  // Nobody follows functions into the calls that they are handed to: `register(name)`.
  bool is_handed_over(std::size_t at) const {
    while (at < code_.text.size() && code_.text[at] == ' ') ++at;
    return at < code_.text.size() && (code_.text[at] == ',' || code_.text[at] == ')');
  }

  // Keeps the functions that are named in these lines, but for the name that a definition gives.
  void mention(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      bool defines = false;
      for (std::size_t at = code_.lines[i].begin; at < code_.lines[i].end;) {
        const std::size_t begin = at;
        if (next_token(code_.text, at) != Token::Name) continue;
        const std::string_view name = code_.text.substr(begin, at - begin);
        const auto found = defines ? by_name_.end() : by_name_.find(name);
        defines = name == "def" || name == "class";
        if (found == by_name_.end() || is_handed_over(at)) continue;
        for (const std::uint32_t function : found->second) keep(function);
        found->second.clear();
      }
    }
  }

  Lines code_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;
  std::vector<bool> kept_;
  std::vector<std::uint32_t> open_;  // kept, and still to be read for names
};

}  // namespace

std::string skeleton(std::string_view source) {
  auto code = lines_of(source);
  return code ? Cutter(std::move(*code)).cut() : std::string(source);
}

}  // namespace wheelcheck::python
