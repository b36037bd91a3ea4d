// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/runtime.hpp"

#include <string>

namespace shadow::cuda {

namespace {

/// Used only to test whether this binary has code for a device.
__global__ void probe() {}

std::string mebibytes(std::size_t bytes) {
    return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

[[noreturn]] void out_of_memory(std::size_t bytes) {
    std::size_t available = 0, total = 0;
    static_cast<void>(cudaMemGetInfo(&available, &total));
    throw MachineError("cannot allocate " + mebibytes(bytes) + " on the GPU (" +
                       mebibytes(available) + " of " + mebibytes(total) +
                       " are free); use fewer particles or device = \"cpu\"");
}

/// Architectures for which this binary has code, the lowest first: 800, 900.
constexpr int built_for[] = {__CUDA_ARCH_LIST__};

/// Why a GPU cannot be used; "" if it can.
std::string unusable(const cudaDeviceProp& gpu) {
    const int capability = 100 * gpu.major + 10 * gpu.minor;
    if (capability >= built_for[0]) return "";
    return "its architecture " + std::to_string(gpu.major) + "." + std::to_string(gpu.minor) +
           " is below " + std::to_string(built_for[0] / 100) + "." +
           std::to_string(built_for[0] % 100 / 10) + ", the lowest of this binary";
}

/// Why the driver reports no GPU; "" if there is none, or no driver.
std::string no_devices(cudaError_t status) {
    int driver = 0;
    static_cast<void>(cudaGetLastError());
    static_cast<void>(cudaDriverGetVersion(&driver));
    if (driver == 0 || status == cudaErrorNoDevice) return "";
    if (status != cudaErrorInsufficientDriver) return cudaGetErrorString(status);
    constexpr int needed = CUDART_VERSION / 1000 * 1000; // any version of one generation
    return "the driver is too old: it knows CUDA " + version_text(driver) + ", this binary needs " +
           version_text(needed);
}

Gpus find_devices() {
    Gpus found;
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
        found.problem = no_devices(status);
        return found;
    }
    for (int device = 0; device < count; ++device) {
        cudaDeviceProp properties{};
        const cudaError_t status = cudaGetDeviceProperties(&properties, device);
        if (status == cudaSuccess) {
            found.all.push_back({properties.name, unusable(properties)});
        } else {
            static_cast<void>(cudaGetLastError());
            found.all.push_back({"without a name", cudaGetErrorString(status)});
        }
    }
    return found;
}

/// Makes the device of this stream current for the following calls of the runtime; a thread may use
/// several.
Stream& selected(void* stream) {
    Stream& opened = stream_of(stream);
    check(cudaSetDevice(opened.device), "selecting the device");
    return opened;
}

/// The stream, after all launches recorded so far have been submitted.
cudaStream_t caught_up(void* stream) {
    Stream& opened = selected(stream);
    opened.queue->flush();
    return opened.stream;
}

} // namespace

void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    throw MachineError(std::string("the GPU failed while ") + doing + " (" +
                       cudaGetErrorString(status) +
                       "); restart from the last checkpoint, or use device = \"cpu\"");
}

void FreeDeviceMemory::operator()(std::byte* memory) const noexcept {
    static_cast<void>(cudaFree(memory)); // waits for the kernels that may use it
}

DeviceMemory reserve_device_memory(std::size_t bytes) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        return nullptr;
    }
    return DeviceMemory(static_cast<std::byte*>(memory));
}

bool is_built() noexcept {
    return true;
}

Gpus devices() {
    static const Gpus found = find_devices();
    return found;
}

std::string driver() {
    int version = 0;
    check(cudaDriverGetVersion(&version), "reading the version of the driver");
    return version_text(version);
}

void* open_stream(int device) {
    check(cudaSetDevice(device), "selecting the device");
    cudaFuncAttributes attributes{};
    const cudaError_t probed = cudaFuncGetAttributes(&attributes, probe);
    if (probed == cudaErrorNoKernelImageForDevice || probed == cudaErrorInvalidDeviceFunction) {
        static_cast<void>(cudaGetLastError());
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, device), "reading the properties of a GPU");
        const std::string capability =
            std::to_string(properties.major) + std::to_string(properties.minor);
        throw MachineError(std::string(properties.name) +
                           " cannot be used (this binary holds no code for it); build with "
                           "-DCMAKE_CUDA_ARCHITECTURES=" +
                           capability + ", or use device = \"cpu\"");
    }
    check(probed, "loading the kernels");
    auto* opened = new Stream;
    try {
        opened->device = device;
        check(cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking),
              "opening a stream");
        std::string lacks;
        const ReplayMode best = GraphDevice::best(device, lacks);
        opened->queue.emplace(GraphDevice(device, opened->stream), best, lacks);
        check(cudaDeviceGetAttribute(&opened->multiprocessors, cudaDevAttrMultiProcessorCount,
                                     device),
              "counting multiprocessors");
        if (cudaMalloc(&opened->scratch, scratch_bytes) != cudaSuccess ||
            cudaMalloc(&opened->blocks_done, sizeof(unsigned)) != cudaSuccess)
            out_of_memory(scratch_bytes);
        check(cudaMemsetAsync(opened->blocks_done, 0, sizeof(unsigned), opened->stream),
              "clearing memory");
    } catch (...) {
        close_stream(opened);
        throw;
    }
    return opened;
}

void close_stream(void* stream) noexcept {
    auto* opened = static_cast<Stream*>(stream);
    static_cast<void>(cudaSetDevice(opened->device));
    static_cast<void>(cudaFree(opened->scratch)); // waits for the work that uses it
    static_cast<void>(cudaFree(opened->blocks_done));
    opened->queue.reset();
    if (opened->stream) static_cast<void>(cudaStreamDestroy(opened->stream));
    delete opened;
}

void synchronize(void* stream) {
    check(cudaStreamSynchronize(caught_up(stream)), "waiting for the device");
}

void mark_step(void* stream) {
    stream_of(stream).queue->mark_step();
}

void set_replay(void* stream, ReplayMode mode) {
    stream_of(stream).queue->set_mode(mode);
}

ReplayReport replay_report(void* stream) {
    return stream_of(stream).queue->report();
}

void* allocate(void* stream, std::size_t bytes) {
    Stream& opened = selected(stream);
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        out_of_memory(bytes);
    }
    check(cudaGetLastError(), "allocating memory");
    check(cudaMemsetAsync(memory, 0, bytes, opened.stream), "clearing memory");
    return memory;
}

void deallocate(void* stream, void* memory) noexcept {
    try {
        selected(stream).queue->flush();
    } catch (const MachineError&) {
        // The device has failed; the next call that waits for it throws.
    }
    static_cast<void>(cudaFree(memory)); // waits for the kernels that may use it
}

void copy_to_device(void* stream, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const cudaStream_t queue = caught_up(stream);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, queue), "copying to the device");
    check(cudaStreamSynchronize(queue), "copying to the device");
}

void copy_to_host(void* stream, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const cudaStream_t queue = caught_up(stream);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, queue),
          "copying from the device");
    check(cudaStreamSynchronize(queue), "copying from the device");
}

void fill_zero(void* stream, void* memory, std::size_t bytes) {
    if (bytes == 0) return;
    check(cudaMemsetAsync(memory, 0, bytes, caught_up(stream)), "clearing memory");
}

} // namespace shadow::cuda
