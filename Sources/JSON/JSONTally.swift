/// What a JSON text consists of, counted without building anything. Exact for valid JSON, harmless for any bytes.
struct JSONTally {
    private(set) var containers = 0
    /// Keys, as often as they stand there.
    private(set) var keys = 0
    private var commas = 0

    /// No fewer than there are.
    var values: Int { commas + containers + 1 }

    init(_ text: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < text.count, text[position] != UInt8(ascii: "\"") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers += 1
            case UInt8(ascii: ","): commas += 1
            case UInt8(ascii: ":"): keys += 1
            default: break
            }
            position += 1
        }
    }
}
