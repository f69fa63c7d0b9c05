/// Where a text has large objects, and where these can be cut between members.
///
/// json-c needs several times as long, and most of a hundred bytes a value, where one tree holds a million members. Given
/// them part by part, it works in the processor's caches.
struct JSONOutline {
    /// A large object in which there is no other.
    struct LargeObject {
        /// Which object of the text it is, counted by where they begin, without those in large ones.
        let ordinal: Int
        /// Its members, some in each part: without the brackets, and without the commas between the parts.
        let parts: [Range<Int>]
    }

    private struct Container {
        let isObject: Bool
        let ordinal: Int
        /// Where the part begins that is not cut off yet.
        var start: Int
        var parts: [Range<Int>] = []
        var hasLargeObject = false
    }

    private let partBytes: Int
    private var open: [Container] = []
    private var objects = 0
    /// In the order of the text. None where brackets do not match.
    private(set) var largeObjects: [LargeObject] = []
    private var isBroken = false

    /// - Parameter partBytes: the length from which on an object is cut.
    init(partBytes: Int) { self.partBytes = partBytes }

    /// A bracket at `position` of the text.
    mutating func open(_ bracket: UInt8, at position: Int) {
        let isObject = bracket == UInt8(ascii: "{")
        open.append(Container(isObject: isObject, ordinal: objects, start: position + 1))
        if isObject { objects += 1 }
    }

    mutating func comma(at position: Int) {
        guard let last = open.indices.last, open[last].isObject, !open[last].hasLargeObject,
            position - open[last].start >= partBytes
        else { return }
        open[last].parts.append(open[last].start..<position)
        open[last].start = position + 1
    }

    mutating func close(_ bracket: UInt8, at position: Int) {
        guard let container = open.popLast(), container.isObject == (bracket == UInt8(ascii: "}")) else {
            isBroken = true
            largeObjects = []
            return
        }
        guard !container.parts.isEmpty, !isBroken else { return }
        largeObjects.append(
            LargeObject(ordinal: container.ordinal, parts: container.parts + [container.start..<position]))
        objects = container.ordinal + 1
        for index in open.indices {
            open[index].hasLargeObject = true
            open[index].parts = []
        }
    }
}
