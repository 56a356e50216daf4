// Compiles, runs under LD_DEBUG, reads its log. Nothing here knows the loader's rules.
#include "tests/loader_oracle/process_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace wheelcheck::oracle {
namespace {

namespace fs = std::filesystem;

// The platform of the machine that runs the test: all that case files may need beside each other.
constexpr const char* platform_files[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
                                          "/lib64/ld-linux-x86-64.so.2"};
const std::vector<std::string> platform_directories{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib",
                                                    "/usr/lib"};

std::string between(const std::string& line, std::string_view before, std::string_view after) {
  const std::size_t at = line.find(before);
  if (at == std::string::npos) return {};
  const std::size_t from = at + before.size(), to = line.find(after, from);
  return line.substr(from, to == std::string::npos ? to : to - from);
}

const ElfFacts& platform_facts(const std::string& path) {
  static std::map<std::string, ElfFacts> known;
  const auto found = known.find(path);
  return found != known.end() ? found->second : known.emplace(path, facts_of(path)).first->second;
}

bool is_of_glibc(const std::string& name) { return name.starts_with('/'); }

// The bindings that only one of two has.
std::string said_of(const Bindings& these, const Bindings& others) {
  std::string out;
  for (const auto& [key, targets] : these) {
    const auto& [from, symbol, version] = key;
    const auto other = others.find(key);
    for (const std::string& to : targets)
      if (other == others.end() || !other->second.contains(to))
        out += from + ": " + symbol + (version.empty() ? "" : "@" + version) + " -> " + to + '\n';
  }
  return out;
}

}  // namespace

ProcessWorld::ProcessWorld() {
  fs::create_directories(at("stubs"));
  fs::copy_file(ORACLE_DRIVER, at("bin/main"));
  built_.emplace("bin/main", "main");
}

fs::path ProcessWorld::at(const std::string& path) const {
  const fs::path full = scratch_.path() / path;
  fs::create_directories(full.parent_path());
  return full;
}

std::string ProcessWorld::stub(const std::string& soname) {
  const fs::path path = at("stubs/" + std::to_string(std::hash<std::string>{}(soname)) + ".so");
  if (!fs::exists(path))
    run_or_throw({ORACLE_CC, "-shared", "-nostdlib", "-x", "c", "/dev/null", "-Wl,-soname=" + soname, "-o", path},
                 at("stubs/output"));
  return path;
}

void ProcessWorld::compile(const Made& made, std::vector<std::string> words) {
  write(at("stubs/source"), made.source);
  const std::string out = at(made.path);
  words.insert(words.begin(), ORACLE_CC);
  words.insert(words.end(), {"-w", "-O1", "-o", out, "-x", made.language, at("stubs/source"), "-x", "none",
                             "-Wl,--no-as-needed", "-Wl,-z,undefs", "-Wl,--allow-shlib-undefined", "-Wl,-z,lazy"});
  if (!made.soname.empty()) words.push_back("-Wl,-soname=" + made.soname);
  if (!made.rpath.empty()) words.push_back("-Wl,--disable-new-dtags,-rpath=" + made.rpath);
  if (!made.runpath.empty()) words.push_back("-Wl,--enable-new-dtags,-rpath=" + made.runpath);
  if (!made.script.empty()) {
    write(at("stubs/script.map"), made.script);
    words.push_back("-Wl,--version-script=" + at("stubs/script.map").string());
  }
  words.insert(words.end(), made.options.begin(), made.options.end());
  for (const std::string& needed : made.needed) {
    if (!built_.contains(needed)) {
      words.push_back(stub(needed));
      continue;
    }
    words.push_back("-L" + at(needed).parent_path().string());
    words.push_back("-l:" + fs::path(needed).filename().string());
  }
  fs::remove(out);
  run_or_throw(words, at("stubs/output"));
  built_[made.path] = made.soname;
}

ProcessWorld& ProcessWorld::make(const Made& made) {
  compile(made, {"-shared", "-fPIC", "-nostdlib"});
  return *this;
}

ProcessWorld& ProcessWorld::program(const Made& made) {
  Made whole = made;
  whole.path = "bin/main";
  compile(whole, {ORACLE_DRIVER_SOURCE});
  return *this;
}

