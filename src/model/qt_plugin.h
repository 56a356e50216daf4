// Plugins of Qt.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "wheelcheck/elf.h"

namespace wheelcheck {

// True for a plugin that Qt opens when a program shows a window or an image: the platform that desktops have, and the
// readers of image formats (QFactoryLoader). Other plugins have uses of their own, or need a variable. Qt compares the
// releases before it opens one, and goes on where it cannot.
inline bool is_gui_plugin(std::string_view path, const ElfFacts& facts) {
  constexpr std::array<std::string_view, 3> plugins = {"platforms/libqxcb.so", "xcbglintegrations/*", "imageformats/*"};
  constexpr std::string_view directory = "plugins/";
  const std::size_t at = path.rfind(directory);
  if (at == path.npos || !facts.dynamic) return false;
  const std::string_view below = path.substr(at + directory.size());
  return std::ranges::any_of(plugins, [&](std::string_view plugin) { return glob_match(plugin, below); }) &&
         std::ranges::any_of(facts.dynamic->exports,
                             [](const Export& symbol) { return symbol.name == "qt_plugin_instance"; });
}

}  // namespace wheelcheck
