#include "kernels/cuda/nvrtc_program.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> all;
  for (const std::string& text : texts) all.push_back(text.c_str());
  return all;
}

/// An NVRTC program that destroys itself.
class Program {
 public:
  Program(const NvrtcLibrary& nvrtc, const std::vector<NamedText>& files) : nvrtc_(nvrtc) {
    std::vector<const char*> texts;
    std::vector<const char*> names;
    for (std::size_t i = 1; i < files.size(); ++i) {
      texts.push_back(files[i].text.c_str());
      names.push_back(files[i].name.c_str());
    }
    check(nvrtc_.create_program(&program_, files[0].text.c_str(), files[0].name.c_str(), static_cast<int>(texts.size()),
                                texts.data(), names.data()));
  }
  ~Program() { nvrtc_.destroy_program(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int compile(const std::vector<std::string>& options) {
    const std::vector<const char*> all = pointers(options);
    return nvrtc_.compile_program(program_, static_cast<int>(all.size()), all.data());
  }

  std::string log() const {
    std::size_t bytes = 0;
    check(nvrtc_.log_size(program_, &bytes));
    std::string text(bytes, '\0');
    check(nvrtc_.log(program_, text.data()));
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  std::string cubin() const {
    std::size_t bytes = 0;
    check(nvrtc_.cubin_size(program_, &bytes));
    std::string code(bytes, '\0');
    check(nvrtc_.cubin(program_, code.data()));
    return code;
  }

 private:
  void check(int result) const {
    KVARIUM_VALIDATE(result == 0, "NVRTC ", nvrtc_.path, " failed: ", nvrtc_.error_string(result));
  }

  const NvrtcLibrary& nvrtc_;
  NvrtcLibrary::Program program_ = nullptr;
};

/// The first errors say what is wrong; the rest follows from them.
std::string trimmed(std::string log) {
  constexpr std::size_t most = 4000;
  if (log.size() <= most) return log;
  log.resize(most);
  return log + "\n... (cut)";
}

}  // namespace

CachedCubin run_nvrtc(const std::vector<NamedText>& files, const std::vector<std::string>& options) {
  const NvrtcLibrary& nvrtc = nvrtc_library();
  Program program(nvrtc, files);
  const int result = program.compile(options);
  KVARIUM_VALIDATE(result == 0, files[0].name, " does not compile with ", join(options, " "), " (",
                   nvrtc.error_string(result), "):\n", trimmed(program.log()));
  return {program.cubin(), program.log()};
}

}  // namespace kvarium
