#include "experiments/results/proportion.hpp"

#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "experiments/results/binomial.hpp"

using namespace kvarium;
using Catch::Approx;

TEST_CASE("the incomplete beta function sums binomial probabilities", "[experiments][results]") {
  // P(at least 2 of 4 at 0.4) = 1 - 0.6^4 - 4 * 0.4 * 0.6^3.
  CHECK(incomplete_beta(2, 3, 0.4) == Approx(0.5248).epsilon(1e-13));
  CHECK(incomplete_beta(1, 1, 0.3) == Approx(0.3).epsilon(1e-14));
  CHECK(incomplete_beta(0.5, 0.5, 0.5) == Approx(0.5).epsilon(1e-13));
  CHECK(binomial_distribution(1, 6, 0.5) == Approx(7.0 / 64).epsilon(1e-13));
  CHECK(binomial_distribution(0, 1000000, 1e-6) == Approx(std::exp(1e6 * std::log1p(-1e-6))).epsilon(1e-10));
  CHECK(binomial_distribution(6, 6, 0.5) == 1);
}

TEST_CASE("quantiles of the normal distribution are the tabulated ones", "[experiments][results]") {
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-13));
  CHECK(normal_quantile(0.5) == Approx(0).margin(1e-15));
  CHECK(normal_quantile(0.001) == Approx(-3.090232306167813).epsilon(1e-12));
}

// Published intervals: R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
// Medicine 17 (1998), table I, method 5 (Clopper-Pearson exact).
TEST_CASE("Clopper-Pearson intervals are the published ones", "[experiments][results]") {
  struct Published {
    std::int64_t count, total;
    double low, high;
  };
  for (const auto& [count, total, low, high] :
       {Published{81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {0, 20, 0, 0.1684}, {1, 29, 0.0009, 0.1776}}) {
    CAPTURE(count, total);
    const Proportion proportion = clopper_pearson_interval(count, total);
    CHECK(proportion.low == Approx(low).margin(5e-5));
    CHECK(proportion.high == Approx(high).margin(5e-5));
  }
  // Closed forms: no success leaves 1 - (1 - level)/2 ^ (1/n).
  CHECK(clopper_pearson_interval(0, 1000000).high == Approx(1 - std::pow(0.025, 1e-6)).epsilon(1e-9));
  CHECK(clopper_pearson_interval(20, 20, 0.99).low == Approx(std::pow(0.005, 1.0 / 20)).epsilon(1e-12));
  CHECK(std::isnan(clopper_pearson_interval(0, 0).low));
}

TEST_CASE("the ends of an exact interval leave half the error probability on each side", "[experiments][results]") {
  for (const std::int64_t count : {1, 7, 250, 999}) {
    CAPTURE(count);
    const Proportion interval = clopper_pearson_interval(count, 1000, 0.9);
    CHECK(binomial_distribution(count, 1000, interval.high) == Approx(0.05).epsilon(1e-9));
    CHECK(1 - binomial_distribution(count - 1, 1000, interval.low) == Approx(0.05).epsilon(1e-9));
  }
}

TEST_CASE("a stratified share weighs its strata, not their trials", "[experiments][results]") {
  const std::array strata{Stratum{0.9, 10, 1000}, Stratum{0.1, 500, 1000}};

  const Proportion total = stratified_interval(strata);

  CHECK(total.rate == Approx(0.9 * 0.01 + 0.1 * 0.5));
  const double variance = 0.81 * 0.01 * 0.99 / 1000 + 0.01 * 0.25 / 1000;
  CHECK(total.high - total.low == Approx(2 * 1.96 * std::sqrt(variance)).epsilon(0.05));
  CHECK(total.low < total.rate);
  CHECK(total.rate < total.high);
}

TEST_CASE("one stratum, or strata in proportion, give the plain interval", "[experiments][results]") {
  const Proportion plain = wilson_interval(30, 200);
  const std::array one{Stratum{1, 30, 200}};
  const std::array alike{Stratum{1, 15, 100}, Stratum{1, 15, 100}};

  CHECK(stratified_interval(one).low == Approx(plain.low));
  CHECK(stratified_interval(alike).low == Approx(plain.low));
  CHECK(stratified_interval(alike).high == Approx(plain.high));
}

TEST_CASE("a stratum that counts and was never tried leaves no share", "[experiments][results]") {
  const std::array strata{Stratum{0.5, 1, 2}, Stratum{0.5, 0, 0}};
  const std::array weightless{Stratum{0.5, 1, 2}, Stratum{0, 0, 0}};

  CHECK(std::isnan(stratified_interval(strata).rate));
  CHECK(stratified_interval(weightless).rate == Approx(0.5));
}

TEST_CASE("McNemar's test counts the trials that only one of two points saw", "[experiments][results]") {
  CHECK(mcnemar_test({100, 1, 5, 3}) == Approx(14.0 / 64));
  CHECK(mcnemar_test({7, 0, 10, 0}) == Approx(2.0 / 1024));
  CHECK(mcnemar_test({0, 3, 3, 9}) == 1);
  CHECK(mcnemar_test({50, 0, 0, 50}) == 1);
}
