#pragma once

#include <string>
#include <vector>

#include "experiments/plan/load_experiment.hpp"
#include "experiments/yaml/error_list.hpp"
#include "experiments/yaml/yaml_node.hpp"

namespace kvarium {

/// An experiment's document with everything it `extends` merged in.
struct MergedDocument {
  YamlNode node;                     ///< without `extends`; every place is that of the file it was written in
  std::vector<std::string> parents;  ///< names of the files merged in, the nearest first
};

/// Reads the document and, where it has a key `extends`, the file named there (relative to the file that names it), its
/// parent in turn, and so on. The nearer file wins: maps are merged key by key, the values of a swept key and all else
/// replace what the parent has, and a key with nothing after its colon takes the parent's away. A model dump that a
/// parent names relative to itself is found there. Errors: InputError for text that is no YAML; files that cannot be
/// read or extend themselves go to `errors`.
MergedDocument read_merged(const ExperimentSource& source, ErrorList& errors);

/// The experiment as one file that needs no other: the text itself where it extends nothing.
std::string whole_text(const ExperimentSource& source, const MergedDocument& document);

}  // namespace kvarium
