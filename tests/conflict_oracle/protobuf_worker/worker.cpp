// A worker: a library for the server that no Python code opens.
#include "protobuf.h"

extern "C" int run_version() { return google::protobuf::internal::InstalledVersion(); }
