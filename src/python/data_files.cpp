#include "python/data_files.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/text.h"

namespace wheelcheck::python {
namespace {

constexpr std::uint32_t work_of_path = 400;
constexpr std::size_t longest_path = 240;  // a longer one is not noted

// A function that reads the file that an argument names.
struct Opener {
  std::string_view name;
  std::string_view path;            // keyword of the path, which is the first argument
  std::uint32_t mode = no_mode;     // position of the mode
  std::string_view mode_word = {};  // its keyword
  static constexpr std::uint32_t no_mode = UINT32_MAX;
};
constexpr auto openers = std::to_array<Opener>({
    {"open", "file", 1, "mode"},
    {"io.open", "file", 1, "mode"},
    {"codecs.open", "filename", 1, "mode"},
    {"bz2.open", "filename", 1, "mode"},
    {"gzip.open", "filename", 1, "mode"},
    {"lzma.open", "filename", 1, "mode"},
    {"tarfile.open", "name", 1, "mode"},
    {"zipfile.ZipFile", "file", 1, "mode"},
    {"h5py.File", "name", 1, "mode"},
    {"netCDF4.Dataset", "filename", 1, "mode"},
    {"PIL.Image.open", "fp", 1, "mode"},
    {"os.listdir", "path"},
    {"os.scandir", "path"},
    {"xml.etree.ElementTree.parse", "source"},
    {"lxml.etree.parse", "source"},
    {"joblib.load", "filename"},
    {"numpy.genfromtxt", "fname"},
    {"numpy.load", "file"},
    {"numpy.loadtxt", "fname"},
    {"pandas.read_csv", "filepath_or_buffer"},
    {"pandas.read_excel", "io"},
    {"pandas.read_feather", "path"},
    {"pandas.read_hdf", "path_or_buf"},
    {"pandas.read_json", "path_or_buf"},
    {"pandas.read_parquet", "path"},
    {"pandas.read_pickle", "filepath_or_buffer"},
    {"pandas.read_table", "filepath_or_buffer"},
    {"torch.load", "f"},
    {"xarray.open_dataset", "filename_or_obj"},
});
// Functions that read a file of a package: package and path are the arguments.
constexpr auto resource_openers = std::to_array<std::string_view>({
    "importlib.resources.open_binary",
    "importlib.resources.open_text",
    "importlib.resources.read_binary",
    "importlib.resources.read_text",
    "importlib_resources.open_binary",
    "importlib_resources.open_text",
    "importlib_resources.read_binary",
    "importlib_resources.read_text",
    "pkg_resources.resource_listdir",
    "pkg_resources.resource_stream",
    "pkg_resources.resource_string",
    "pkgutil.get_data",
});
// Methods of pathlib.Path; `open` has the mode as its first argument.
constexpr auto path_readers = std::to_array<std::string_view>({"open", "read_text", "read_bytes", "iterdir"});

constexpr auto directory_readers = std::to_array<std::string_view>({"listdir", "scandir", "iterdir"});

constexpr auto directory_creators = std::to_array<std::string_view>({"os.makedirs", "os.mkdir"});
// Functions that create files, or directories with files, or run programs that may.
constexpr auto creators = std::to_array<std::string_view>(
    {"os.symlink", "os.system", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move",
     "shutil.unpack_archive", "subprocess.Popen", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
     "subprocess.run", "numpy.save", "numpy.savetxt", "numpy.savez", "torch.save", "joblib.dump",
     "urllib.request.urlretrieve"});
// Methods that do, of whatever object.
constexpr auto creating_methods =
    std::to_array<std::string_view>({"write_text", "write_bytes", "touch", "symlink_to", "extract", "extractall",
                                     "to_csv", "to_json", "to_pickle", "to_parquet", "to_hdf", "savefig"});

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// The path without marks and dots. nullopt if its beginning is not known, or another part.
std::optional<std::string> plain_path(std::string_view text) {
  const std::size_t begin = text.find('*');
  if (begin == 0 || begin == text.npos || text.find('*', begin + 1) != text.npos) return std::nullopt;
  const bool of_site = text.front() == site_packages;
  if (text.find_first_not_of(of_site ? site_packages : up) != begin || !text.substr(begin + 1).starts_with('/'))
    return std::nullopt;
  std::size_t above = of_site ? 0 : begin - 1;  // directories above that of the file
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(text.substr(begin + 2), '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty())
      parts.pop_back();
    else if (of_site)
      return std::nullopt;
    else
      ++above;
  }
  if (parts.empty()) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < above; ++i) out += "../";
  for (const std::string_view part : parts) {
    out += part;
    out += '/';
  }
  out.pop_back();
  if (out.size() > longest_path) return std::nullopt;
  return of_site ? '/' + out : out;
}

// The name of the called function behind its last dot, as written.
std::string_view called_name(const CallSite& site, const Syntax& syntax) {
  if (syntax.kind(site.node) != Kind::Call) return {};
  return last_part(syntax.text(syntax.child(site.node, Field::Function)));
}

// True if the argument at that position is absent, or a mode for reading.
bool reads_only(const CallSite& site, std::uint32_t at, std::string_view keyword, const Model& model,
                Evaluator& evaluator) {
  const NodeId mode = argument_of(model.syntax, model.syntax.child(site.node, Field::Arguments), at, keyword);
  if (mode == no_node) return true;
  return std::ranges::all_of(evaluator.evaluate(mode, site.scope, work_of_path), [](const Value& value) {
    return value.is(Value::Form::Text) && value.is_exact() && value.text.find_first_of("wax+") == value.text.npos;
  });
}

bool ends_one_of(std::string_view name, std::span<const std::string_view> functions) {
  return std::ranges::any_of(functions, [&](std::string_view one) { return last_part(one) == name; });
}
bool is_reading_word(std::string_view name) {
  return std::ranges::find(path_readers, name) != path_readers.end() || ends_one_of(name, resource_openers) ||
         std::ranges::any_of(openers, [&](const Opener& opener) { return last_part(opener.name) == name; });
}
bool is_creating_word(std::string_view name) {
  return std::ranges::find(creating_methods, name) != creating_methods.end() || ends_one_of(name, creators) ||
         ends_one_of(name, directory_creators) || name.contains("download");
}

std::optional<OpenedFile> file_of(const Values& path, bool only_read) {
  if (path.size() != 1 || !path.front().is(Value::Form::Text)) return std::nullopt;
  const std::string_view text = path.front().text;
  if (auto known = plain_path(text)) return OpenedFile{.path = std::move(*known), .only_read = only_read};
  const std::string_view name = text.substr(text.rfind('/') + 1);
  if (only_read || name.empty() || name.contains('*') || name.size() > longest_path) return std::nullopt;
  return OpenedFile{.path = "*/" + std::string(name), .only_read = only_read};
}

std::optional<OpenedFile> path_opened_by(const CallSite& site, const Model& model, Evaluator& evaluator) {
  const Syntax& syntax = model.syntax;
  const std::string_view name = called_name(site, syntax);
  const bool writer = name == "write_text" || name == "write_bytes";
  if (!is_reading_word(name) && !writer) return std::nullopt;
  const NodeId function = syntax.child(site.node, Field::Function);
  const NodeId arguments = syntax.child(site.node, Field::Arguments);
  const bool method = writer || std::ranges::find(path_readers, name) != path_readers.end();
  if (method && syntax.kind(function) == Kind::Attribute) {
    const Values object = evaluator.evaluate(syntax.child(function, Field::Object), site.scope, work_of_path);
    if (auto file = file_of(object, !writer && (name != "open" || reads_only(site, 0, "mode", model, evaluator))))
      return file;
  }
  const Values callees = evaluator.evaluate(function, site.scope, work_of_path);
  if (callees.size() != 1 || !callees.front().is(Value::Form::Dotted)) return std::nullopt;
  const std::string& callee = callees.front().text;
  if (std::ranges::find(resource_openers, callee) != resource_openers.end())
    return file_of(evaluator.resource(arguments, site.scope, work_of_path), true);
  const auto opener = std::ranges::find(openers, callee, &Opener::name);
  if (opener == openers.end()) return std::nullopt;
  const NodeId path = argument_of(syntax, arguments, 0, opener->path);
  return file_of(evaluator.evaluate(path, site.scope, work_of_path),
                 reads_only(site, opener->mode, opener->mode_word, model, evaluator));
}

}  // namespace

