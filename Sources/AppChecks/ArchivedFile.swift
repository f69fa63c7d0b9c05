internal import CoreDataStore

/// A file in a ZIP archive, read alone and never unpacked. Sizes are those of the central directory: neither what an entry
/// says of itself nor what it expands to beyond them counts. The format is that of PKWARE's APPNOTE.TXT, 4.3; ZIP64,
/// encryption and other methods than "stored" and DEFLATE are refused.
struct ArchivedFile: Sendable {
    let name: String
    let isLink: Bool
    /// Why it cannot be read; nil where it can.
    private let refusal: String?
    /// Bytes, once expanded.
    private let size: Int
    private let packedSize: Int
    private let nameLength: Int
    private let isDeflated: Bool
    private let checksum: Int
    private var offset: Int
    private let input: FileInput
    private let path: String

    /// Bytes of the central directory: a hundred thousand files, more than any app has.
    private static let directoryLimit = 1 << 24

    /// All that an archive's directory names, but for folders.
    /// - Throws: `StoreError`, `damaged` for what is no such archive, or one whose directory breaks off or names the same
    ///   bytes twice.
    static func all(in path: String) throws(StoreError) -> [ArchivedFile] {
        func damaged(_ reason: String) -> StoreError { StoreError(.damaged, at: path, reason) }
        let input = try FileInput(regular: path)
        let size = try input.size
        // The end record, and the comment behind it.
        let tailStart = max(0, size - 22 - 0xFFFF)
        let tail = try input.bytes(at: tailStart, count: size - tailStart)
        guard
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                tail.number(at: $0, bytes: 4) == 0x0605_4B50
            }), let entries = tail.number(at: end + 10, bytes: 2), let count = tail.number(at: end + 12, bytes: 4),
            let start = tail.number(at: end + 16, bytes: 4)
        else { throw damaged("not a ZIP archive, or one that is cut short") }
        guard entries != 0xFFFF, count != 0xFFFF_FFFF, start != 0xFFFF_FFFF else {
            throw damaged("a ZIP64 archive, which is not read")
        }
        // The directory ends where its end record begins. Other bytes may stand in front of the archive.
        let place = tailStart + end - count
        guard count <= directoryLimit, start <= place else {
            throw damaged("a ZIP archive with a directory of \(count) bytes at \(start)")
        }
        let directory = try input.bytes(at: place, count: count)
        var files: [ArchivedFile] = []
        var next = 0
        while var file = ArchivedFile(directory, at: &next, input, path) {
            file.offset += place - start
            files.append(file)
        }
        guard files.count == entries, next == count else {
            throw damaged("a ZIP archive whose directory breaks off after \(files.count) of \(entries) files")
        }
        let ordered = files.sorted { $0.offset < $1.offset }
        for (file, following) in zip(ordered, ordered.dropFirst()) {
            guard file.end <= following.offset else {
                throw damaged("a ZIP archive in which \(file.name) and \(following.name) share bytes")
            }
        }
        guard ordered.last.map({ $0.end <= place }) ?? true else { throw damaged("a ZIP archive that is cut short") }
        return files.filter { !$0.name.hasSuffix("/") }
    }

    /// The entry at a place of a directory, which is moved behind it; nil where there is none.
    private init?(_ directory: [UInt8], at place: inout Int, _ input: FileInput, _ path: String) {
        guard directory.number(at: place, bytes: 4) == 0x0201_4B50,
            let flags = directory.number(at: place + 8, bytes: 2),
            let method = directory.number(at: place + 10, bytes: 2),
            let checksum = directory.number(at: place + 16, bytes: 4),
            let packed = directory.number(at: place + 20, bytes: 4),
            let size = directory.number(at: place + 24, bytes: 4),
            let nameLength = directory.number(at: place + 28, bytes: 2),
            let extra = directory.number(at: place + 30, bytes: 2),
            let comment = directory.number(at: place + 32, bytes: 2),
            let attributes = directory.number(at: place + 38, bytes: 4),
            let offset = directory.number(at: place + 42, bytes: 4),
            place + 46 + nameLength + extra + comment <= directory.count
        else { return nil }
        name = String(decoding: directory[(place + 46)...].prefix(nameLength), as: UTF8.self)
        // The upper half has the mode of a file on Unix.
        isLink = attributes >> 28 == 0xA
        refusal =
            if flags & 1 != 0 {
                "it is encrypted"
            } else if [packed, size, offset].contains(0xFFFF_FFFF) {
                "it is kept as ZIP64 has it, which is not read"
            } else if ![0, 8].contains(method) {
                "it is compressed by method \(method), which is not read"
            } else {
                isLink ? "a link, which is not followed" : nil
            }
        (self.size, packedSize, isDeflated, self.checksum) = (size, packed, method == 8, checksum)
        (self.nameLength, self.offset, self.input, self.path) = (nameLength, offset, input, path)
        place += 46 + nameLength + extra + comment
    }

    /// Behind all that surely is of this file.
    private var end: Int { offset + 30 + nameLength + (refusal == nil ? packedSize : 0) }

    /// All bytes; nil where there are more than `limit`.
    /// - Throws: `StoreError`, `damaged` for what cannot be read, or is other than the directory says.
    func bytes(limit: Int) throws(StoreError) -> [UInt8]? {
        func damaged(_ reason: String) -> StoreError { StoreError(.damaged, at: "\(path)/\(name)", reason) }
        if let refusal { throw damaged(refusal) }
        guard size <= limit, packedSize <= limit else { return nil }
        let header = try input.bytes(at: offset, count: 30)
        guard header.number(at: 0, bytes: 4) == 0x0403_4B50, let name = header.number(at: 26, bytes: 2),
            let extra = header.number(at: 28, bytes: 2)
        else { throw damaged("the archive has no such file where its directory says") }
        let packed = try input.bytes(at: offset + 30 + name + extra, count: packedSize)
        let bytes: [UInt8]
        do {
            bytes = isDeflated ? try packed.inflated(limit: size, while: { !Interruption.isRequested }) : packed
        } catch {
            try Interruption.check(path)
            throw damaged("\(error)")
        }
        guard bytes.count == size else { throw damaged("the file in the archive is cut short") }
        guard bytes.checksum == UInt32(truncatingIfNeeded: checksum) else {
            throw damaged("the file in the archive is damaged: its checksum is another")
        }
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
