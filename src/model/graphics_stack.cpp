#include "model/graphics_stack.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/library_name.h"

namespace wheelcheck {
namespace {

constexpr auto libraries = std::to_array<std::string_view>(
    {"libEGL.so.1", "libGLESv1_CM.so.1", "libGLESv2.so.2", "libGLX.so.0", "libGLdispatch.so.0", "libOpenGL.so.0",
     "libgbm.so.1", "libva-drm.so.2", "libva-wayland.so.2", "libva-x11.so.2", "libva.so.2", "libvdpau.so.1"});

}  // namespace

std::string_view graphics_library(std::string_view file_name) {
  const std::string name = plain_library_name(file_name);
  const auto* const found = std::ranges::find_if(libraries, [&](std::string_view soname) {
    return name.starts_with(soname) && (name.size() == soname.size() || name[soname.size()] == '.');
  });
  return found == libraries.end() ? std::string_view() : *found;
}

bool is_of_webkit(std::string_view soname) {
  return soname.starts_with("libwebkit2gtk-") || soname.starts_with("libwebkitgtk-") ||
         soname.starts_with("libjavascriptcoregtk-");
}

bool is_graphics_driver(std::string_view file_name) {
  const std::string name = plain_library_name(file_name);
  return name.ends_with("_dri.so") || name.starts_with("libgallium") || name.starts_with("libEGL_mesa.so") ||
         name.starts_with("libGLX_mesa.so");
}

}  // namespace wheelcheck
