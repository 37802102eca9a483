#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kvarium {

/// Settings of any fault model; each model lists the ones it takes, the others keep their defaults. "any" draws one of
/// the other values in each trial.
struct FaultParameters {
  std::string tensor = "any";             ///< tensor struck: key, value, or either
  std::string bits = "any";               ///< part of an element struck: sign, exponent, mantissa, or any bit
  std::string permutation = "any";        ///< kind of permutation
  std::int64_t lane = -1;                 ///< bit of a word struck, from its lowest; -1: any
  std::int64_t flips = 2;                 ///< words struck in one lane
  std::int64_t word_bytes = 8;            ///< width of a word
  std::string placement = "consecutive";  ///< of struck words: consecutive, or scattered over a block
  std::string drive = "any";              ///< what a lane is driven to
  std::int64_t burst_bytes = 8;           ///< consecutive bytes struck
  std::int64_t mask_bits = 0;             ///< bits turned over; 0: each one with probability 1/2
  std::int64_t stride_bytes = 64;         ///< between struck bytes of a line
  std::int64_t extent_bytes = 1024;       ///< memory that a stuck line spans
  std::string forced = "bit";             ///< what of a struck byte of a line is driven: one bit, or all
  std::string layers = "any";             ///< whether one layer is struck or all
  std::string wrong_id = "any";           ///< which block a wrong block id names
  double fraction = 0.5;                  ///< share of the lines of a block that are old
  std::string kept = "any";               ///< part of a torn write that arrived
  std::int64_t granularity_bytes = 64;    ///< unit in which writes are torn
  std::string filler = "any";             ///< what stands where nothing was written
  std::string overwrite = "any";          ///< how a whole block is spoiled
  std::string component = "any";          ///< part of a sequence's cache that never came
  std::string off_by_one = "any";         ///< which count of tokens is one off
  std::int64_t overrun_bytes = 64;        ///< bytes written past a block's end
  std::string misreading = "any";         ///< writer's and reader's order of a block
  std::string shard = "any";              ///< how heads reach wrong ranks
  std::int64_t ranks = 2;                 ///< tensor-parallel size
  std::string garbage = "any";            ///< what garbage is
  std::string exchanged = "any";          ///< which slices are exchanged
  std::string reading = "any";            ///< what a reader has wrong: scale or element type
  std::string source_error = "any";       ///< how the producer was wrong
  std::string damage = "any";             ///< what happens to a checksum record

  bool operator==(const FaultParameters&) const = default;
};

/// One setting as a reader of configurations sees it.
struct FaultParameterInfo {
  using Member =
      std::variant<std::string FaultParameters::*, std::int64_t FaultParameters::*, double FaultParameters::*>;

  std::string name;
  std::string description;
  Member member;
  std::vector<std::string> allowed = {};  ///< of a text; the default comes first
  std::string unit = "";                  ///< of a number
  double minimum = 0;                     ///< of a number
  double maximum = 0;
  bool is_power_of_two = false;

  /// Whether the setting still has its default.
  bool is_default(const FaultParameters& parameters) const;
  /// The value as a configuration would hold it.
  std::string text(const FaultParameters& parameters) const;
  /// What is wrong with the value, or "".
  std::string problem(const FaultParameters& parameters) const;
};

/// All settings, in the order of FaultParameters.
const std::vector<FaultParameterInfo>& fault_parameter_infos();

/// The setting called `name`. Errors: InputError that lists the known names.
const FaultParameterInfo& fault_parameter_info(const std::string& name);
/// The setting behind a member.
const FaultParameterInfo& fault_parameter_info(std::string FaultParameters::*member);

}  // namespace kvarium
