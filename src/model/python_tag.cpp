#include "model/python_tag.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck {

std::optional<PythonVersion> parse_short_version(std::string_view text) {
  constexpr std::uint64_t max_minor = 999;
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  PythonVersion version{.major = 0, .minor = {}, .flags = text.substr(digits.size())};
  if (digits.empty() || !std::ranges::all_of(version.flags, is_lower)) return std::nullopt;
  version.major = static_cast<unsigned>(digits.front() - '0');
  if (digits.size() == 1) return version;
  std::uint64_t minor = 0;
  if (!parse_number(digits.substr(1), minor) || minor > max_minor) return std::nullopt;
  version.minor = static_cast<unsigned>(minor);
  return version;
}

std::optional<PythonTag> parse_python_tag(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  const std::string_view letters = text.substr(0, 2);
  const auto version = parse_short_version(text.substr(2));
  if (!version || (letters != "cp" && letters != "pp" && letters != "py")) return std::nullopt;
  return PythonTag{letters == "cp"   ? Implementation::CPython
                   : letters == "pp" ? Implementation::PyPy
                                     : Implementation::Any,
                   *version};
}

std::optional<unsigned> cpython3_tag(std::string_view text) {
  const auto tag = parse_python_tag(text);
  return tag && tag->is_cpython(3) && tag->version.flags.empty() ? tag->version.minor : std::nullopt;
}

bool has_abi(const WheelName& name, std::string_view abi) { return std::ranges::find(name.abi, abi) != name.abi.end(); }

bool is_free_threaded(std::string_view abi) {
  const auto tag = parse_python_tag(abi);
  return abi == "abi3t" || (tag && tag->is_cpython(3) && tag->version.is_free_threaded());
}

bool is_for_python2_alone(const WheelName& name) {
  return !name.python.empty() && std::ranges::all_of(name.python, [](const std::string& text) {
    const auto tag = parse_python_tag(text);
    return tag && tag->implementation != Implementation::PyPy && tag->version.major == 2;
  });
}

InterpreterTags::InterpreterTags(const WheelName& name) {
  for (const std::string& text : name.python) {
    const auto tag = parse_python_tag(text);
    if (!tag || !tag->version.flags.empty()) {
      has_other_ = true;
    } else {
      python_.push_back(*tag);
    }
  }
  for (const std::string& text : name.abi) {
    none_ = none_ || text == "none";
    abi3_ = abi3_ || text == "abi3";
    abi3t_ = abi3t_ || text == "abi3t";
    constexpr std::string_view pypy = "pypy";  // pypy310_pp73
    if (!text.starts_with(pypy)) {
      if (const auto tag = parse_python_tag(text)) abi_.push_back(*tag);
    } else if (const auto version =
                   parse_short_version(split(std::string_view(text).substr(pypy.size()), '_').front())) {
      abi_.push_back({Implementation::PyPy, *version});
    }
  }
}

// The ABI of one release: cp37m and cp27mu are of builds of it.
bool InterpreterTags::has_abi_of(const Interpreter& interpreter) const {
  return std::ranges::any_of(abi_, [&](const PythonTag& abi) {
    return abi.implementation == interpreter.implementation && abi.version.major == interpreter.major &&
           abi.version.minor == interpreter.minor && abi.version.is_free_threaded() == interpreter.free_threaded;
  });
}

// As packaging.tags: cpython_tags, generic_tags and compatible_tags.
bool InterpreterTags::install_on(const Interpreter& interpreter) const {
  constexpr unsigned first_stable = 2;
  const bool is_cpython = interpreter.implementation == Implementation::CPython;
  const bool stable = is_cpython && interpreter.major == 3 && interpreter.minor >= first_stable &&
                      (interpreter.free_threaded ? abi3t_ : abi3_);
  const bool own = none_ || stable || has_abi_of(interpreter);
  return std::ranges::any_of(python_, [&](const PythonTag& tag) {
    if (tag.version.major != interpreter.major) return false;
    if (tag.implementation == Implementation::Any) return none_ && tag.version.minor.value_or(0) <= interpreter.minor;
    if (tag.implementation != interpreter.implementation) return false;
    if (!tag.version.minor) return none_ && !is_cpython;  // pp3-none, but no interpreter takes cp3-none
    if (*tag.version.minor == interpreter.minor) return own;
    return stable && *tag.version.minor >= first_stable && *tag.version.minor < interpreter.minor;
  });
}

}  // namespace wheelcheck
