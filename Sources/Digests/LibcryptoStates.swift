#if !canImport(CryptoKit)
    internal import COpenSSL

    // As CryptoKit's hash functions: values, of which a copy goes on by itself.

    struct SHA1State {
        private var context = SHA_CTX()

        init() { SHA1_Init(&context) }

        mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
            SHA1_Update(&context, bytes.baseAddress, bytes.count)
        }

        func finalize() -> [UInt8] {
            var (context, digest) = (context, [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH)))
            SHA1_Final(&digest, &context)
            return digest
        }
    }

    struct SHA256State {
        private var context = SHA256_CTX()

        init() { SHA256_Init(&context) }

        mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
            SHA256_Update(&context, bytes.baseAddress, bytes.count)
        }

        func finalize() -> [UInt8] {
            var (context, digest) = (context, [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH)))
            SHA256_Final(&digest, &context)
            return digest
        }
    }

    struct SHA512State {
        private var context = SHA512_CTX()

        init() { SHA512_Init(&context) }

        mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
            SHA512_Update(&context, bytes.baseAddress, bytes.count)
        }

        func finalize() -> [UInt8] {
            var (context, digest) = (context, [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH)))
            SHA512_Final(&digest, &context)
            return digest
        }
    }
#endif
