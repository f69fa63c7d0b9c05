/// The bytes of a property list, with bounds checks.
struct BinaryPropertyListBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func starts(with prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

    /// `count` bytes from `offset`, none of them at or after `end`.
    func slice(
        at offset: Int, count: Int, end: Int, what: String
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= end, end <= bytes.count, count <= end - offset else {
            throw BinaryPropertyListError("\(what) does not fit into the property list", at: offset)
        }
        return bytes[offset..<offset + count]
    }

    /// A big-endian number of 1 to 8 bytes.
    func unsigned(at offset: Int, size: Int, end: Int, what: String) throws(BinaryPropertyListError) -> UInt64 {
        try slice(at: offset, count: size, end: end, what: what).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that counts bytes or objects of this file, so that it fits an `Int`.
    func index(at offset: Int, size: Int, what: String) throws(BinaryPropertyListError) -> Int {
        guard let value = Int(exactly: try unsigned(at: offset, size: size, end: count, what: what)) else {
            throw BinaryPropertyListError("\(what) is too large", at: offset)
        }
        return value
    }
}

/// The last 32 bytes: 6 unused ones, the sizes of offsets and references, then three 8-byte numbers.
struct BinaryPropertyListTrailer {
    let objectCount: Int
    let topObject: Int
    /// Where the offset table begins: every object ends before it.
    let tableOffset: Int
    /// Bytes of one reference.
    let referenceSize: Int
    private let offsetSize: Int

    init(_ bytes: BinaryPropertyListBytes) throws(BinaryPropertyListError) {
        guard bytes.starts(with: "bplist0") else {
            throw BinaryPropertyListError("this is not a binary property list: it does not begin with bplist0", at: 0)
        }
        guard bytes.count >= 8 + 32 else {
            throw BinaryPropertyListError("the property list ends before its trailer", at: bytes.count)
        }
        let start = bytes.count - 32
        offsetSize = try bytes.index(at: start + 6, size: 1, what: "the size of offsets")
        referenceSize = try bytes.index(at: start + 7, size: 1, what: "the size of references")
        objectCount = try bytes.index(at: start + 8, size: 8, what: "the number of objects")
        topObject = try bytes.index(at: start + 16, size: 8, what: "the top object")
        tableOffset = try bytes.index(at: start + 24, size: 8, what: "the offset of the offset table")
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw BinaryPropertyListError("offsets and references have 1 to 8 bytes", at: start + 6)
        }
        guard (8...start).contains(tableOffset), objectCount <= (start - tableOffset) / offsetSize else {
            throw BinaryPropertyListError("the offset table does not fit into the property list", at: start + 8)
        }
    }

    /// Where `object`, a number below `objectCount`, begins.
    func offset(of object: Int, in bytes: BinaryPropertyListBytes) throws(BinaryPropertyListError) -> Int {
        let entry = tableOffset + object * offsetSize
        let offset = try bytes.index(at: entry, size: offsetSize, what: "an offset")
        guard (8..<tableOffset).contains(offset) else {
            throw BinaryPropertyListError("object \(object) cannot begin at byte \(offset)", at: entry)
        }
        return offset
    }
}

/// The position of a container's references; each was checked to be inside the file.
struct BinaryPropertyListReferences {
    let start: Int
    let count: Int
    let size: Int

    func offset(_ index: Int) -> Int { start + index * size }
}
