// An extension module that prints the length of a string and the number of pages of a document: 5 and 320 are correct.
#include "module.h"

#include "text.h"

NUMBER(length, text::length_of("wheel"))
NUMBER(pages, text::Document("Loaders", 320).pages())
MODULE(_text, METHOD(length), METHOD(pages))
