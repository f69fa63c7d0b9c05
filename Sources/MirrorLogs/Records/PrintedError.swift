internal import CoreDataStore
internal import Texts

/// An error as an app prints it, in words of its own: `CKErrorDomain 25`, `domain=CKErrorDomain, code=25`, `code: 25 of
/// CKErrorDomain`, `（CKErrorDomain错误25。）`, `CKError 25`, `CKError.quotaExceeded`.
struct PrintedError {
    let code: Int64
    /// Behind it in the text.
    let end: Int

    /// A domain and a number, a few signs apart that are no letters of ASCII but for these words, in either order.
    /// - Parameters:
    ///   - rest: what follows on the domain.
    ///   - start: what is before it.
    init?(behindDomain rest: LogPart, before start: LogPart) {
        // Without a digit there is no code, and making a regular expression takes long.
        guard rest.prefix(40).contains(where: \.isDigit) || start.suffix(48).contains(where: \.isDigit) else {
            return nil
        }
        let near = rest.prefix(40).text
        let behind = /(?:[^A-Za-z0-9]|(?i:errorcode|error|code|number)){1,16}?(-?[0-9]{1,12})(?![0-9A-Za-z])/
        if let match = near.prefixMatch(of: behind), let code = Int64(match.1), code != 0,
            !Self.counted.contains(where: { near[match.range.upperBound...].hasPrefix("\($0)") })
        {
            self.code = code
            // The text may end in the middle of a character, which is longer here than there.
            end = min(rest.endIndex, rest.startIndex + match.0.utf8.count)
            return
        }
        let before =
            #/
            (?i:errorcode|error|code|erreur|fehler|errore|fout|fel|kod|código|codigo)[^A-Za-z0-9]{1,4}(-?[0-9]{1,12})
            [^A-Za-z0-9]{1,6}(?:(?i:in|of|from|domain|domaine|du|de|del|dominio|der|im|från)[^A-Za-z0-9]{1,6}){0,3}$
            /#
        let inBrackets = /[\[(](-?[0-9]{1,3})[\])][^A-Za-z0-9]{1,4}$/
        let words = start.suffix(48).text
        guard let digits = words.firstMatch(of: before)?.1 ?? words.firstMatch(of: inBrackets)?.1,
            let code = Int64(digits), code != 0
        else { return nil }
        self.code = code
        end = rest.startIndex
    }

    /// A number or a name of `CKError.Code`: ` 25`, `(25`, `.quotaExceeded`, `.Code.quotaExceeded`.
    init?(behindCKError rest: LogPart) {
        var near = rest.prefix(60)
        // What Swift prints for the code of an error.
        let raw = Self.rawValues.first(where: near.begins)
        near = near.dropFirst(raw.map { $0.utf8CodeUnitCount - 1 } ?? 0)
        if let number = Self.number(at: near) {
            self = number
            return
        }
        let name = near.dropFirst(near.begins(".Code") && near.dropFirst(5).first?.startsName ?? false ? 5 : 0)
        let letters = name.dropFirst(name.begins(".") ? 1 : 0).prefix(while: \.isLetter)
        // `CKErrorDomain`, by far the most.
        guard !letters.isEmpty, !letters.begins("Domain"), let error = PrintedError(named: letters) else { return nil }
        self = error
    }

    private static let rawValues: [StaticString] = ["Code(rawValue: ", ".Code(rawValue: ", "(rawValue: "]

    /// What Swift calls a code of `CKError`: `quotaExceeded`.
    init?(named name: LogPart) {
        guard let code = Self.codes[name.prefix(while: \.isLetter).text.lowercased()] else { return nil }
        self.code = code
        end = name.prefix(while: \.isLetter).endIndex
    }

