internal import CZlib

/// Why bytes cannot be compressed, or are not compressed data.
package enum DeflateError: Error, Hashable, CustomStringConvertible {
    /// More than this many bytes of output, or of input.
    case tooLarge(limit: Int)
    case truncated
    case damaged(String)
    /// Nobody wanted the rest.
    case stopped

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the compressed data expands to more than \(limit) bytes"
        case .truncated: "the compressed data ends too early"
        case .damaged(let reason): "the compressed data is damaged: \(reason)"
        case .stopped: "stopped"
        }
    }
}

/// DEFLATE without header and checksum, as `Z_MODELCACHE` keeps the model, and gzip. The only door to zlib.
extension [UInt8] {
    /// Inflated, to at most `limit` bytes. Bytes after the end of the stream are ignored.
    /// - Parameters:
    ///   - isGzip: whether it is a file of gzip (RFC 1952), of which zlib checks the sum.
    ///   - isWanted: is asked after every 64 KiB whether to go on.
    /// - Throws: `DeflateError`.
    package func inflated(
        limit: Int, isGzip: Bool = false, while isWanted: () -> Bool = { true }
    ) throws(DeflateError) -> [UInt8] {
        var stream = z_stream()
        let window = isGzip ? MAX_WBITS + 16 : -MAX_WBITS
        try Self.check(inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)), stream)
        defer { inflateEnd(&stream) }
        return try run(&stream, limit: limit, while: isWanted) { inflate(&$0, Z_NO_FLUSH) }
    }

    /// Deflated as Core Data does it: byte for byte in every real store that was seen, from macOS 10.13 to 26.
    /// - Throws: `DeflateError` where zlib has no memory.
    package func deflated() throws(DeflateError) -> [UInt8] {
        var stream = z_stream()
        let (level, memoryLevel): (Int32, Int32) = (5, 8)
        try Self.check(
            deflateInit2_(
                &stream, level, Z_DEFLATED, -MAX_WBITS, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)), stream)
        defer { deflateEnd(&stream) }
        return try run(&stream, limit: Int(UInt32.max), while: { true }) { deflate(&$0, Z_FINISH) }
    }

    /// The CRC-32 of at most 4 GiB, as ZIP keeps it of a file.
    package var checksum: UInt32 {
        withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32(clamping: $0.count))) }
    }

    private func run(
        _ stream: inout z_stream, limit: Int, while isWanted: () -> Bool, step: (inout z_stream) -> Int32
    ) throws(DeflateError) -> [UInt8] {
        guard let inputCount = UInt32(exactly: count) else { throw .tooLarge(limit: Int(UInt32.max)) }
        var input = self
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let chunkCount = chunk.count
        // zlib keeps the pointer into the input only inside this closure, and the one into the chunk for one step.
        let failure: DeflateError? = input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = inputCount
            while true {
                guard isWanted() else { return .stopped }
                let status = chunk.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(chunkCount)
                    return step(&stream)
                }
                let produced = chunkCount - Int(stream.avail_out)
                guard produced <= limit - output.count else { return .tooLarge(limit: limit) }
                output.append(contentsOf: chunk[0..<produced])
                switch status {
                case Z_STREAM_END: return nil
                case Z_OK where produced > 0: continue
                case Z_OK, Z_BUF_ERROR: return .truncated
                default: return .damaged(Self.message(status, stream))
                }
            }
        }
        if let failure { throw failure }
        return output
    }

    private static func check(_ status: Int32, _ stream: z_stream) throws(DeflateError) {
        guard status == Z_OK else { throw .damaged(message(status, stream)) }
    }

    private static func message(_ status: Int32, _ stream: z_stream) -> String {
        stream.msg.map { String(cString: $0) } ?? "zlib says \(status)"
    }
}
