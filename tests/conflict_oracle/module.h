/* The few parts of CPython's stable ABI that the modules here use, declared by hand (PEP 384): no headers of Python's
   are needed, and any Python 3.8 or later imports what is made of them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Object PyObject;
typedef struct {
  const char* name;
  PyObject* (*function)(PyObject*, PyObject*);
  int flags;
  const char* doc;
} PyMethodDef;
typedef struct {
  struct {
    intptr_t references;
    void* type;
    PyObject* (*init)(void);
    intptr_t index;
    PyObject* copy;
  } base;
  const char* name;
  const char* doc;
  intptr_t size;
  PyMethodDef* methods;
  void *slots, *traverse, *clear, *free;
} PyModuleDef;

PyObject* PyModule_Create2(PyModuleDef*, int);
PyObject* PyLong_FromLongLong(long long);
PyObject* PyUnicode_FromString(const char*);
int PyArg_ParseTuple(PyObject*, const char*, ...);

#ifdef __cplusplus
}
#define EXPORTED extern "C" __attribute__((visibility("default")))
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* NUMBER(f, expression): a function f() of the module; TEXT likewise. METHOD(f) goes into the module's list. */
#define NUMBER(NAME, EXPRESSION)                               \
  static PyObject* py_##NAME(PyObject* self, PyObject* none) { \
    (void)self, (void)none;                                    \
    return PyLong_FromLongLong(EXPRESSION);                    \
  }
#define TEXT(NAME, EXPRESSION)                                 \
  static PyObject* py_##NAME(PyObject* self, PyObject* none) { \
    (void)self, (void)none;                                    \
    return PyUnicode_FromString(EXPRESSION);                   \
  }
#define METHOD(NAME) {#NAME, py_##NAME, 4 /* METH_NOARGS */, NULL}
#define MODULE(NAME, ...)                                                                                       \
  static PyMethodDef methods[] = {__VA_ARGS__, {NULL, NULL, 0, NULL}};                                          \
  static PyModuleDef definition = {{1, NULL, NULL, 0, NULL}, #NAME, NULL, -1, methods, NULL, NULL, NULL, NULL}; \
  EXPORTED PyObject* PyInit_##NAME(void) { return PyModule_Create2(&definition, 3 /* of the stable ABI */); }
