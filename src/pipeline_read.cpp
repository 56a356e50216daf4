// Reading by way of the cache: the one verb that writes, and only there.
#include "cache/cache.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

Result<WheelFacts> read_kept(const std::string& path, const Settings& settings, unsigned jobs,
                             const Progress& progress) {
  const auto read_wheel = [&] { return read(path, settings.limits, jobs, progress); };
  if (settings.cache.empty()) return read_wheel();
  return cache::read(path, settings.limits, {settings.cache, settings.cache_bytes}, read_wheel);
}

}  // namespace wheelcheck
