#include "tests/support/all_cores.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace kvarium::test {

void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t index = next++; index < count; index = next++) work(index);
  };
  std::vector<std::thread> threads;
  for (unsigned int i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) threads.emplace_back(take);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace kvarium::test
