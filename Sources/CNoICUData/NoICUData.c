#include <stdint.h>

// ICU's data, with nothing in it: for the one file that people copy around (Scripts/build-one-file).
//
// Foundation brings ICU, and ICU a table of 34 MB with the calendars, collations and number formats of all languages.
// It is one object, which a linker takes only where nobody else defines its name. So the name is defined here, as ICU's
// own build does it for programs without data (icu4c/source/stubdata/stubdata.cpp): a table of contents without entries.
// What needs a language then gets U_FILE_ACCESS_ERROR from ICU. meterfix needs none: the test `LanguageTests`
// keeps what would need one out of the sources.
//
// The name has ICU's version in it. Where Swift comes with another version, its table is linked as before, and
// Scripts/build-one-file says that the file is too large: add the name here.

struct no_icu_data {
    // DataHeader (icu4c/source/common/ucmndata.h): the size of this header, two magic numbers, UDataInfo.
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian;
    uint8_t charset_family;
    uint8_t size_of_unit;
    uint8_t reserved_byte;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    // The table of contents: how many entries, and none.
    uint32_t count;
    uint32_t no_entries[3];
};

#define NO_ICU_DATA(name)                                                                               \
    __attribute__((visibility("hidden"), aligned(16))) const struct no_icu_data name = {                \
        .header_size = 32,                                                                              \
        .magic = {0xDA, 0x27},                                                                          \
        .info_size = 20,                                                                                \
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,                                        \
        .size_of_unit = 2,                                                                              \
        .format = {'T', 'o', 'C', 'P'},                                                                 \
        .format_version = {1},                                                                          \
    }

// The versions that Swift 6 has come with so far.
NO_ICU_DATA(icudt74_dat);
NO_ICU_DATA(icudt76_dat);
