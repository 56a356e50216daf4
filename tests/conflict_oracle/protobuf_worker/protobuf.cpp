#include "protobuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace google::protobuf {
namespace internal {

void VerifyVersion(int headers, int needed, const char* file) {
  if (needed <= PROTOBUF_VERSION) return;
  fprintf(stderr,
          "[libprotobuf FATAL %s] This program requires version %d of the Protocol Buffer runtime library, "
          "but the installed version is %d (headers %d).\n",
          file, needed, PROTOBUF_VERSION, headers);
  abort();
}
int InstalledVersion() { return PROTOBUF_VERSION; }

}  // namespace internal

DescriptorPool* DescriptorPool::internal_generated_pool() {
  static DescriptorPool* const pool = new DescriptorPool;
  return pool;
}

void DescriptorPool::InternalAddGeneratedFile(const char* name) {
  for (const char*& file : files_) {
    if (file == nullptr) {
      file = name;
      return;
    }
    if (strcmp(file, name) != 0) continue;
    fprintf(stderr, "[libprotobuf ERROR descriptor_database.cc] File already exists in database: %s\n", name);
    abort();
  }
}

// Runs before main, like code that protoc generates.
namespace {
struct Generated {
  Generated() {
    internal::VerifyVersion(PROTOBUF_VERSION, PROTOBUF_VERSION, "service.pb.cc");
    DescriptorPool::internal_generated_pool()->InternalAddGeneratedFile("service.proto");
  }
} generated;
}  // namespace

}  // namespace google::protobuf
