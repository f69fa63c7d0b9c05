internal import CoreDataStore
internal import Foundation

/// Reading files to their end, or to where it gets too much.
enum DumpBytes {
    private static let chunk = 1 << 20

    /// Everything a descriptor has to give.
    /// - Throws: `damaged` where that is more than `DumpLimits.inputBytes`.
    static func all(of descriptor: Int32, expected: Int = 0, name: String) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(max(0, expected), DumpLimits.inputBytes))
        try forEachChunk(of: descriptor, name: name) { part throws(StoreError) in
            guard part.count <= DumpLimits.inputBytes - bytes.count else {
                throw StoreError(
                    .damaged, at: name, "more than \(DumpLimits.inputBytes >> 20) MiB",
                    hint: "the app's key-value store holds 1 MB at most: is this the right file?")
            }
            bytes += part
        }
        return bytes
    }

    /// The whole file at `path`, chunk by chunk.
    static func forEachChunk(
        ofFile path: String, name: String, _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: name) }
        defer { close(descriptor) }
        try forEachChunk(of: descriptor, name: name, body)
    }

    private static func forEachChunk(
        of descriptor: Int32, name: String, _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR {
                    try Interruption.check(name)
                    continue
                }
                throw FileFault(code: errno).storeError(at: name)
            }
            try body(buffer[..<count])
        }
    }
}