ProcessWorld& ProcessWorld::link(const std::string& path, const std::string& target) {
  fs::create_symlink(target, at(path));
  return *this;
}
ProcessWorld& ProcessWorld::copy(const std::string& path, const std::string& from) {
  fs::copy_file(at(from), at(path));
  return *this;
}
ProcessWorld& ProcessWorld::open(const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string name = word.substr(colon + 1);
  const bool below = name.find('/') != name.npos && !name.starts_with('/') && !name.starts_with('.');
  words_.push_back(word.substr(0, colon + 1) + (below ? at(name).string() : name));
  constructors_.emplace_back();
  return *this;
}
ProcessWorld& ProcessWorld::call(const std::string& function) {
  calls_.push_back("call=" + function);
  return *this;
}
ProcessWorld& ProcessWorld::constructor(const std::string& word) {
  constructors_.back().push_back(word);
  return *this;
}
ProcessWorld& ProcessWorld::environment(const std::string& name, const std::string& value) {
  environment_[name] = value;
  return *this;
}

// As the program's own log and `predict` call it: a path below the top.
std::string ProcessWorld::shown(const std::string& path) const {
  if (path.empty()) return "main";
  const fs::path full = fs::path(path).is_absolute() ? fs::path(path) : fs::path("/") / path;
  std::error_code ignored;
  const fs::path real = fs::exists(full) ? fs::canonical(full, ignored) : full.lexically_normal();
  const std::string below = real.lexically_relative(scratch_.path()).string();
  if (below == "bin/main") return "main";
  return below.starts_with("..") ? full.lexically_normal().string() : below;
}

Played ProcessWorld::real() const {
  std::vector<std::string> words{at("bin/main")};
  words.insert(words.end(), words_.begin(), words_.end());
  words.insert(words.end(), calls_.begin(), calls_.end());
  std::vector<std::string> variables{"LD_DEBUG=bindings,scopes", "LD_DEBUG_OUTPUT=" + at("stubs/log").string()};
  for (const auto& [name, value] : environment_) variables.push_back(name + "=" + value);
  for (const auto& entry : fs::directory_iterator(at("stubs")))
    if (entry.path().filename().string().starts_with("log.")) fs::remove(entry);
  std::istringstream said(run(words, at("stubs/said"), variables));

  Played out;
  for (std::string line; std::getline(said, line);) {
    if (line == "opened") out.opened.push_back("ok");
    if (line.starts_with("failed ")) out.opened.push_back(line.substr(7));
    if (line.starts_with("loaded ") && line.find("linux-vdso") == line.npos)
      out.loaded.push_back(shown(line.substr(7)));
    if (line.starts_with(at("bin/main").string() + ": ") || line.starts_with("Inconsistency")) out.refused = line;
    if (line == "error killed by a signal") out.refused = "Segmentation fault";
  }
  std::string log;
  for (const auto& entry : fs::directory_iterator(at("stubs")))
    if (entry.path().filename().string().starts_with("log.")) log += contents(entry);
  std::istringstream lines(log);
  bool of_program = false;
  for (std::string line; std::getline(lines, line);) {
    if (const std::string from = between(line, "binding file ", " ["); !from.empty()) {
      const std::string symbol = between(line, "symbol `", "'"), version = between(line, "' [", "]");
      if (from.find("linux-vdso") != from.npos || symbol.starts_with("run")) continue;
      out.bindings[{shown(from), symbol, version}].insert(shown(between(line, " to ", " [")));
    } else if (line.find("\tadd ") != line.npos) {
      out.published.push_back(shown(between(line, "add ", " [")));
    } else if (line.find("object=") != line.npos) {
      of_program = shown(between(line, "object=", " [")) == "main";
    } else if (of_program && line.find(" scope 0: ") != line.npos && out.global.empty()) {
      std::istringstream names(between(line, "scope 0: ", "\n"));
      for (std::string name; names >> name;) out.global.push_back(shown(name));
    }
  }
  return out;
}

process::World ProcessWorld::files(std::vector<std::unique_ptr<ElfFacts>>& facts) const {
  process::World world;
  std::map<std::string, std::vector<std::string>> aliases;
  std::set<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_.path())) {
    if (entry.path().string().starts_with(at("stubs").string() + "/") || entry.is_directory()) continue;
    if (entry.is_symlink())
      aliases[fs::canonical(entry.path()).string()].push_back(entry.path().string());
    else
      paths.insert(entry.path().string());
  }
  for (const std::string& path : paths) {
    const bool elf = contents(path).starts_with(
        "\x7f"
        "ELF");
    facts.push_back(elf ? std::make_unique<ElfFacts>(facts_of(path)) : nullptr);
    world.files.push_back({.path = path, .facts = facts.back().get(), .aliases = aliases[path]});
  }
  for (const std::string path : platform_files) world.files.push_back({.path = path, .facts = &platform_facts(path)});
  world.platform.directories = platform_directories;
  world.platform.lib = "lib/x86_64-linux-gnu";
  return world;
}

