__attribute__((visibility("default"))) int answer(void) { return 16; }
