// A process that is run twice: by the ld.so of this machine, with LD_DEBUG, and by `predict` from the facts of the same
// files. The files are compiled from C in a temporary directory.
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
  std::string path;    // relative to the top directory
  std::string source;  // C
  // Each is the path of a file that was made before, or a name that is used as it is.
  std::vector<std::string> needed = {};
  std::string soname = {}, rpath = {}, runpath = {};
  std::string script = {};                // a version script
  std::vector<std::string> options = {};  // more arguments of the compiler
  std::string language = "c";             // language of the source, as in the compiler's option -x
};

// {from, symbol, version} to files. A name that is looked up in two ways may have two results.
using Bindings = std::map<std::tuple<std::string, std::string, std::string>, std::set<std::string>>;

struct Played {
  Bindings bindings;                // of all files except the vDSO; paths relative to the top, "main", or absolute
  std::vector<std::string> opened;  // of each open: "ok", or the error
  std::vector<std::string> global, published, loaded;
  std::string refused;  // error if the program does not start
};

class ProcessWorld {
 public:
  ProcessWorld();

  ProcessWorld& make(const Made& made);
  // Changes the driver program: more C code and other link options. It is position-independent unless they say
  // otherwise.
  ProcessWorld& program(const Made& made);
  ProcessWorld& link(const std::string& path, const std::string& target);  // a symbolic link
  ProcessWorld& copy(const std::string& path, const std::string& from);
  // FLAGS:NAME in the syntax of tests/loader_oracle/driver.c. A NAME with a slash is relative to the top, unless it
  // begins with ".".
  ProcessWorld& open(const std::string& word);
  // Calls a function of the last opened file at the end, so that its lazy references are looked up. The name of the
  // function begins with "run".
  ProcessWorld& call(const std::string& function);
  // Adds to the model what a constructor of the last opened file opens.
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

// Binds all symbols at once (LD_BIND_NOW).
struct Now : ProcessWorld {
  Now() { environment("LD_BIND_NOW", "1"); }
};

// Expects that both agree on every binding, every error, the global scope in order, and the loaded files in order.
void expect_alike(const ProcessWorld& world);

}  // namespace wheelcheck::oracle