std::optional<OpenedFile> file_opened_by(const CallSite& site, const Model& model, Evaluator& evaluator) {
  auto file = path_opened_by(site, model, evaluator);
  if (file)
    file->lists = std::ranges::find(directory_readers, called_name(site, model.syntax)) != directory_readers.end();
  return file;
}

Creates created_by(const CallSite& site, const Model& model, Evaluator& evaluator) {
  const std::string_view name = called_name(site, model.syntax);
  const NodeId function = model.syntax.child(site.node, Field::Function);
  const bool method = !name.empty() && model.syntax.kind(function) == Kind::Attribute;
  if (name.contains("download")) return Creates::Files;
  if (method && std::ranges::find(creating_methods, name) != creating_methods.end()) return Creates::Files;
  if (name == "open") {
    const bool writes =
        !reads_only(site, 1, "mode", model, evaluator) || (method && !reads_only(site, 0, "mode", model, evaluator));
    return writes ? Creates::Files : Creates::Nothing;
  }
  if (method && name == "mkdir") return Creates::Directories;  // of pathlib.Path, or os.mkdir
  const auto calls_one_of = [&](std::span<const std::string_view> functions) {
    return ends_one_of(name, functions) &&
           std::ranges::any_of(evaluator.evaluate(function, site.scope, work_of_path), [&](const Value& callee) {
             return callee.is(Value::Form::Dotted) && std::ranges::find(functions, callee.text) != functions.end();
           });
  };
  if (calls_one_of(creators)) return Creates::Files;
  return calls_one_of(directory_creators) ? Creates::Directories : Creates::Nothing;
}

bool is_file_word(std::string_view name) { return is_reading_word(name) || is_creating_word(name); }

bool may_open_files(std::string_view source) {
  constexpr auto words = std::to_array<std::string_view>(
      {"__file__", "__path__", "resources", "get_data", "write_text", "write_bytes", "\"w", "'w"});
  return std::ranges::any_of(words, [&](std::string_view word) { return source.contains(word); });
}

}  // namespace wheelcheck::python
