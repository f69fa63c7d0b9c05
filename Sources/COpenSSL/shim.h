#pragma once
// EVP_*, which OpenSSL 3 wants in place of these functions, would bring 3.8 MB of providers into a static program.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
