#pragma once

#include <string>
#include <vector>

namespace kvarium {

// Texts that keys of a configuration allow; those of registries in list order, "none" first where nothing is a choice.

std::vector<std::string> known_layouts();
std::vector<std::string> known_element_types();
/// Types of queries and outputs: those of elements without fp8.
std::vector<std::string> known_query_types();
std::vector<std::string> known_devices();
/// Devices whose limits a family may be held to, "native" (the present one) first.
std::vector<std::string> known_device_profiles();
std::vector<std::string> known_combines();
std::vector<std::string> known_verifications();
std::vector<std::string> known_variants();
std::vector<std::string> known_checksums();
std::vector<std::string> known_faults();
std::vector<std::string> known_fault_stages();
std::vector<std::string> known_fault_presets();
std::vector<std::string> known_kinds();
std::vector<std::string> known_defects();
std::vector<std::string> known_transfer_paths();
/// Layouts of an engine of a transfer, "as_cache" first.
std::vector<std::string> known_engine_layouts();

}  // namespace kvarium
