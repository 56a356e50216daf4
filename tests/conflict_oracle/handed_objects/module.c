/* A module with a static libxml2 in it: its version stands behind xmlParserVersion only, as parser.c has it. `sign` makes
   the check of python-xmlsec's src/main.c: the version of the module that made the objects must be its own. */
#include <dlfcn.h>
#include <string.h>

#include "module.h"

EXPORTED const char* const xmlParserVersion = PARSER_VERSION;
EXPORTED void xmlInitParser(void) {}
EXPORTED void* xmlNewDoc(void) { return NULL; }
EXPORTED void* xmlNewNode(void) { return NULL; }
EXPORTED void xmlFreeDoc(void* document) { (void)document; }
EXPORTED int xmlParseChunk(void) { return 0; }
EXPORTED int xmlParseDocument(void) { return 0; }
EXPORTED void* xmlCtxtReadMemory(void) { return NULL; }

NUMBER(version, PARSER_VERSION[3] * 10 + PARSER_VERSION[4])

MODULE(_xml, METHOD(version))
