// Libraries that load the graphics driver of the machine (Mesa, NVIDIA), or that the driver loads: libglvnd, libgbm,
// libva, libvdpau. A driver works only with the copy of the system that it belongs to.
#pragma once

#include <string_view>

namespace wheelcheck {

// The soname of such a library, by its file name or that of a bundled copy: "libgbm.so.1" for
// "libgbm-d69d73a7.so.1.0.0". "" for other libraries, also libEGL.so of Chromium, which is another library, and
// libGL.so.1, which every policy allows.
std::string_view graphics_library(std::string_view file_name);

// True for WebKitGTK, which every desktop has or installs as a whole: it starts programs of its own by absolute paths
// (WebKitGTK, Source/WebKit/Shared/glib/ProcessExecutablePathGLib.cpp).
bool is_of_webkit(std::string_view soname);

// True for a file of a driver itself: with one of these, a wheel brings the whole stack (Open3D).
bool is_graphics_driver(std::string_view file_name);

}  // namespace wheelcheck
