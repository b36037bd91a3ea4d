// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/hdf5.hpp"

#include "src/io/hdf5_calls.hpp"

namespace shadow::hdf5 {
namespace {

/// Initialises HDF5; at exit it must not try again to save files that it could not save before.
void initialise() {
    static const bool done = [] {
        H5dont_atexit();
        H5open();
        enter_thread();
        return true;
    }();
    static_cast<void>(done);
}

/// File access properties. A file being written is closed together with all its objects, so that it
/// is complete then; a file being read is closed with its last object. File systems without locks
/// are accepted.
Handle file_access(bool write) {
    Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fclose_degree(access.get(), write ? H5F_CLOSE_STRONG : H5F_CLOSE_WEAK);
    H5Pset_file_locking(access.get(), write, true);
    return access;
}

Handle parents() {
    Handle list(H5Pcreate(H5P_LINK_CREATE));
    H5Pset_create_intermediate_group(list.get(), 1);
    return list;
}

/// How arrays are created: without creation times, so that equal contents make equal files.
Handle array_layout() {
    Handle list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_obj_track_times(list.get(), false);
    return list;
}

/// "file.h5: /group" + "name".
std::string inside(const std::string& place, const std::string& path) {
    return place + (place.ends_with('/') ? "" : "/") + path;
}

/// Does every part of `path` exist? (H5Lexists checks only the last one.)
bool exists(hid_t group, const std::string& path) {
    for (std::size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
        if (H5Lexists(group, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) break;
        if (slash == std::string::npos) return true;
    }
    H5Eclear2(H5E_DEFAULT);
    return false;
}

bool is_kind(hid_t group, const std::string& path, H5O_type_t kind) {
    H5O_info_t info;
    const bool found =
        exists(group, path) &&
        H5Oget_info_by_name2(group, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
        info.type == kind;
    H5Eclear2(H5E_DEFAULT);
    return found;
}

} // namespace

void enter_thread() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
    if (id_ >= 0 && H5Idec_ref(id_) < 0) H5Eclear2(H5E_DEFAULT);
}

bool Group::has(const std::string& path) const {
    return exists(handle_.get(), path);
}

bool Group::has_group(const std::string& path) const {
    return is_kind(handle_.get(), path, H5O_TYPE_GROUP);
}

bool Group::has_dataset(const std::string& path) const {
    return is_kind(handle_.get(), path, H5O_TYPE_DATASET);
}

std::vector<std::string> Group::names() const {
    std::vector<std::string> found;
    const herr_t status = H5Literate(
        handle_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
            static_cast<std::vector<std::string>*>(data)->emplace_back(name);
            return 0;
        },
        &found);
    if (status < 0) fail_reading(place_, "the group cannot be listed");
    return found;
}

Group Group::group(const std::string& path) const {
    if (!has_group(path))
        fail_reading(inside(place_, path), "there is no such group", "the file has other contents");
    return {reading(H5Gopen2(handle_.get(), path.c_str(), H5P_DEFAULT), inside(place_, path),
                    "the group cannot be opened"),
            inside(place_, path)};
}

Dataset Group::dataset(const std::string& path) const {
    if (!has_dataset(path))
        fail_reading(inside(place_, path), "there is no such array", "the file has other contents");
    return {reading(H5Dopen2(handle_.get(), path.c_str(), H5P_DEFAULT), inside(place_, path),
                    "the array cannot be opened"),
            inside(place_, path)};
}

Group Group::make_group(const std::string& path) {
    if (has_group(path)) return group(path);
    return {
        writing(H5Gcreate2(handle_.get(), path.c_str(), parents().get(), H5P_DEFAULT, H5P_DEFAULT),
                inside(place_, path), "the group cannot be made"),
        inside(place_, path)};
}

Dataset Group::write_raw(const std::string& path, const void* from, Type type, std::size_t count,
                         const Shape& shape) {
    Dataset dataset(
        writing(H5Dcreate2(handle_.get(), path.c_str(), native(type), space_of(shape).get(),
                           parents().get(), array_layout().get(), H5P_DEFAULT),
                inside(place_, path), "the array cannot be made"),
        inside(place_, path));
    if (count > 0 &&
        H5Dwrite(dataset.handle_.get(), native(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, from) < 0)
        fail_writing(dataset.place_, "the array cannot be written");
    return dataset;
}

Dataset Group::write_appendable(const std::string& path, Type stored, const Shape& row,
                                const Shape& chunk) {
    std::vector<hsize_t> sizes{0}, limits{H5S_UNLIMITED};
    sizes.insert(sizes.end(), row.begin(), row.end());
    limits.insert(limits.end(), row.begin(), row.end());
    const std::vector<hsize_t> chunks(chunk.begin(), chunk.end());
    const auto rank = static_cast<int>(sizes.size());
    const Handle space(H5Screate_simple(rank, sizes.data(), limits.data()));
    const Handle layout = array_layout();
    H5Pset_chunk(layout.get(), rank, chunks.data());
    return {writing(H5Dcreate2(handle_.get(), path.c_str(), native(stored), space.get(),
                               parents().get(), layout.get(), H5P_DEFAULT),
                    inside(place_, path), "the array cannot be made"),
            inside(place_, path)};
}

void Group::write_text(const std::string& path, const std::string& text) {
    put_texts(path, {&text, 1}, {});
}

void Group::write_texts(const std::string& path, std::span<const std::string> texts) {
    put_texts(path, texts, {texts.size()});
}

void Group::put_texts(const std::string& path, std::span<const std::string> texts,
                      const Shape& shape) {
    const Handle type = text_type();
    const Handle space = space_of(shape);
    const Handle dataset = writing(H5Dcreate2(handle_.get(), path.c_str(), type.get(), space.get(),
                                              parents().get(), array_layout().get(), H5P_DEFAULT),
                                   inside(place_, path), "the text cannot be made");
    if (!texts.empty() && H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                   pointers(texts).data()) < 0)
        fail_writing(inside(place_, path), "the text cannot be written");
}

std::vector<std::string> Group::texts(const std::string& path) const {
    const Dataset data = dataset(path);
    const Handle type(H5Dget_type(data.handle_.get()));
    const Handle space(H5Dget_space(data.handle_.get()));
    if (H5Tget_class(type.get()) != H5T_STRING)
        fail_reading(data.place_, "this is not text", "it holds another type");
    return read_texts(
        type, space,
        [&](hid_t as, void* to) {
            return H5Dread(data.handle_.get(), as, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
        },
        data.place_);
}

void Group::link(const std::string& existing, const std::string& path) {
    if (H5Lcreate_hard(handle_.get(), existing.c_str(), handle_.get(), path.c_str(),
                       parents().get(), H5P_DEFAULT) < 0)
        fail_writing(inside(place_, path), "the link cannot be made");
}

void Group::remove(const std::string& path) {
    if (has(path) && H5Ldelete(handle_.get(), path.c_str(), H5P_DEFAULT) < 0)
        fail_writing(inside(place_, path), "this cannot be removed");
}

File File::create(const std::filesystem::path& path) {
    initialise();
    const std::string place = path.string() + ": /";
    return {writing(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, file_access(true).get()),
                    path.string(), "the file cannot be made"),
            place};
}

File File::open(const std::filesystem::path& path) {
    initialise();
    return {reading(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access(false).get()), path.string(),
                    "this cannot be opened as an HDF5 file"),
            path.string() + ": /"};
}

File File::open_for_writing(const std::filesystem::path& path) {
    initialise();
    return {reading(H5Fopen(path.c_str(), H5F_ACC_RDWR, file_access(true).get()), path.string(),
                    "this cannot be opened as an HDF5 file for writing"),
            path.string() + ": /"};
}

void File::flush() {
    if (H5Fflush(handle_.get(), H5F_SCOPE_LOCAL) < 0)
        fail_writing(place_, "the file cannot be written");
}

void File::close() {
    if (!is_open()) return;
    flush();
    if (H5Fclose(handle_.release()) < 0) fail_writing(place_, "the file cannot be closed");
}

} // namespace shadow::hdf5
