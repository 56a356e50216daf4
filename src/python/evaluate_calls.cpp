// Evaluates calls: path functions, string methods, functions of the same file.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "python/evaluate.h"

namespace wheelcheck::python {
namespace {

// find_library("c") returns the system's name of libc, a soname that is unknown here.
std::string found_library(const Value& name) { return "lib" + text_of(name) + ".so.*"; }

// The value of the key "keyword" in a dictionary display; no_node if it has none.
NodeId item_called(const Syntax& syntax, NodeId dictionary, std::string_view keyword) {
  if (syntax.kind(dictionary) != NodeKind::Dictionary) return no_node;
  for (NodeId pair = syntax[dictionary].first; pair != no_node; pair = syntax[pair].next) {
    spend(1);
    std::string_view key = syntax.text(syntax.child(pair, Field::Key));
    if (key.size() != keyword.size() + 2) continue;
    if (key.substr(1, keyword.size()) == keyword) return syntax.child(pair, Field::Value);
  }
  return no_node;
}

// The file of a module: of importlib.machinery.EXTENSION_SUFFIXES, libraries without PyInit have the last one.
Values with_suffix(const Values& modules) {
  Values values;
  for (const Value& module : modules) {
    const std::string text = text_of(module);
    add(values, Value::of_text(text.ends_with(".so") ? text : text + ".so"));
  }
  return values;
}

// A function of another file that returns the path of a library: _get_extension_path("_C") of torchvision.
bool returns_library_path(std::string_view function) {
  const std::string_view name = function.substr(function.rfind('.') + 1);
  return name.ends_with("extension_path") || name.ends_with("lib_path") || name.ends_with("library_path");
}

constexpr std::string_view attribute_getter = "operator.attrgetter()";  // the name for what attrgetter returns

}  // namespace

NodeId argument_of(const Syntax& syntax, NodeId arguments, std::uint32_t at, std::string_view keyword) {
  if (arguments == no_node || syntax.kind(arguments) == NodeKind::Comprehension) return no_node;
  std::uint32_t position = 0;
  bool in_order = true;
  for (NodeId id = syntax[arguments].first; id != no_node; id = syntax[id].next) {
    spend(1);
    const NodeId inside = syntax.child(id, std::size_t{0});
    if (syntax.kind(id) == NodeKind::Keyword) {
      if (!keyword.empty() && syntax.text(syntax.child(id, Field::Name)) == keyword)
        return syntax.child(id, Field::Value);
    } else if (syntax.kind(id) == NodeKind::DictionarySplat) {
      if (const NodeId found = keyword.empty() ? no_node : item_called(syntax, inside, keyword); found != no_node)
        return found;
    } else if (syntax.kind(id) == NodeKind::Splat && syntax.kind(inside) == NodeKind::Sequence) {
      for (NodeId item = syntax[inside].first; item != no_node; item = syntax[item].next, spend(1))
        if (in_order && position++ == at) return item;
    } else {
      in_order = in_order && syntax.kind(id) != NodeKind::Splat;
      if (in_order && position++ == at) return id;
    }
  }
  return no_node;
}

Values Evaluator::argument(NodeId arguments, std::uint32_t at, std::string_view keyword, ScopeId scope) {
  return value(argument_of(model_.syntax, arguments, at, keyword), scope);
}

Values Evaluator::call(NodeId node, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const NodeId function = syntax.child(node, Field::Function), arguments = syntax.child(node, Field::Arguments);
  Values values;
  if (syntax.kind(function) == NodeKind::Attribute) {
    const std::string_view name = syntax.text(syntax.child(function, Field::Attribute));
    for (const Value& object : value(syntax.child(function, Field::Object), scope)) {
      using enum Value::Form;
      const bool plain = object.is(Text) || object.is(List) || object.is(Dict) || object.is(Environment);
      if (plain) add(values, method(object, name, arguments, scope));
      if (name == "get" || name == "__getitem__") add(values, entry(object, argument(arguments, 0, "", scope)));
      if (name == "__getattribute__") add(values, attributes({object}, argument(arguments, 0, "", scope)));
    }
  }
  for (const Value& callee : value(function, scope)) {
    switch (callee.form) {
      case Value::Form::Dotted:
        if (callee.text == attribute_getter) {
          add(values, attributes(argument(arguments, 0, "", scope), callee.items));
          break;
        }
        if (callee.ref != 0) {  // of functools.partial: only loading functions are of interest
          add(values, Value{});
          break;
        }
        if (callee.text == "sys.getdlopenflags") {
          Value saved = Value::of_number(0, 0);
          saved.ref = node;
          add(values, std::move(saved));
          break;
        }
        add(values, library_call(callee.text, arguments, scope));
        break;
      case Value::Form::Class:
        add(values, Value::of(Value::Form::Instance, callee.ref));
        break;
      case Value::Form::Function: {
        const auto& names = model_.scopes[model_.units[callee.ref].scope].names;
        const auto returned = names.find("return");
        add(values, returned == names.end() ? unknown() : bound(returned->second, false, 0));
        break;
      }
      default:
        if (values.empty()) add(values, Value{});
        break;
    }
  }
  return values;
}

Values Evaluator::joined(const Values& parts, const Values& by) {
  Values longer;
  for (const Value& right : by)
    for (const Value& left : parts) add(longer, join_paths(left, right));
  return longer;
}

Values Evaluator::joined(Values parts, NodeId arguments, std::uint32_t from, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  const auto extend = [&parts](const Values& by) { parts = joined(parts, by); };
  std::uint32_t count = 0;
  for (NodeId id = arguments == no_node ? no_node : syntax[arguments].first; id != no_node && count < 12;
       id = syntax[id].next, ++count) {
    if (count < from) continue;
    if (syntax.kind(id) != NodeKind::Splat) {
      extend(value(id, scope));
      continue;
    }
    Values longer;  // *tuple: one result for each possible tuple
    const Values before = parts;
    for (const Value& list : value(syntax.child(id, std::size_t{0}), scope)) {
      parts = before;
      for (const Value& item : list.items) extend(only(item));
      if (!list.is(Value::Form::List)) extend(unknown());
      add(longer, parts);
    }
    parts = std::move(longer);
  }
  return parts;
}

Values Evaluator::formatted(const Value& text, NodeId arguments, ScopeId scope) {
  const Syntax& syntax = model_.syntax;
  std::vector<Value> positional, named;
  bool all = true;
  const auto first_of = [&](NodeId id) {
    Values values = value(id, scope);
    all = all && values.size() == 1;
    return std::move(values.front());
  };
  if (arguments == no_node) return unknown();
  for (NodeId id = syntax[arguments].first; id != no_node && positional.size() + named.size() < max_items;
       id = syntax[id].next) {
    if (syntax.kind(id) == NodeKind::Keyword) {
      named.push_back(Value::of_text(std::string(syntax.text(syntax.child(id, Field::Name)))));
      named.push_back(first_of(syntax.child(id, Field::Value)));
    } else {
      positional.push_back(first_of(id));
    }
  }
  Values values = only(format(text.text, positional, named));
  if (!all) add(values, Value{});
  return values;
}

Values Evaluator::method(const Value& object, std::string_view name, NodeId arguments, ScopeId scope) {
  static constexpr auto same = std::to_array<std::string_view>(
      {"resolve", "absolute", "as_posix", "strip", "decode", "encode", "expanduser", "copy", "keys", "rstrip"});
  if (contains(same, name)) return only(object);
  using enum Value::Form;
  if (object.is(Environment)) {
    Values values = {object};
    if (const NodeId fallback = argument_of(model_.syntax, arguments, 1, "default"); fallback != no_node)
      add(values, value(fallback, scope));
    return values;
  }
  if (object.is(Dict)) {
    Value list = Value::of_list({});
    const bool items = name == "items", values = name == "values";
    for (std::size_t i = 0; i + 1 < object.items.size(); i += 2) {
      if (items) list.items.push_back(Value::of_list({object.items[i], object.items[i + 1]}));
      if (values) list.items.push_back(object.items[i + 1]);
      const Values key = name == "get" ? argument(arguments, 0, "", scope) : Values{};
      if (!key.empty() && (!key.front().is_exact() || key.front() == object.items[i])) return only(object.items[i + 1]);
    }
    return items || values ? Values{list} : name == "get" ? argument(arguments, 1, "", scope) : unknown();
  }
  if (!object.is(Text)) return unknown();
  if (name == "find_spec") return joined({object}, with_suffix(argument(arguments, 0, "fullname", scope)));
  if (name == "format") return formatted(object, arguments, scope);
  if (name == "joinpath") return joined({object}, arguments, 0, scope);
  if (name == "glob" || name == "rglob") return only(Value::of_files(joined({object}, arguments, 0, scope)));
  if (name == "lower") return only(Value::of_text(lower(object.text)));
  if (name == "with_name") return joined({Value::of_text(directory_of(object.text))}, arguments, 0, scope);
  const Value first = argument(arguments, 0, "", scope).front();
  if (name == "startswith" || name == "endswith") {
    if (!object.is_exact() || !first.is(Text) || !first.is_exact()) return unknown();
    const bool holds = name == "startswith" ? object.text.starts_with(first.text) : object.text.ends_with(first.text);
    return only(Value::of_number(holds ? 1 : 0));
  }
  if (name == "join" && first.is(List)) {
    std::string text;
    for (const Value& item : first.items) text += (text.empty() ? "" : object.text) + text_of(item);
    return only(Value::of_text(text));
  }
  return only(Value::of_text("*"));
}

Values Evaluator::path_call(std::string_view name, NodeId arguments, ScopeId scope) {
  static constexpr auto joins =
      std::to_array<std::string_view>({"os.path.join", "posixpath.join", "pathlib.Path", "pathlib.PurePath",
                                       "pathlib.PosixPath", "pathlib.PurePosixPath"});
  static constexpr auto same = std::to_array<std::string_view>({"os.path.realpath",
                                                                "os.path.normpath",
                                                                "os.path.expanduser",
                                                                "os.path.expandvars",
                                                                "os.path.abspath",
                                                                "os.fspath",
                                                                "os.fsencode",
                                                                "os.fsdecode",
                                                                "str",
                                                                "bytes",
                                                                "sorted",
                                                                "list",
                                                                "tuple",
                                                                "set",
                                                                "frozenset",
                                                                "reversed",
                                                                "iter",
                                                                "int",
                                                                "bool",
                                                                "staticmethod"});
  if (contains(joins, name)) {
    const Values first = argument(arguments, 0, "", scope);
    return joined(first.front().is(Value::Form::Unknown) ? Values{Value::of_text("*")} : first, arguments, 1, scope);
  }
  if (contains(same, name)) return argument(arguments, 0, "", scope);
  if (name == "next") {  // one of the items, or the default
    Values values = argument(arguments, 1, "", scope);
    if (argument_of(model_.syntax, arguments, 1, "") == no_node) values.clear();
    for (const Value& list : argument(arguments, 0, "", scope))
      for (const Value& item : list.items) add(values, item);
    return values.empty() ? unknown() : values;
  }
  if (name == "importlib.machinery.FileFinder") return argument(arguments, 0, "path", scope);
  // tensorflow/python/platform/resource_loader.py: a path next to the calling file.
  if (name.ends_with("resource_loader.get_path_to_datafile")) return joined({Value::of_text("*")}, arguments, 0, scope);
  Values values;
  if (name == "os.path.dirname" || name == "os.path.basename") {
    for (const Value& path : argument(arguments, 0, "", scope)) {
      const std::string text = text_of(path);
      add(values, Value::of_text(name == "os.path.dirname" ? directory_of(text) : text.substr(text.rfind('/') + 1)));
    }
  }
  if (name == "os.path.split")
    for (const Value& path : argument(arguments, 0, "", scope)) {
      const std::string text = text_of(path);
      const std::string last = text.substr(text.rfind('/') + 1);
      add(values, Value::of_list({Value::of_text(directory_of(text)), Value::of_text(last)}));
    }
  if (name == "pkg_resources.resource_filename")
    return joined(package_directory(arguments, scope), arguments, 1, scope);
  if (name == "glob.glob" || name == "glob.iglob") return only(Value::of_files(argument(arguments, 0, "", scope)));
  if (name == "os.listdir" || name == "site.getsitepackages") return only(Value::of_list({Value::of_text("*")}));
  if (name == "ctypes.util.find_library") {
    for (const Value& library : argument(arguments, 0, "name", scope))
      if (text_of(library) != "*") add(values, Value::of_text(found_library(library)));
  }
  return values;
}

// The directory of the package that is the first argument: its name, `__name__` or `__package__`, or the module itself.
// Without an argument it is the package of the file (Python 3.12).
Values Evaluator::package_directory(NodeId arguments, ScopeId scope) {
  if (arguments == no_node || model_.syntax[arguments].first == no_node) return only(Value::of_text("*"));
  Values values;
  for (const Value& package : argument(arguments, 0, "package", scope)) {
    const bool dotted = package.is(Value::Form::Dotted), text = package.is(Value::Form::Text) && package.is_exact();
    const bool own =
        dotted && (package.text == "__name__" || package.text == "__package__" || package.text == "__spec__.parent");
    std::string path = "*";
    if ((dotted || text) && !own)
      for (const std::string_view part : split(package.text, '.'))
        if (!part.empty()) path += '/' + std::string(part);
    add(values, Value::of_text(std::move(path)));
  }
  return values;
}

// Only modules whose calls load libraries: those of others are events (events.cpp).
Values Evaluator::imported(const Values& names) {
  static constexpr auto modules =
      std::to_array<std::string_view>({"ctypes", "ctypes.util", "_ctypes", "cffi", "sys", "os"});
  Values values;
  for (const Value& name : names)
    if (name.is(Value::Form::Text) && name.is_exact() && contains(modules, name.text))
      add(values, Value::of_dotted(name.text));
  return values.empty() ? unknown() : values;
}

Values Evaluator::attributes(const Values& objects, const Values& names) {
  Values values;
  for (const Value& object : objects)
    for (const Value& name : names)
      if (object.is(Value::Form::Dotted) && name.is(Value::Form::Text) && name.is_exact())
        add(values, member(object, name.text));
  return values.empty() ? unknown() : values;
}

Values Evaluator::names_call(std::string_view name, NodeId arguments, ScopeId scope) {
  Values values;
  const Values first = argument(arguments, 0, "", scope);
  if (name == "globals" || name == "locals" || (name == "vars" && first.front().is(Value::Form::Unknown)))
    return only(Value::of_dotted("globals.__dict__"));
  if (name == "vars")
    for (const Value& object : first)
      if (object.is(Value::Form::Dotted)) add(values, Value::of_dotted(object.text + ".__dict__"));
  if (name == "operator.attrgetter") {
    values = only(Value::of_dotted(std::string(attribute_getter)));
    values.front().items = first;
  }
  if (name == "functools.partial") {
    for (Value function : first) {
      if (!function.is(Value::Form::Dotted) || function.ref != 0) continue;
      function.ref = arguments;
      add(values, std::move(function));
    }
  }
  return values;
}

Values Evaluator::library_call(std::string_view name, NodeId arguments, ScopeId scope) {
  static constexpr auto paths =
      std::to_array<std::string_view>({"os.getcwd", "platform.machine", "sysconfig.get_config_var",
                                       "sysconfig.get_path", "pathlib.Path.cwd", "pathlib.Path.home"});
  if (Values values = path_call(name, arguments, scope); !values.empty()) return values;
  if (Values values = names_call(name, arguments, scope); !values.empty()) return values;
  if (contains(paths, name)) return only(Value::of_text("*"));
  if (name == "importlib.resources.files" || name == "importlib_resources.files")
    return package_directory(arguments, scope);
  if (name == "platform.system") return only(Value::of_text("Linux"));
  if (name == "cffi.FFI") return only(Value::of(Value::Form::Ffi));
  if (name == "os.getenv") return method(Value::of(Value::Form::Environment), "get", arguments, scope);
  if (name == "ctypes.LibraryLoader") return only(Value::of_dotted("ctypes.cdll"));
  if (name == "importlib.import_module" || name == "__import__" || name == "builtins.__import__")
    return imported(argument(arguments, 0, "name", scope));
  if (name == "compile" || name == "builtins.compile") return argument(arguments, 0, "source", scope);
  if (returns_library_path(name)) {
    const Values first = argument(arguments, 0, "", scope);
    if (!first.front().is(Value::Form::Unknown)) return joined({Value::of_text("*")}, with_suffix(first));
  }
  if (name != "getattr" && name != "hasattr") return unknown();
  const Value attribute = argument(arguments, 1, "", scope).front();
  Values values;
  for (const Value& object : argument(arguments, 0, "", scope)) {
    if (!object.is(Value::Form::Dotted) || !attribute.is_exact() || !attribute.is(Value::Form::Text)) continue;
    // Every CPython on Linux has them.
    const bool known = attribute.text.ends_with("dlopenflags") || attribute.text.starts_with("RTLD_");
    // Only programs of PyInstaller and the like have them.
    const bool frozen = object.text == "sys" && (attribute.text == "frozen" || attribute.text == "_MEIPASS");
    if (frozen && name == "hasattr") return only(Value::of_number(0));
    if (frozen) return argument(arguments, 2, "", scope);
    if (name == "hasattr") return known ? Values{Value::of_number(1)} : unknown();
    add(values, member(object, attribute.text));
  }
  return values;
}

}  // namespace wheelcheck::python
