// An extension module that asks for the length of a string and for the pages of a document: 5 and 320 are right.
#include "module.h"

#include "text.h"

NUMBER(length, text::length_of("wheel"))
NUMBER(pages, text::Document("Loaders", 320).pages())
MODULE(_text, METHOD(length), METHOD(pages))
