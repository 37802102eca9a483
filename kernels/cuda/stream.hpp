#pragma once

#include <utility>

namespace kvarium {

/// An owned stream of the current context that does not wait for the default stream.
class CudaStream {
 public:
  CudaStream();
  ~CudaStream();
  CudaStream(CudaStream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  CudaStream& operator=(CudaStream&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  /// The CUstream, as launches take it.
  void* handle() const { return handle_; }
  /// Waits until everything on the stream is done. Errors: DriverError, also for earlier asynchronous failures.
  void synchronize() const;

 private:
  void* handle_ = nullptr;
};

/// Waits for a stream given by handle (null: the default stream). Errors: DriverError.
void synchronize_stream(void* stream);
/// Makes later work on `later` wait for all that is on `earlier` now; the host does not wait. Errors: DriverError.
void order_streams(void* earlier, void* later);

/// A point in a stream's work whose time is known afterwards.
class CudaEvent {
 public:
  /// An event for order alone is cheaper and has no time.
  enum class Use { time, order };

  explicit CudaEvent(Use use = Use::time);
  ~CudaEvent();
  CudaEvent(CudaEvent&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  CudaEvent& operator=(CudaEvent&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  /// Puts the event on `stream`, behind all that is there. Errors: DriverError.
  void record(void* stream);
  /// Makes later work on `stream` wait for this event; the host does not wait.
  void make_wait(void* stream) const;
  /// Waits until the event has happened. Errors: DriverError.
  void synchronize() const;
  /// Whether the work before the event is done. Errors: DriverError, also for earlier asynchronous failures.
  bool has_happened() const;
  /// Milliseconds from `start` to this event; both must have happened.
  float milliseconds_since(const CudaEvent& start) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace kvarium
