internal import CoreDataStore

/// A file in a ZIP archive, read alone and never unpacked. Sizes are those of the central directory: neither what an entry
/// says of itself nor what it expands to beyond them counts. The format is that of PKWARE's APPNOTE.TXT, 4.3; ZIP64,
/// encryption and other methods than "stored" and DEFLATE are refused.
struct ArchivedFile: Sendable {
    let name: String
    /// Bytes, once expanded.
    private let size: Int
    private let packedSize: Int
    private let isDeflated: Bool
    private let offset: Int
    private let input: FileInput
    private let path: String

    /// Bytes of the central directory: a hundred thousand files, more than any app has.
    private static let directoryLimit = 1 << 24

    /// All that an archive's directory names and that can be read.
    /// - Throws: `StoreError`, `damaged` for what is no such archive.
    static func all(in path: String) throws(StoreError) -> [ArchivedFile] {
        let input = try FileInput(regular: path)
        let size = try input.size
        // The end record, and the comment behind it.
        let tail = try input.bytes(at: max(0, size - 22 - 0xFFFF), count: min(size, 22 + 0xFFFF))
        guard
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                tail.number(at: $0, bytes: 4) == 0x0605_4B50
            }), let count = tail.number(at: end + 12, bytes: 4), let start = tail.number(at: end + 16, bytes: 4)
        else { throw StoreError(.damaged, at: path, "not a ZIP archive, or one that is cut short") }
        guard count <= directoryLimit, start <= size - count else {
            throw StoreError(.damaged, at: path, "a ZIP archive with a directory of \(count) bytes at \(start)")
        }
        let directory = try input.bytes(at: start, count: count)
        var files: [ArchivedFile] = []
        var place = 0
        while directory.number(at: place, bytes: 4) == 0x0201_4B50,
            let flags = directory.number(at: place + 8, bytes: 2),
            let method = directory.number(at: place + 10, bytes: 2),
            let packed = directory.number(at: place + 20, bytes: 4),
            let size = directory.number(at: place + 24, bytes: 4),
            let nameLength = directory.number(at: place + 28, bytes: 2),
            let extra = directory.number(at: place + 30, bytes: 2),
            let comment = directory.number(at: place + 32, bytes: 2),
            let offset = directory.number(at: place + 42, bytes: 4), place + 46 + nameLength <= directory.count
        {
            let name = String(decoding: directory[(place + 46)...].prefix(nameLength), as: UTF8.self)
            place += 46 + nameLength + extra + comment
            let isEncrypted = flags & 1 != 0
            let isZip64 = [packed, size, offset].contains(0xFFFF_FFFF)
            guard !isEncrypted, !isZip64, [0, 8].contains(method) else { continue }
            files.append(
                ArchivedFile(
                    name: name, size: size, packedSize: packed, isDeflated: method == 8, offset: offset, input: input,
                    path: path))
        }
        return files
    }

    /// - Throws: `StoreError`, `damaged` where there are more than `limit` bytes, or other than the directory says.
    func bytes(limit: Int) throws(StoreError) -> [UInt8] {
        func damaged(_ reason: String) -> StoreError { StoreError(.damaged, at: "\(path)/\(name)", reason) }
        guard size <= limit, packedSize <= limit else {
            throw damaged("\(size) bytes, more than \(limit >> 20) MiB")
        }
        let header = try input.bytes(at: offset, count: 30)
        guard header.number(at: 0, bytes: 4) == 0x0403_4B50, let name = header.number(at: 26, bytes: 2),
            let extra = header.number(at: 28, bytes: 2)
        else { throw damaged("the archive has no such file where its directory says") }
        let packed = try input.bytes(at: offset + 30 + name + extra, count: packedSize)
        let bytes: [UInt8]
        do {
            bytes = isDeflated ? try packed.inflated(limit: size) : packed
        } catch {
            throw damaged("\(error)")
        }
        guard bytes.count == size else { throw damaged("the file in the archive is cut short") }
        return bytes
    }
}

extension [UInt8] {
    /// An unsigned number of at most 8 bytes at an offset; nil where it does not lie in the bytes, or is no `Int`.
    func number(at offset: Int, bytes count: Int, isBigEndian: Bool = false) -> Int? {
        guard offset >= 0, offset <= self.count - count else { return nil }
        let bytes = self[offset..<offset + count]
        let value = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
