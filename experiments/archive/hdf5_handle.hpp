#pragma once

#include <hdf5.h>

#include <utility>

namespace kvarium {

/// Owner of one HDF5 identifier; closes it when it goes out of scope.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  /// A negative `id` (how HDF5 reports failure) makes an invalid handle.
  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  hid_t get() const { return id_; }
  bool is_valid() const { return id_ >= 0; }

  /// Gives the identifier up without closing it.
  void abandon() { id_ = H5I_INVALID_HID; }

  /// Closes now. Returns false when HDF5 could not, which for a file means that not everything was written.
  bool close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

}  // namespace kvarium
