// A process that is played twice: by the ld.so of this machine, with LD_DEBUG, and by `predict` from the facts of the
// same files. The files are compiled from C in a temporary directory.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/loader_oracle/shell.h"
#include "wheelcheck/process.h"

namespace wheelcheck::oracle {

// A file to compile and link. Without a C library, unless `options` name one.
struct Made {
  std::string path;    // below the top
  std::string source;  // C
  // Each is the path of a file that was made before, or a name that goes into the file as it stands.
  std::vector<std::string> needed = {};
  std::string soname = {}, rpath = {}, runpath = {};
  std::string script = {};                // a version script
  std::vector<std::string> options = {};  // more words for the compiler
  std::string language = "c";             // of the source, as the compiler's -x has it
};

// {from, symbol, version} to where; a name that is asked for in two ways may have two answers.
using Bindings = std::map<std::tuple<std::string, std::string, std::string>, std::set<std::string>>;

struct Played {
  Bindings bindings;                // of all files but the vDSO; paths below the top, "main", or absolute
  std::vector<std::string> opened;  // of each open: "ok", or the error
  std::vector<std::string> global, published, loaded;
  std::string refused;  // the program did not start
};

class ProcessWorld {
 public:
  ProcessWorld();

  ProcessWorld& make(const Made& made);
  // The driver, with more C in it and other link options: position-independent unless they say otherwise.
  ProcessWorld& program(const Made& made);
  ProcessWorld& link(const std::string& path, const std::string& target);  // a symbolic link
  ProcessWorld& copy(const std::string& path, const std::string& from);
  // FLAGS:NAME as tests/loader_oracle/driver.c reads them; a NAME with a slash is below the top, unless it begins with
  // ".".
  ProcessWorld& open(const std::string& word);
  // Calls a function of what was opened last, at the end: lazy references that it goes through are looked up then. Its
  // name begins with "run".
  ProcessWorld& call(const std::string& function);
  // Tells the model what a constructor of the file that was opened last opens.
  ProcessWorld& constructor(const std::string& word);
  ProcessWorld& environment(const std::string& name, const std::string& value);

  std::filesystem::path at(const std::string& path) const;
  bool is_lazy() const { return !environment_.contains("LD_BIND_NOW"); }
  Played real() const;
  Played predicted() const;

 private:
  std::string stub(const std::string& soname);
  void compile(const Made& made, std::vector<std::string> words);
  std::string shown(const std::string& path) const;
  process::Open open_of(const std::string& word, const process::World& world) const;
  process::World files(std::vector<std::unique_ptr<ElfFacts>>& facts) const;
  process::Plan plan(const process::World& world) const;

  Scratch scratch_;
  std::map<std::string, std::string> built_;  // DT_SONAME or base name, by path
  std::map<std::string, std::string> environment_;
  std::vector<std::string> words_, calls_;
  std::vector<std::vector<std::string>> constructors_;  // by open
};

// Nothing is left to first calls.
struct Now : ProcessWorld {
  Now() { environment("LD_BIND_NOW", "1"); }
};

// Both play it alike: every binding, every error, the global scope in order, what is loaded in order.
void expect_alike(const ProcessWorld& world);

}  // namespace wheelcheck::oracle
