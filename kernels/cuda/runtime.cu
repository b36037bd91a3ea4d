// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/runtime.hpp"

#include <string>

namespace shadow::cuda {

namespace {

/// Only asked whether this binary holds code for a device.
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

std::vector<std::string> find_devices() {
    std::vector<std::string> names;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        static_cast<void>(cudaGetLastError()); // no driver is an answer, not a failure
        return names;
    }
    for (int device = 0; device < count; ++device) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, device), "reading the properties of a GPU");
        names.emplace_back(properties.name);
    }
    return names;
}

/// The stream, when all that was enqueued is on its way.
cudaStream_t caught_up(void* stream) {
    Stream& opened = stream_of(stream);
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

std::vector<std::string> devices() {
    static const std::vector<std::string> found = find_devices();
    return found;
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
        opened->queue.emplace(GraphDevice(opened->stream), GraphDevice::supported());
        check(cudaDeviceGetAttribute(&opened->multiprocessors, cudaDevAttrMultiProcessorCount,
                                     device),
              "counting multiprocessors");
        if (cudaMalloc(&opened->scratch, scratch_bytes) != cudaSuccess)
            out_of_memory(scratch_bytes);
    } catch (...) {
        close_stream(opened);
        throw;
    }
    return opened;
}

void close_stream(void* stream) noexcept {
    auto* opened = static_cast<Stream*>(stream);
    static_cast<void>(cudaFree(opened->scratch)); // waits for the work that uses it
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

void set_replay(void* stream, bool on) {
    stream_of(stream).queue->set(on && GraphDevice::supported());
}

void set_small_steps(void* stream, bool on) {
    stream_of(stream).queue->set_small(on);
}

std::int64_t small_graphs(void* stream) {
    return stream_of(stream).queue->small_graphs();
}

void* allocate(void* stream, std::size_t bytes) {
    Stream& opened = stream_of(stream);
    check(cudaSetDevice(opened.device), "selecting the device");
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
        stream_of(stream).queue->flush();
    } catch (const MachineError&) {
        // The device has failed, and whoever waits for it will say so.
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

void copy_within(void* stream, void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, caught_up(stream)),
          "copying on the device");
}

void fill_zero(void* stream, void* memory, std::size_t bytes) {
    if (bytes == 0) return;
    check(cudaMemsetAsync(memory, 0, bytes, caught_up(stream)), "clearing memory");
}

} // namespace shadow::cuda
