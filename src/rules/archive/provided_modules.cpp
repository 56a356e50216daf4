#include "rules/archive/provided_modules.h"

#include <algorithm>

#include "base/text.h"
#include "model/requirement.h"

namespace wheelcheck::rules {
namespace {

// Modules of programs that contain an interpreter, of the system's packages, and of other Pythons.
constexpr std::string_view host_modules[] = {"FreeCAD",
                                             "GPS",
                                             "NatLink",
                                             "Part",
                                             "RPi",
                                             "Rhino",
                                             "System",
                                             "abaqus",
                                             "adsk",
                                             "ansible",
                                             "apt",
                                             "apt_pkg",
                                             "arcpy",
                                             "awsglue",
                                             "bge",
                                             "binaryninja",
                                             "board",
                                             "bpy",
                                             "c4d",
                                             "cairo",
                                             "clr",
                                             "com",
                                             "cudf",
                                             "dbus",
                                             "dbutils",
                                             "digitalio",
                                             "dnf",
                                             "esp",
                                             "fontforge",
                                             "framework",
                                             "gdb",
                                             "ghidra",
                                             "gi",
                                             "gimp",
                                             "gimpfu",
                                             "google",
                                             "hou",
                                             "idaapi",
                                             "idautils",
                                             "idc",
                                             "inkex",
                                             "java",
                                             "javax",
                                             "js",
                                             "krita",
                                             "libvirt",
                                             "lldb",
                                             "machine",
                                             "mathutils",
                                             "maya",
                                             "microbit",
                                             "micropython",
                                             "mobase",
                                             "network",
                                             "nuke",
                                             "odoo",
                                             "openerp",
                                             "org",
                                             "pcbnew",
                                             "pymel",
                                             "pyodide",
                                             "pyspark",
                                             "qgis",
                                             "rclpy",
                                             "renpy",
                                             "resolve",
                                             "rospy",
                                             "rpm",
                                             "selinux",
                                             "sublime",
                                             "sublime_plugin",
                                             "systemd",
                                             "uctypes",
                                             "uno",
                                             "unreal",
                                             "ustruct",
                                             "utime",
                                             "vapoursynth",
                                             "vim",
                                             "weechat",
                                             "xbmc",
                                             "xbmcaddon",
                                             "xbmcgui",
                                             "xbmcplugin",
                                             "xbmcvfs",
                                             "yum"};
// What a distribution and everything that any release of it requires on Linux installs.
struct Closed {
  std::string_view distribution, modules;
};
constexpr Closed closed[] = {
    {"aiohttp",
     "aiohappyeyeballs aiohttp aiosignal async_timeout attr attrs chardet charset_normalizer frozenlist idna idna_ssl "
     "multidict propcache typing_extensions yarl"},
    {"antlr4-python3-runtime", "antlr4 typing"},
    {"attrs", "attr attrs"},
    {"beautifulsoup4", "bs4 soupsieve typing_extensions"},
    {"cachetools", "cachetools"},
    {"certifi", "certifi"},
    {"cffi", "cffi pycparser"},
    {"chardet", "chardet"},
    {"click", "click colorama importlib_metadata typing_extensions zipp"},
    {"colorama", "colorama"},
    {"decorator", "decorator"},
    {"docopt", "docopt"},
    {"filelock", "filelock"},
    {"h5py", "cached_property h5py numpy six"},
    {"idna", "idna"},
    {"jinja2", "jinja2 markupsafe"},
    {"joblib", "joblib"},
    {"lxml", "lxml"},
    {"markupsafe", "markupsafe"},
    {"msgpack", "msgpack"},
    {"msgspec", "msgspec"},
    {"networkx", "decorator networkx"},
    {"nptyping", "nptyping numpy typing_extensions typish"},
    {"numba", "funcsigs importlib_metadata llvmlite numba numpy pkg_resources setuptools singledispatch zipp"},
    {"numpy", "numpy"},
    {"orjson", "orjson"},
    {"packaging", "attr attrs packaging pyparsing six"},
    {"pandas", "dateutil numpy pandas pytz six tzdata"},
    {"pathspec", "pathspec"},
    {"pillow", "PIL"},
    {"platformdirs", "platformdirs typing_extensions"},
    {"psutil", "psutil"},
    {"pycparser", "pycparser"},
    {"pydantic", "annotated_types dataclasses pydantic pydantic_core typing_extensions typing_inspection"},
    {"pyparsing", "pyparsing"},
    {"pyserial", "serial"},
    {"python-dateutil", "dateutil six"},
    {"python-dotenv", "click colorama dotenv importlib_metadata ordereddict typing typing_extensions zipp"},
    {"pytz", "pytz"},
    {"pyyaml", "yaml"},
    {"regex", "regex"},
    {"requests", "certifi chardet charset_normalizer idna requests urllib3"},
    {"scipy", "numpy scipy"},
    {"simplejson", "simplejson"},
    {"six", "six"},
    {"sortedcontainers", "sortedcontainers"},
    {"tabulate", "tabulate"},
    {"termcolor", "termcolor"},
    {"toml", "toml"},
    {"tqdm", "colorama tqdm"},
    {"typing-extensions", "typing_extensions"},
    {"ujson", "ujson"},
    {"urllib3", "urllib3"},
    {"websockets", "websockets"},
    {"wrapt", "wrapt"},
    {"xxhash", "xxhash"},
};

}  // namespace

bool is_of_a_host(std::string_view module) { return std::ranges::binary_search(host_modules, module); }

std::optional<std::set<std::string_view>> provided(const Metadata& metadata) {
  std::set<std::string_view> modules;
  for (const std::string& line : metadata.requires_dist) {
    const Dependency required = parse_dependency(line);
    if (required.under || !required.for_linux) continue;
    const auto* const known = std::ranges::find(closed, std::string_view(required.name), &Closed::distribution);
    if (known == std::end(closed) || !required.extras.empty()) return std::nullopt;
    for (const std::string_view module : split(known->modules, ' ')) modules.insert(module);
  }
  return modules;
}

}  // namespace wheelcheck::rules
