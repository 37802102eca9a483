#pragma once

namespace kvarium {

constexpr float log2_of_e = 1.44269504088896341F;

/// e^x by the power of 2 that the hardware has; relative error 2^-22 and, for large |x|, |x| * 2^-24.
inline float exponential(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * log2_of_e));
  return power;
}

}  // namespace kvarium
