extension MACAddress {
    /// Letters that look like a digit.
    static let lookalikes: [UInt8: UInt8] = [
        UInt8(ascii: "o"): UInt8(ascii: "0"), UInt8(ascii: "q"): UInt8(ascii: "0"),
        UInt8(ascii: "i"): UInt8(ascii: "1"),
        UInt8(ascii: "l"): UInt8(ascii: "1"), UInt8(ascii: "z"): UInt8(ascii: "2"),
        UInt8(ascii: "s"): UInt8(ascii: "5"),
        UInt8(ascii: "g"): UInt8(ascii: "6"),
    ]

    static let separators = Set(":-. \t".utf8)
    private static let digits = Array("0123456789abcdef".utf8)

    /// The addresses that a text may mean that is not one: what looks like a digit is read as that, one other character may
    /// be wrong, one digit or one pair missing, and one digit or some pairs too many. Empty for a text that is too far from
    /// an address.
    package static func guesses(from text: String) -> Set<MACAddress> {
        guard text.utf8.count <= 200 else { return [] }
        let meant = AddressFault(in: text)?.meant
        let groups = TypedAddress(text).text.lowercased().utf8.split { separators.contains($0) }
        let typed = Array(groups.joined())
        // A longer or shorter number is like an address only in pairs.
        let fits = groups.allSatisfy { $0.count == 2 } ? 10...16 : 11...13
        // Where a digit is missing, another one than a zero may be.
        if let meant, typed.count != 11 { return meant.isPlaceholder ? [] : [meant] }
        guard fits.contains(typed.count) else { return [] }
        let hexadecimal = Set(digits)
        let read = typed.map { hexadecimal.contains($0) ? $0 : lookalikes[$0] ?? $0 }
        let wrong = read.indices.filter { !hexadecimal.contains(read[$0]) }
        var found: Set<MACAddress> = []
        func add(_ bytes: [UInt8]) {
            if let (address, _) = parse(String(decoding: bytes, as: UTF8.self)), !address.isPlaceholder {
                found.insert(address)
            }
        }
        switch (read.count, wrong.count) {
        case (12, 0): add(read)
        case (12, 1):
            for digit in digits {
                var bytes = read
                bytes[wrong[0]] = digit
                add(bytes)
            }
        case (13, 0), (13, 1):
            for place in read.indices where wrong.isEmpty || wrong[0] == place {
                var bytes = read
                bytes.remove(at: place)
                add(bytes)
            }
        case (11, 0):
            for place in 0...read.count {
                for digit in digits {
                    var bytes = read
                    bytes.insert(digit, at: place)
                    add(bytes)
                }
            }
        case (10, 0):
            for place in stride(from: 0, through: read.count, by: 2) {
                for pair in 0..<256 {
                    var bytes = read
                    bytes.insert(contentsOf: [digits[pair >> 4], digits[pair & 0xF]], at: place)
                    add(bytes)
                }
            }
        case (14, 0), (16, 0):
            for start in stride(from: 0, through: read.count - 12, by: 2) { add(Array(read[start..<start + 12])) }
        default: break
        }
        return found
    }
}
