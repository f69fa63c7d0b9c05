/// A binary property list from raw objects, right or wrong, with references of one byte and offsets of eight.
struct HandMadePropertyList {
    var objects: [[UInt8]]
    /// Written into the trailer instead of the true values.
    var objectCount: UInt64?
    var topObject: UInt64? = 0
    var tableOffset: UInt64?
    var sizes: [UInt8] = [8, 1]

    init(_ objects: [[UInt8]]) { self.objects = objects }

    var bytes: [UInt8] {
        var bytes = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table += bigEndian(UInt64(bytes.count))
            bytes += object
        }
        let offset = UInt64(bytes.count)
        return bytes + table + [0, 0, 0, 0, 0, 0] + sizes + bigEndian(objectCount ?? UInt64(objects.count))
            + bigEndian(topObject ?? 0) + bigEndian(tableOffset ?? offset)
    }

    private func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
}