    /// A number of up to three digits behind one or two signs that is no other thing's: `CKError 3 times`.
    private static func number(at near: LogPart) -> PrintedError? {
        let signs = near.prefix { " (#:".utf8.contains($0) }
        let digits = near[signs.endIndex...].prefix(while: \.isDigit)
        guard (1...2).contains(signs.count), (1...3).contains(digits.count) else { return nil }
        let behind = near[digits.endIndex...]
        guard let code = Int64(digits.text), code != 0, !(behind.first?.isLetter ?? false),
            !Self.notBehindCode.contains(where: behind.begins)
        else { return nil }
        return PrintedError(code: code, end: digits.endIndex)
    }

    private static let notBehindCode: [StaticString] = [".", ",", "×", " x"] + counted
    /// What a number says how many there are of.
    private static let counted: [StaticString] = [" times", " errors", " records", " attempts", " retries"]

    /// What CloudKit Console calls an error, in its log of the server's answers.
    static func serverName(in text: LogPart) -> PrintedError? {
        for (name, code) in serverCodes {
            guard let place = text.range(of: name), !(text[..<place.lowerBound].last?.isOfWord ?? false),
                !(text[place.upperBound...].first?.isOfWord ?? false)
            else { continue }
            return PrintedError(code: code, end: place.upperBound)
        }
        return nil
    }

    private init(code: Int64, end: Int) {
        (self.code, self.end) = (code, end)
    }

    /// Names of CloudKit's web services, of which Apple documents what each means, and the code of `CKError` that means it.
    private static let serverCodes: [(name: StaticString, code: Int64)] = [
        ("QUOTA_EXCEEDED", 25), ("ZONE_NOT_FOUND", 26), ("NOT_FOUND", 11), ("UNKNOWN_ITEM", 11), ("CONFLICT", 14),
        ("ACCESS_DENIED", 10), ("AUTHENTICATION_REQUIRED", 9), ("AUTHENTICATION_FAILED", 9), ("SIGN_IN_FAILED", 9),
        ("ATOMIC_ERROR", 22), ("THROTTLED", 7), ("TRY_AGAIN_LATER", 6), ("VALIDATING_REFERENCE_ERROR", 31),
        ("UNIQUE_FIELD_ERROR", 19), ("EXISTS", 14), ("BAD_REQUEST", 12), ("INTERNAL_ERROR", 1),
    ]

    /// Parts of names, of which a line with one has one: of Swift's names, what begins in the middle of two words, as few
    /// other words have it.
    static let signs =
        names.map { name in String(name.dropFirst(max(0, name.prefix { !$0.isUppercase }.count - 3))) }
        + serverCodes.map { "\($0.name)" }.filter { $0.contains("_") }

    /// By what Apple calls them, in small letters: `quotaexceeded`.
    private static let codes = Dictionary(
        named.map { ($0.name.lowercased(), $0.code) }, uniquingKeysWith: { first, _ in first })

    /// What Swift calls them: `quotaExceeded`.
    static let names = Set(named.map { $0.name.prefix(1).lowercased() + $0.name.dropFirst() }).sorted()

    private static let named: [(name: String, code: Int64)] = MirrorFault.all.flatMap { fault in
        let name = fault.domain == MirrorFault.cloudKit ? fault.name : nil
        return name.map { name in fault.codes.map { (String(name.dropFirst("CKError".count)), Int64($0)) } } ?? []
    }

    /// Numbers of CKInternalErrorDomain that logs show below one code of `CKError` and no other.
    static let internalCodes: [Int64: Int64] = [
        1002: 9, 1004: 9, 1011: 2, 1029: 36, 2003: 11, 2004: 14, 2006: 12, 2007: 10, 2008: 7, 2009: 6, 2022: 6,
        2023: 27,
        2024: 22, 2026: 21, 2035: 25, 2036: 26, 2061: 7, 2062: 7, 5008: 111,
    ]
}

extension UInt8 {
    /// Whether a name can begin with it, which may have a point before it.
    fileprivate var startsName: Bool { isLetter || self == UInt8(ascii: ".") }
}
