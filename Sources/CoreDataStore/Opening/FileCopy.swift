internal import Foundation

/// Copies of files, whole or not at all.
package enum FileCopy {
    /// Bytes read and written at a time.
    private static let chunk = 1 << 20

    /// Copies the contents of `source` to the new file `target` (mode 0600).
    /// - Throws: `StoreError` naming the side that failed; a target that exists is `cannotCreate`.
    package static func copy(_ source: String, to target: String) throws(StoreError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw FileFault(code: errno).storeError(at: source) }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw FileFault(code: errno).storeError(at: target) }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileFault(code: errno).storeError(at: source)
            }
            try write(buffer, count: count, to: output, at: target)
        }
    }

    private static func write(_ buffer: [UInt8], count: Int, to output: Int32, at target: String) throws(StoreError) {
        var offset = 0
        while offset < count {
            let written = buffer.withUnsafeBytes { Foundation.write(output, $0.baseAddress! + offset, count - offset) }
            guard written >= 0 else {
                if errno == EINTR { continue }
                throw FileFault(code: errno).storeError(at: target)
            }
            offset += written
        }
    }
}
