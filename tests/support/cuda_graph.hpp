#pragma once

#include <functional>

#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/stream.hpp"

namespace kvarium::test {

/// What `work` puts on a stream, captured once and launched as often as wanted.
class CudaGraph {
 public:
  CudaGraph(const CudaStream& stream, const std::function<void()>& work) {
    constexpr int thread_local_mode = 1;
    driver::Graph graph = nullptr;
    KVARIUM_DRIVER(stream_begin_capture, stream.handle(), thread_local_mode);
    work();
    KVARIUM_DRIVER(stream_end_capture, stream.handle(), &graph);
    KVARIUM_DRIVER(graph_instantiate, &executable_, graph, 0);
    KVARIUM_DRIVER(graph_destroy, graph);
  }
  ~CudaGraph() { driver_library().graph_executable_destroy(executable_); }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  void launch(const CudaStream& stream) const { KVARIUM_DRIVER(graph_launch, executable_, stream.handle()); }

 private:
  driver::Graph executable_ = nullptr;
};

}  // namespace kvarium::test
