#include "kernels/cuda/stream.hpp"

#include "kernels/cuda/context.hpp"
#include "kernels/cuda/driver_library.hpp"

namespace kvarium {

CudaStream::CudaStream() {
  ensure_context();
  KVARIUM_DRIVER(stream_create, &handle_, driver::stream_non_blocking);
}

CudaStream::~CudaStream() {
  if (handle_ != nullptr) driver_library().stream_destroy(handle_);
}

void CudaStream::synchronize() const { synchronize_stream(handle_); }

void synchronize_stream(void* stream) { KVARIUM_DRIVER(stream_synchronize, stream); }

void order_streams(void* earlier, void* later) {
  if (earlier == later) return;
  CudaEvent event(CudaEvent::Use::order);
  event.record(earlier);
  event.make_wait(later);
}

CudaEvent::CudaEvent(Use use) {
  ensure_context();
  KVARIUM_DRIVER(event_create, &handle_, use == Use::time ? 0 : driver::event_disable_timing);
}

CudaEvent::~CudaEvent() {
  if (handle_ != nullptr) driver_library().event_destroy(handle_);
}

void CudaEvent::record(void* stream) { KVARIUM_DRIVER(event_record, handle_, stream); }

void CudaEvent::make_wait(void* stream) const { KVARIUM_DRIVER(stream_wait_event, stream, handle_, 0); }

void CudaEvent::synchronize() const { KVARIUM_DRIVER(event_synchronize, handle_); }

bool CudaEvent::has_happened() const {
  constexpr int not_ready = 600;
  const int result = driver_library().event_query(handle_);
  if (result != not_ready) detail::check_driver(result, "event_query", __FILE__, __LINE__);
  return result != not_ready;
}

float CudaEvent::milliseconds_since(const CudaEvent& start) const {
  float milliseconds = 0;
  KVARIUM_DRIVER(event_elapsed_time, &milliseconds, start.handle_, handle_);
  return milliseconds;
}

}  // namespace kvarium
