// An inference server: it opens workers for other frameworks, and prints the protobuf version of each.
#include <dlfcn.h>
#include <stdio.h>

#include "module.h"
#include "protobuf.h"

static PyObject* load(PyObject*, PyObject* arguments) {
  const char* path;
  int flags;
  if (!PyArg_ParseTuple(arguments, "si", &path, &flags)) return nullptr;
  void* const worker = dlopen(path, flags);
  if (worker == nullptr) return PyUnicode_FromString(dlerror());
  return PyLong_FromLongLong(reinterpret_cast<int (*)()>(dlsym(worker, "run_version"))());
}

NUMBER(version, google::protobuf::internal::InstalledVersion())
MODULE(_server, {"load", load, 1 /* METH_VARARGS */, nullptr}, METHOD(version))
