// Plugins that a toolkit opens when a program uses it, after the imports.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "model/rtld.h"
#include "wheelcheck/elf.h"

namespace wheelcheck {

struct PluginHost {
  std::string_view library;  // glob of the soname of the library that opens them
  std::string_view plugin;   // glob of the end of their path, from a directory on
  std::string_view entry;    // glob of a name that each of them exports
  std::uint32_t flags = 0;   // RTLD_*
};
// From the sources of the toolkits. Each compares releases before it opens one, or goes on where it cannot. Qt
// (QFactoryLoader): the platform that desktops have, and the readers of image formats; other plugins have uses of their
// own, or need a variable. GStreamer: gst_plugin_load_file. Open MPI: mca_base_component_repository_open. GDAL:
// GDALDriverManager::AutoLoadDrivers. HDF5: H5PL__open; netCDF's filters and codecs are opened the same way.
inline constexpr auto plugin_hosts = std::to_array<PluginHost>({
    {"libQt?Gui*", "plugins/platforms/libqxcb.so", "qt_plugin_instance", rtld_lazy},
    {"libQt?Gui*", "plugins/xcbglintegrations/*", "qt_plugin_instance", rtld_lazy},
    {"libQt?Gui*", "plugins/imageformats/*", "qt_plugin_instance", rtld_lazy},
    {"libgstreamer-1*", "gstreamer-1.0/libgst*.so", "gst_plugin_*", rtld_now},
    {"libopen-pal*", "openmpi/mca_*.so", "mca_*_component", rtld_lazy | rtld_global},
    {"libmpi*", "openmpi/mca_*.so", "mca_*_component", rtld_lazy | rtld_global},
    {"libgdal*", "gdalplugins/gdal_*.so", "GDALRegister*", rtld_lazy},
    {"libgdal*", "gdalplugins/ogr_*.so", "RegisterOGR*", rtld_lazy},
    {"libhdf5*", "plugins/lib*.so", "H5PLget_plugin_*", rtld_lazy},
    {"libhdf5*", "plugin/lib*.so", "H5PLget_plugin_*", rtld_lazy},
});

inline bool is_plugin_of(const PluginHost& host, std::string_view path, const ElfFacts& facts) {
  const std::size_t at = path.rfind(host.plugin.substr(0, host.plugin.find('/') + 1));
  return at != path.npos && (at == 0 || path[at - 1] == '/') && glob_match(host.plugin, path.substr(at)) &&
         facts.dynamic && std::ranges::any_of(facts.dynamic->exports, [&](const Export& symbol) {
           return glob_match(host.entry, symbol.name);
         });
}
inline bool is_plugin(std::string_view path, const ElfFacts& facts) {
  return std::ranges::any_of(plugin_hosts, [&](const PluginHost& host) { return is_plugin_of(host, path, facts); });
}

}  // namespace wheelcheck
