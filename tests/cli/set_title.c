/* SPDX-License-Identifier: MIT
 *
 * set_title RESULT: the bytes of standard input become the title of a result, whatever they are.
 */
#include <hdf5.h>
#include <stdio.h>

int main(int count, char **words) {
    char bytes[4096];
    const size_t length = count == 2 ? fread(bytes, 1, sizeof bytes, stdin) : 0;
    hid_t file = length ? H5Fopen(words[1], H5F_ACC_RDWR, H5P_DEFAULT) : -1;
    if (file < 0 || H5Adelete(file, "title") < 0)
        return 1;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, length);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t title = H5Acreate2(file, "title", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int failed = H5Awrite(title, type, bytes) < 0;
    H5Aclose(title);
    H5Sclose(space);
    H5Tclose(type);
    return H5Fclose(file) < 0 || failed;
}