process::Open ProcessWorld::open_of(const std::string& word, const process::World& world) const {
  const std::size_t colon = word.find(':'), at_sign = word.find('@', colon);
  const auto has = [&](char flag) { return word.substr(0, colon).find(flag) != std::string::npos; };
  process::Open out{
      .name = word.substr(colon + 1, at_sign == word.npos ? at_sign : at_sign - colon - 1),
      .flags = {.lazy = has('l'), .global = has('g'), .deepbind = has('d'), .noload = has('o'), .nodelete = has('e')}};
  if (at_sign != word.npos)
    for (std::uint32_t i = 0; i < world.files.size(); ++i)
      if (world.files[i].path == at(word.substr(at_sign + 1)).string()) out.caller = process::ObjectIndex{i};
  return out;
}

process::Plan ProcessWorld::plan(const process::World& world) const {
  process::Plan out;
  for (std::uint32_t i = 0; i < world.files.size(); ++i)
    if (world.files[i].path == at("bin/main").string()) out.main = {i};
  for (std::size_t i = 0; i < words_.size(); ++i) {
    process::Open open = open_of(words_[i], world);
    for (const std::string& word : constructors_[i]) open.constructors.push_back(open_of(word, world));
    out.steps.push_back({{open}});
  }
  const auto split = [](const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
  };
  for (const auto& [name, value] : environment_) {
    if (name == "LD_BIND_NOW") out.environment.bind_now = !value.empty();
    if (name == "LD_DYNAMIC_WEAK") out.environment.dynamic_weak = true;
    if (name == "LD_PRELOAD") out.environment.preload = split(value, ':');
    if (name == "LD_LIBRARY_PATH") out.environment.library_path = split(value, ':');
  }
  return out;
}

Played ProcessWorld::predicted() const {
  std::vector<std::unique_ptr<ElfFacts>> facts;
  const process::World world = files(facts);
  const process::Plan plan = this->plan(world);
  const process::Outcome outcome = process::predict(world, std::span(&plan, 1)).front();
  const auto name = [&](process::ObjectIndex index) { return shown(world.files[index.value].path); };
  Played out;
  out.refused = outcome.refused.value_or("");
  if (out.refused.empty()) out.opened.assign(plan.steps.size(), "ok");
  for (const process::Failure& failure : outcome.failures) {
    if (!failure.nested) out.opened[failure.step] = failure.error;
    if (!failure.fatal) continue;
    out.refused = failure.error;
    out.opened.resize(failure.step);
    break;
  }
  for (const process::BoundReference& bound : outcome.bound) {
    if (!bound.to) continue;
    if (bound.lazy && calls_.empty()) continue;
    const process::SymbolRequest symbol_request =
        process::symbol_request(*world.files[bound.from.value].facts, bound.reference);
    out.bindings[{name(bound.from), std::string(symbol_request.name), std::string(symbol_request.version.value_or(""))}]
        .insert(name(*bound.to));
  }
  for (const auto index : outcome.global) out.global.push_back(name(index));
  for (const auto& entry : outcome.published) out.published.push_back(name(entry.file));
  if (out.refused.empty())
    for (const process::Loaded& each : outcome.loaded) out.loaded.push_back(name(each.file));
  return out;
}

void expect_alike(const ProcessWorld& world) {
  Played real = world.real(), predicted = world.predicted();
  // The program and the C library also use dlsym and call functions that no reference of a case leads to: what the log
  // has of those two beyond the prediction is not compared.
  std::erase_if(real.bindings, [&](const auto& entry) {
    const std::string& from = std::get<0>(entry.first);
    return (from == "main" || is_of_glibc(from)) && !predicted.bindings.contains(entry.first);
  });
  // Lazy references of theirs that the run never went through.
  std::erase_if(predicted.bindings, [&](const auto& entry) {
    const std::string& from = std::get<0>(entry.first);
    return world.is_lazy() && (from == "main" || is_of_glibc(from)) && !real.bindings.contains(entry.first);
  });
  EXPECT_EQ(said_of(real.bindings, predicted.bindings), "") << "said by ld.so and not predicted";
  EXPECT_EQ(said_of(predicted.bindings, real.bindings), "") << "predicted and not said by ld.so";
  EXPECT_EQ(real.opened, predicted.opened);
  EXPECT_EQ(real.global, predicted.global);
  EXPECT_EQ(real.published, predicted.published);
  EXPECT_EQ(real.loaded, predicted.loaded);
  for (const char* const end : {"Inconsistency", "Segmentation fault"})
    if (predicted.refused.starts_with(end)) predicted.refused = end;
  EXPECT_EQ(real.refused.starts_with("Inconsistency") ? "Inconsistency" : real.refused, predicted.refused);
}

}  // namespace wheelcheck::oracle
