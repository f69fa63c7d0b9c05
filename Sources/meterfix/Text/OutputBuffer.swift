/// Text on its way out, in pieces that are large enough to be written and small enough for the memory.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private static let size = 1 << 16

    mutating func append(_ text: String, to sink: ([UInt8]) -> Void) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.size { flush(to: sink) }
    }

    mutating func flush(to sink: ([UInt8]) -> Void) {
        guard !bytes.isEmpty else { return }
        sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
