internal import Foundation

/// The lines of a file, one after the other. However large the file is, no more than a line of it is held.
package struct FileLines {
    private let input: FileInput
    private let path: String
    private let longest: Int
    private var chunk: [UInt8] = []
    /// Where in the chunk the next line begins.
    private var position = 0
    /// Bytes that were read from the file.
    private var bytesRead = 0
    /// Of the line that was read last, counted from 1; 0 before the first.
    package private(set) var number = 0

    /// - Parameters:
    ///   - input: at its beginning.
    ///   - path: what errors call the file.
    ///   - longest: how many bytes a line may have.
    package init(_ input: FileInput, at path: String, longest: Int) {
        self.input = input
        self.path = path
        self.longest = longest
    }

    /// Where in the file the next line begins.
    package var offset: Int { bytesRead - chunk.count + position }

    /// The next line without its line feed; nil at the end of the file. The last line needs no line feed.
    /// - Throws: `StoreError` where the file cannot be read or the user asked to stop, `damaged` for a line that is too
    ///   long.
    package mutating func next() throws(StoreError) -> [UInt8]? {
        var line: [UInt8] = []
        var hasEnded = false
        while !hasEnded {
            if position == chunk.count {
                try Interruption.check(path)
                guard let bytes = try input.nextChunk() else { break }
                chunk = bytes
                bytesRead += bytes.count
                position = 0
            }
            let end = lineEnd
            guard line.count + (end ?? chunk.count) - position <= longest else {
                throw StoreError(.damaged, at: path, "line \(number + 1) has more than \(longest >> 20) MiB")
            }
            line += chunk[position..<(end ?? chunk.count)]
            position = end.map { $0 + 1 } ?? chunk.count
            hasEnded = end != nil
        }
        guard hasEnded || !line.isEmpty else { return nil }
        number += 1
        return line
    }

    /// Where in the chunk the line ends that is being read; nil where that is in a later one.
    private var lineEnd: Int? {
        chunk.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let feed = memchr(start + position, CInt(UInt8(ascii: "\n")), bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(feed) - start
        }
    }
}
