internal import CoreDataStore
internal import Foundation

/// stdout and stderr. Foundation's file handles end the program where a write fails.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Opens `/dev/null` in the place of each stream the program was started without. Otherwise the next file opened,
    /// perhaps a store, would get its number, and the answer would be written into it.
    static func openMissing() {
        // The lowest free number is the one that is missing.
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", O_RDWR) }
    }

    /// Writes all of the text. That nobody reads it any more is no failure.
    /// - Throws: `StoreError` where it cannot be written, for example on a full disk.
    func write(_ text: String) throws(StoreError) { try write(Array(text.utf8)) }

    /// The same for bytes.
    func write(_ bytes: [UInt8]) throws(StoreError) {
        if let fault = bytes.withUnsafeBytes(fault) { throw error(fault) }
    }

    /// The same for bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        if let fault = fault(ofWriting: bytes) { throw error(fault) }
    }

    /// Whether a part of an answer was written: what comes after it is no answer of its own any more.
    nonisolated(unsafe) private(set) static var hasAnswer = false

    private func error(_ fault: FileError) -> StoreError {
        StoreError(
            .inputOutput, at: self == .output ? "standard output" : "standard error",
            "the answer cannot be written: \(fault.message)")
    }

    private func fault(ofWriting bytes: UnsafeRawBufferPointer) -> FileError? {
        if self == .output, !bytes.isEmpty { Self.hasAnswer = true }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Foundation.write(rawValue, part.baseAddress, part.count)
            guard written < 0 else {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // A terminal or a pipe that somebody made non-blocking.
                var poll = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = Foundation.poll(&poll, 1, -1)
            case EPIPE: return nil
            case let code: return FileError(code: code)
            }
        }
        return nil
    }
}
