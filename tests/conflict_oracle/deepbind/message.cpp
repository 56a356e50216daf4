#include "message.h"

Message::~Message() = default;
Reply::~Reply() = default;
