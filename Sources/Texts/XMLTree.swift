/// An element with its contents. (Foundation has an `XMLElement` on macOS.)
package struct XMLTree: Hashable, Sendable {
    package let name: String
    /// Bytes from the start of the text.
    package let offset: Int
    package private(set) var attributes: [String: String] = [:]
    package private(set) var elements: [XMLTree] = []
    /// Its own text, without that of its elements.
    package private(set) var text = ""

    /// More than any model of an app has.
    private static let (mostDepth, mostElements) = (64, 1 << 18)

    /// Parses a document into its root element.
    /// - Parameter text: UTF-8, with a byte-order mark or without.
    /// - Throws: `XMLError` if it is not XML, or has elements nested more than 64 deep or more than 262,144 in all.
    package init(document text: [UInt8]) throws(XMLError) {
        if let fault = UTF8Check.firstInvalid(in: text) { throw XMLError("a byte that is not UTF-8", at: fault) }
        // A mark is replaced by blanks, so that offsets are those of the file.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = XMLReader(text.starts(with: mark) ? [0x20, 0x20, 0x20] + text.dropFirst(3) : text)
        var open: [XMLTree] = []
        var root: XMLTree?
        var count = 0
        while let token = try reader.next() {
            switch token {
            case .text(let text):
                guard !open.isEmpty || text.isBlank else { throw XMLError("text outside of elements", at: text.offset) }
                if !open.isEmpty { open[open.count - 1].text += text.value }
            case .start(let tag):
                guard root == nil else { throw XMLError("a second root element", at: tag.offset) }
                count += 1
                guard count <= Self.mostElements else {
                    throw XMLError("more than \(Self.mostElements) elements", at: tag.offset)
                }
                guard open.count < Self.mostDepth else {
                    throw XMLError("more than \(Self.mostDepth) elements inside each other", at: tag.offset)
                }
                open.append(try XMLTree(tag, in: reader))
                if tag.isEmpty { root = Self.close(&open) }
            case .end(let name, let offset):
                guard name == open.last?.name else {
                    throw XMLError(
                        open.last.map { "</\($0.name)> is missing" } ?? "</\(name)> ends nothing", at: offset)
                }
                root = Self.close(&open)
            }
        }
        if let last = open.last { throw XMLError("the element <\(last.name)> does not end", at: last.offset) }
        guard let root else { throw XMLError("no element", at: reader.position) }
        self = root
    }

    private init(_ tag: XMLTag, in reader: XMLReader) throws(XMLError) {
        name = tag.name
        offset = tag.offset
        for (name, value) in try reader.attributes(of: tag) {
            guard attributes.updateValue(value, forKey: name) == nil else {
                throw XMLError("duplicate attribute \(name)", at: tag.offset)
            }
        }
    }

    /// Adds the last open element to its parent; returns it if it has none.
    private static func close(_ open: inout [XMLTree]) -> XMLTree? {
        let element = open.removeLast()
        guard !open.isEmpty else { return element }
        open[open.count - 1].elements.append(element)
        return nil
    }
}
