/// Names that programs make, and that do not say what is named.
package enum MachineMadeName: Hashable, Sendable {
    /// An Apple device by its product name.
    case platform
    /// An Apple device by its model identifier: `iPhone14,2`.
    case modelIdentifier
    /// A computer by its name in the local network: `Anas-MacBook.local`.
    case hostName
    /// A meter by its hardware type: `TC66C`.
    case meterType
    case uuid
    /// What programs write where there is no value: `NULL`, `#N/A`.
    case noValue
    case address
    /// White space and nothing else.
    case blank

    /// Nil for any other name. White space around it is ignored.
    package init?(_ name: String) {
        var name = name
        guard let kind = name.withUTF8({ MachineMadeName(utf8: $0) }) else { return nil }
        self = kind
    }

    /// The same for a name's bytes, which may not be UTF-8. Makes no object for any other name.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty else { return nil }
        let name = UnsafeBufferPointer(rebasing: WhiteSpace.trim(text))
        if name.isEmpty {
            self = .blank
        } else if Self.isPlatform(name) {
            self = .platform
        } else if Self.isModelIdentifier(name) {
            self = .modelIdentifier
        } else if Self.isMeterType(name) {
            self = .meterType
        } else if Self.noValues.contains(name) {
            self = .noValue
        } else if Self.hostSuffix(of: name) != nil {
            self = .hostName
        } else if Hexadecimal.isUUID(name) {
            self = .uuid
        } else if MACAddress.parse(utf8: name) != nil {
            self = .address
        } else {
            return nil
        }
    }

    /// Whether the bytes of a name are a platform or a model identifier, which says nothing about whose device it is.
    /// Makes no object either.
    package static func isDeviceModel(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = UnsafeBufferPointer(rebasing: WhiteSpace.trim(text))
        return isPlatform(name) || isModelIdentifier(name)
    }

    /// Whether it says only which kind of device or meter it is, and so nothing about anybody.
    package var isKind: Bool {
        switch self {
        case .platform, .modelIdentifier, .meterType, .noValue: true
        case .hostName, .uuid, .address, .blank: false
        }
    }

    /// The `.local` that a host name ends in; nil for any other text. White space around it is not ignored.
    package static func hostSuffix(
        of name: UnsafeBufferPointer<UInt8>
    ) -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard name.count > localDomain.count, let last = name.last, lower(last) == UInt8(ascii: "l") else { return nil }
        let suffix = name.suffix(localDomain.count)
        guard suffix.lazy.map(lower).elementsEqual(localDomain), !name.contains(where: { $0 <= 0x20 }) else {
            return nil
        }
        return suffix
    }

    /// A device's name without what a system adds by itself to tell it from others of that name in a network: `.local`, and
    /// before it `-2` or ` (2)`.
    package static func withoutEnding(_ name: String) -> String {
        var name = name[...]
        if name.lowercased().hasSuffix(".local") { name = name.dropLast(".local".count) }
        let isInParentheses = name.last == ")"
        let digits = (isInParentheses ? name.dropLast() : name).reversed().prefix { ("0"..."9").contains($0) }
        let start = isInParentheses ? " (" : "-"
        let ending = start + String(digits.reversed()) + (isInParentheses ? ")" : "")
        let isNumbered = !digits.isEmpty && name.hasSuffix(ending) && name.count > ending.count
        return String(isNumbered ? name.dropLast(ending.count) : name)
    }

    private static func isPlatform(_ name: UnsafeBufferPointer<UInt8>) -> Bool { platforms.contains(name) }

    private static func isMeterType(_ name: UnsafeBufferPointer<UInt8>) -> Bool { meterTypes.contains(name) }

    fileprivate static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static let platforms = KnownWords([
        "iphone", "ipod touch", "ipad", "ipad air", "ipad mini", "ipad pro", "mac", "macbook", "macbook air",
        "macbook pro", "imac", "imac pro", "mac mini", "mac pro", "mac studio", "apple watch", "apple tv",
    ])

    /// The meters that the app knows, and how their makers call those without Bluetooth.
    private static let meterTypes = KnownWords([
        "um24c", "um25c", "um34c", "tc66c", "um24", "um25", "um34", "tc66",
    ])

    private static let noValues = KnownWords([
        "null", "(null)", "<null>", "\\n", "nil", "undefined", "nan", "#n/a", "#ref!", "#value!", "#name?", "#null!",
    ])

    private static let localDomain = Array(".local".utf8)

    private static let families = Set(
        [
            "iphone", "ipod", "ipad", "mac", "macbook", "macbookair", "macbookpro", "imac", "imacpro", "macmini",
            "macpro", "watch", "appletv", "audioaccessory", "realitydevice", "virtualmac",
        ].map { Array($0.utf8) })

    /// A family, a number, a comma, a number.
    private static func isModelIdentifier(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // Most names do not end so, and are not read to their beginning.
        guard let end = name.lastIndex(where: { !isDigit($0) }), name[end] == UInt8(ascii: ",") else { return false }
        let bytes = name.map(lower)
        let family = bytes.prefix { !isDigit($0) }
        let numbers = bytes.dropFirst(family.count).split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return families.contains(Array(family)) && numbers.count == 2
            && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension MachineMadeName {
    /// What such a name is, for a message.
    package var noun: String {
        switch self {
        case .platform: "a platform's, not a meter's"
        case .modelIdentifier: "a model identifier"
        case .hostName: "a host name"
        case .meterType: "a hardware type"
        case .uuid: "a UUID"
        case .noValue: "what programs write for no value"
        case .address: "an address"
        case .blank: "only white space"
        }
    }
}

/// Some short words in lower case.
private struct KnownWords: Sendable {
    /// By their number of bytes: most names are longer.
    private let words: [[[UInt8]]]

    init(_ texts: [String]) {
        let words = texts.map { Array($0.utf8) }
        self.words = (0...(words.map(\.count).max() ?? 0)).map { count in words.filter { $0.count == count } }
    }

    /// Whether a text is one of them, in whichever letter case.
    func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count < words.count
            && words[text.count].contains { text.lazy.map(MachineMadeName.lower).elementsEqual($0) }
    }
}
