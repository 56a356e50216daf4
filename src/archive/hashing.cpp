#include "archive/hashing.h"

#include "archive/inflate.h"

namespace wheelcheck::archive {

Hashing::~Hashing() { finish(); }

std::span<std::byte> Hashing::buffer() {
  if (!buffers_) {
    if (idle_ == nullptr || !idle_->try_start([this] { hash_what_comes(); })) return {};
    const std::lock_guard lock(mutex_);
    buffers_ = std::make_unique_for_overwrite<std::byte[]>(depth * chunk_size);
  }
  std::unique_lock lock(mutex_);
  change_.wait(lock, [&] { return made_ - hashed_ < depth; });
  return {buffers_.get() + made_ % depth * chunk_size, chunk_size};
}

void Hashing::update(std::span<const std::byte> chunk) {
  if (!buffers_) return hash_.update(chunk);
  const std::lock_guard lock(mutex_);
  chunks_[made_ % depth] = chunk;
  ++made_;
  change_.notify_all();
}

void Hashing::hash_what_comes() {
  std::unique_lock lock(mutex_);
  for (;;) {
    change_.wait(lock, [&] { return made_ > hashed_ || ended_; });
    if (made_ == hashed_) break;
    const std::span<const std::byte> chunk = chunks_[hashed_ % depth];
    lock.unlock();
    hash_.update(chunk);
    lock.lock();
    ++hashed_;
    change_.notify_all();
  }
  gone_ = true;
  change_.notify_all();
}

void Hashing::finish() {
  if (!buffers_) return;
  std::unique_lock lock(mutex_);
  ended_ = true;
  change_.notify_all();
  change_.wait(lock, [&] { return gone_; });
}

std::string Hashing::hex() {
  finish();
  return hash_.hex();
}

}  // namespace wheelcheck::archive
