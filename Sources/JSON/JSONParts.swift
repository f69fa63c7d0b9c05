internal import CJSONC

/// A text whose large objects json-c reads part by part, each time they are asked for. `JSONTree` is the only user.
struct JSONParts {
    let text: [UInt8]
    /// What json-c makes of the text without the members of its large objects; owned by the caller.
    let frame: OpaquePointer
    /// The large objects in the frame, which are empty there.
    private var ranges: [OpaquePointer: [Range<Int>]] = [:]
    private var counts: [OpaquePointer: Int] = [:]

    /// - Parameters:
    ///   - text: of which is known that it is UTF-8 without unpaired surrogates.
    ///   - start: where it begins.
    ///   - keys: how many it has, as often as they are there.
    /// - Returns: nil where the text is no JSON, where an object may have one key twice, and where no object is large:
    ///   json-c, given the whole text, says what is the matter.
    init?(of text: [UInt8], from start: Int, _ outline: JSONOutline, keys: Int) {
        guard !outline.largeObjects.isEmpty, let reader = try? PartReader(),
            let frame = reader.frame(of: text, from: start, without: outline.largeObjects)
        else { return nil }
        self.text = text
        self.frame = frame
        var objects: [OpaquePointer] = []
        var found = Self.collect(&objects, in: frame)
        for large in outline.largeObjects {
            guard large.ordinal < objects.count,
                let count = reader.keyCount(of: large.parts, in: text)
            else {
                json_object_put(frame)
                return nil
            }
            ranges[objects[large.ordinal]] = large.parts
            counts[objects[large.ordinal]] = count.members
            found += count.keys
        }
        guard found == keys else {
            json_object_put(frame)
            return nil
        }
    }

    /// How many members a large object has; nil for any other.
    func memberCount(of object: OpaquePointer) -> Int? { counts[object] }

    /// Hands the parts of a large object to `body`, each an object with some of its members, which `body` owns, until it
    /// answers false.
    func forEachPart(of object: OpaquePointer, _ body: (OpaquePointer) -> Bool) {
        guard let ranges = ranges[object], let reader = try? PartReader() else { return }
        for range in ranges {
            guard let part = reader.object(with: range, of: text) else {
                preconditionFailure("a part that was read before")
            }
            guard body(part) else { return }
        }
    }

    /// The objects below a node and itself, in the order of their beginnings; their members are counted.
    private static func collect(_ objects: inout [OpaquePointer], in object: OpaquePointer?) -> Int {
        var count = 0
        switch object.map(json_object_get_type) {
        case json_type_array?:
            for index in 0..<json_object_array_length(object) {
                count += collect(&objects, in: json_object_array_get_idx(object, index))
            }
        case json_type_object?:
            if let object { objects.append(object) }
            forEachMember(of: object) { _, value in count += 1 + collect(&objects, in: value) }
        default: break
        }
        return count
    }

    static func forEachMember(
        of object: OpaquePointer?, _ body: (UnsafePointer<CChar>, OpaquePointer?) -> Void
    ) {
        var iterator = json_object_iter_begin(object)
        var end = json_object_iter_end(object)
        while json_object_iter_equal(&iterator, &end) == 0 {
            body(json_object_iter_peek_name(&iterator), json_object_iter_peek_value(&iterator))
            json_object_iter_next(&iterator)
        }
    }
}

/// Gives json-c a text in pieces.
private struct PartReader {
    private let reader: JSONReader

    init() throws(JSONError) { reader = try JSONReader() }

    /// - Returns: owned by the caller; nil where the text is not exactly one value.
    func frame(
        of text: [UInt8], from start: Int, without large: [JSONOutline.LargeObject]
    ) -> OpaquePointer? {
        var pieces: [Range<Int>] = []
        var position = start
        for object in large {
            guard let first = object.parts.first, let last = object.parts.last else { continue }
            pieces.append(position..<first.lowerBound)
            position = last.upperBound
        }
        var end = text.count
        while end > position, [0x20, 0x09, 0x0A, 0x0D].contains(text[end - 1]) { end -= 1 }
        pieces.append(position..<end)
        return text.withUnsafeBufferPointer { text in
            value(of: pieces.lazy.map { UnsafeBufferPointer(rebasing: text[$0]) })
        }
    }

    /// An object with the members in `range`, at least one.
    func object(with range: Range<Int>, of text: [UInt8]) -> OpaquePointer? {
        let object = text.withUnsafeBufferPointer { text in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2) { brackets in
                (brackets[0], brackets[1]) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
                return value(of: [
                    UnsafeBufferPointer(rebasing: brackets[..<1]), UnsafeBufferPointer(rebasing: text[range]),
                    UnsafeBufferPointer(rebasing: brackets[1...]),
                ])
            }
        }
        guard let object else { return nil }
        guard json_object_object_length(object) > 0 else {
            json_object_put(object)
            return nil
        }
        return object
    }

    /// How many members an object has, with and without those of the objects in it; nil where it is no JSON or may have one
    /// key twice.
    func keyCount(of parts: [Range<Int>], in text: [UInt8]) -> (members: Int, keys: Int)? {
        var hashes: [UInt64] = []
        var nested = 0
        for range in parts {
            guard let part = object(with: range, of: text) else { return nil }
            JSONParts.forEachMember(of: part) { key, value in
                hashes.append(Self.hash(key))
                var unseen = Int.max
                nested += JSONTree.keyCount(in: value, unseen: &unseen)
            }
            json_object_put(part)
        }
        hashes.sort()
        guard zip(hashes, hashes.dropFirst()).allSatisfy(!=) else { return nil }
        return (hashes.count, hashes.count + nested)
    }

    /// FNV-1a, 64 bits. Keys that share one by chance only cost the time to read the text as a whole.
    private static func hash(_ key: UnsafePointer<CChar>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var next = key
        while next.pointee != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: next.pointee))) &* 0x100_0000_01B3
            next += 1
        }
        return hash
    }

    private func value(of pieces: some Collection<UnsafeBufferPointer<UInt8>>) -> OpaquePointer? {
        let tokener = reader.begin(0)
        var value: OpaquePointer?
        for (index, piece) in pieces.enumerated() where !piece.isEmpty {
            guard piece.count < Int(Int32.max) else { return nil }
            value = piece.withMemoryRebound(to: CChar.self) {
                json_tokener_parse_ex(tokener, $0.baseAddress, Int32($0.count))
            }
            let isLast = index == pieces.count - 1
            let isWhole =
                json_tokener_get_error(tokener) == json_tokener_success
                && json_tokener_get_parse_end(tokener) == piece.count
            guard isLast ? isWhole : json_tokener_get_error(tokener) == json_tokener_continue else {
                json_object_put(value)
                return nil
            }
        }
        return value
    }
}
