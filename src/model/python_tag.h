// The tags of Python versions in file names (PEP 425), and which interpreters install a wheel. The answers are those of
// packaging.tags, which pip and uv follow; tests/base/python_tags.txt has a table of them.
//
//   cp311-cp311, cp311-none   CPython 3.11 alone. cp311-none is no tag for 3.12: only py3xx and abi3 count upwards.
//   cp38-abi3                 CPython 3.8 and newer, with the GIL (PEP 384)
//   cp315-abi3t               the same, without the GIL (PEP 803)
//   py38-none                 every interpreter of Python 3.8 and newer
//   pp310-pypy310_pp73        PyPy of Python 3.10
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Searches over all minor versions of Python end here. No version reaches it.
inline constexpr unsigned max_python_minor = 60;

// "311", "313t", "27mu", "3", without a dot as in tags and in names of extension modules (PEP 3149): the first digit is
// the major version.
struct PythonVersion {
  unsigned major = 0;
  std::optional<unsigned> minor;
  std::string_view flags;  // of an ABI: "t" free-threaded, "d" debug, "m" and "u" of builds before 3.8 and 3.3
  bool is_free_threaded() const { return flags.find('t') != flags.npos; }
};
std::optional<PythonVersion> parse_short_version(std::string_view text);

enum class Implementation : std::uint8_t { CPython, PyPy, Any };  // cp, pp, py

// A Python tag, or an ABI tag of one CPython: cp311, py3, pp310, cp313t.
struct PythonTag {
  Implementation implementation = Implementation::Any;
  PythonVersion version;

  // Whether the tag is for that version alone, and without flags: cp311. `py311` is not.
  bool is_cpython(unsigned major) const {
    return implementation == Implementation::CPython && version.major == major && version.minor;
  }
};
// nullopt for other interpreters (graalpy), "abi3" and "none".
std::optional<PythonTag> parse_python_tag(std::string_view text);
// The 11 of cp311; nullopt for cp3, py311, cp27 and cp313t.
std::optional<unsigned> cpython3_tag(std::string_view text);

bool has_abi(const WheelName& name, std::string_view abi);  // for example "abi3"
bool is_free_threaded(std::string_view abi);                // cp313t, abi3t
bool is_for_python2_alone(const WheelName& name);           // every tag is cp2x or py2x

// A release of an interpreter; any of its builds.
struct Interpreter {
  Implementation implementation = Implementation::CPython;
  unsigned major = 3, minor = 0;
  bool free_threaded = false;
};

// The Python and ABI tags of a wheel, parsed.
class InterpreterTags {
 public:
  explicit InterpreterTags(const WheelName& name);

  // Whether an installer takes the wheel for that interpreter. Requires-Python and the platform are not looked at.
  bool install_on(const Interpreter& interpreter) const;
  // Some tags are for interpreters other than CPython and PyPy.
  bool has_other() const { return has_other_; }

 private:
  bool has_abi_of(const Interpreter& interpreter) const;

  std::vector<PythonTag> python_, abi_;
  bool none_ = false, abi3_ = false, abi3t_ = false, has_other_ = false;
};

}  // namespace wheelcheck
