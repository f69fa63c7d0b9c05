internal import MeterModel
internal import Texts

/// A list of meters as somebody typed it, or as a spreadsheet saved it: `MAC;name` or `MAC,name,unit`, a meter a line, with
/// or without a line of headings (https://www.rfc-editor.org/rfc/rfc4180, with semicolons and tabs too).
struct TypedList {
    private(set) var entries: [DumpEntry] = []
    /// Columns that are neither an address nor a name nor a unit.
    private(set) var ignoredColumns: [String] = []
    /// What was read though it was written otherwise.
    private(set) var warnings: [String] = []
    /// Whether `meters --format csv` made it: then each cell is as it is there, with what protects it from spreadsheets.
    private(set) var isSheet = false

    private static let longestHead = 4_096

    /// Whether a text begins like such a list: with headings that name an address, or with something like an address.
    static func begins(_ text: [UInt8]) -> Bool {
        var reader = Reader(Array(text.prefix(longestHead)))
        guard let separator = reader.separator else { return false }
        let fields = reader.beginning(separator)
        return Columns(headings: fields) != nil || Columns(first: fields) != nil
    }

    init(_ text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        var reader = Reader(text)
        guard let separator = reader.separator, let first = try reader.record(separator) else {
            throw DumpError("a list without a meter")
        }
        var record: Record? = first
        var columns: Columns
        if let headings = Columns(headings: first.fields) {
            columns = headings
            // Nobody else has both the address and what is stored as such.
            isSheet = first.fields.starts(with: DumpSyntax.sheetColumns.prefix(4))
            reader.isExact = isSheet
            // It has each address twice: as it is meant, and as it is stored.
            if isSheet { columns.addresses = [columns.addresses[0]] }
            guard !columns.names.isEmpty || !columns.units.isEmpty else {
                throw DumpError("a list whose headings name neither a name nor a unit", at: first.offset)
            }
            record = try reader.record(separator)
        } else {
            columns = Columns(first: first.fields) ?? Columns()
        }
        ignoredColumns = columns.ignored
        var budget = ValueBudget()
        while let line = record {
            try budget.count(depth: 1, at: line.offset)
            try add(line, columns)
            record = try reader.record(separator)
        }
        if !columns.areNamed, let warning = entries.takeUnits() { warnings.append(warning) }
        if !isSheet, !ignoredColumns.isEmpty { warnings.append("columns that were left out: \(ignoredColumns.listed)") }
        if reader.hasCurlyQuotes { warnings.append(TypedText.curlyQuotes) }
    }

    /// Where what stands in the place of each name is a unit.
    fileprivate static let onlyUnits = "a unit stands in the place of each name: all were read as units"
    fileprivate static let perhapsUnits =
        "each name is a letter that may be a unit: if they are units, write celsius and fahrenheit"

    private mutating func add(_ line: Record, _ columns: Columns) throws(DumpError) {
        func field(_ column: Int?) -> String? {
            guard let column, column < line.fields.count, !line.fields[column].isEmpty else { return nil }
            return isSheet ? FormulaGuard.unprotected(line.fields[column]) : line.fields[column]
        }
        func only(_ columns: [Int], _ heading: MeterHeading) throws(DumpError) -> String? {
            guard columns.count > 1 else { return field(columns.first) }
            let meant = MeterHeading.meant(columns.compactMap(field)) { .text($0) }
            guard let first = meant.first, let other = meant.first(where: { $0 != first }) else { return meant.first }
            throw DumpError(
                "a line with \(first.shortened) and \(other.shortened), both \(heading.words)", at: line.offset,
                hint: "leave one column of each kind in it")
        }
        let (name, unit) = (try only(columns.names, .name), try only(columns.units, .unit))
        // A name with a separator in it would lose its end.
        let isTooLong = line.fields.dropFirst(columns.count).contains { !$0.isEmpty }
        let isUnit = unit.map { TemperatureUnit(understanding: $0) != nil } ?? true
        guard !isTooLong else {
            throw DumpError(
                "a line with more in it than \(columns.areNamed ? "the headings name" : "an address, a name and a unit")",
                at: line.offset, hint: "put a name with the separator in it between quotes")
        }
        guard columns.areNamed || isUnit else {
            throw DumpError(
                "a line with \((unit ?? "").shortened) in the place of its unit", at: line.offset,
                hint:
                    "write celsius or fahrenheit there, or nothing; or put a name with the separator in it between quotes"
            )
        }
        // A record of no meter has only what stands in the place of its address.
        let addresses = columns.addresses.compactMap(field)
        if addresses.count > 1, Set(addresses.compactMap { MACAddress.parse($0)?.address }).count > 1 {
            throw DumpError(
                "a line with several addresses: \(addresses.map(\.shortened).joined(separator: ", "))", at: line.offset,
                hint: "leave one meter in each line")
        }
        let address = addresses.count > 1 ? addresses.first { MACAddress.parse($0) != nil } : nil
        let key =
            address ?? field(columns.addresses[0]) ?? (isSheet ? field(columns.addresses[0] + 1) : nil) ?? ""
        guard !key.isEmpty || name != nil || unit != nil else { return }
        if let name { entries.append(DumpEntry(dictionary: .meterNames, key: key, value: .text(name))) }
        if let unit { entries.append(DumpEntry(dictionary: .temperatureUnits, key: key, value: .text(unit))) }
        guard name == nil && unit == nil else { return }
        // Nothing is lost with a meter without a value, and its line counts all the same. A name beside an address would be.
        let isLost = !isSheet && MACAddress.parse(key) == nil && MACAddress.isMeant(by: key)
        let value: DumpValue = isLost ? .list(line.fields.map { .text($0) }) : .text("")
        entries.append(DumpEntry(dictionary: .meterNames, key: key, value: value))
    }
}

extension TypedList {
    private struct Columns {
        /// Those of each kind, the surest heading first; at least one of addresses.
        var addresses = [0]
        private(set) var names = [1]
        private(set) var units = [2]
        private(set) var count = 3
        private(set) var ignored: [String] = []
        private(set) var areNamed = false

        init() {}

        /// Nil where the line has no heading for addresses.
        init?(headings: [String]) {
            let kinds = headings.map { MeterHeading(of: $0) }
            func columns(_ kind: MeterHeading) -> [Int] {
                kinds.indices.filter { kinds[$0] == kind }
                    .sorted { MeterHeading.rank(of: headings[$0]) < MeterHeading.rank(of: headings[$1]) }
            }
            (addresses, names, units) = (columns(.address), columns(.name), columns(.unit))
            guard !addresses.isEmpty else { return nil }
            count = headings.count
            ignored = zip(headings, kinds).filter { $1 == nil && !WhiteSpace.isAll($0) }.map(\.0)
            areNamed = true
        }

        /// Nil where the line has nothing like an address in one of its first two columns.
        init?(first: [String]) {
            guard let place = first.prefix(2).firstIndex(where: MACAddress.isMeant) else { return nil }
            (addresses, names) = ([place], [1 - place])
        }
    }

    /// A line, or several where a name has a line break between quotes, and where it begins.
    private typealias Record = (fields: [String], offset: Int)

    private struct Reader {
        private var scanner: TextScanner
        private(set) var hasCurlyQuotes = false
        /// Whether blanks and curly quotes are a part of what they are beside: a program wrote the list.
        var isExact = false
        /// What a first line `sep=;` says, by which Excel tells itself.
        private let given: UInt8?

        init(_ text: [UInt8]) {
            var scanner = TextScanner(text)
            let isSaid = scanner.take("sep=") || scanner.take("SEP=") || scanner.take("Sep=")
            let separator = isSaid ? scanner.take() : nil
            given = scanner.next.map(Self.isLineEnd) ?? false ? separator : nil
            if given == nil { scanner.rewind(to: 0) }
            self.scanner = scanner
        }

        private static let separators = Set(";,\t".utf8)

        /// The first one outside quotes; nil where there is none.
        var separator: UInt8? {
            if let given { return given }
            var scanner = scanner
            scanner.skipWhiteSpace()
            if let closing = TypedText.quote(&scanner) { _ = TypedText.quoted(&scanner, closedBy: closing) }
            _ = scanner.take(while: { !Self.separators.contains($0) && !Self.isLineEnd($0) })
            return scanner.next.flatMap { Self.separators.contains($0) ? $0 : nil }
        }

        private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        /// The next line that is not empty; nil behind the last one.
        mutating func record(_ separator: UInt8) throws(DumpError) -> Record? {
            _ = scanner.take(while: { Self.isLineEnd($0) || (!isExact && Self.isBlank($0) && $0 != separator) })
            guard !scanner.isAtEnd else { return nil }
            let offset = scanner.position
            var fields: [String] = []
            repeat {
                fields.append(try field(separator))
            } while scanner.next == separator && scanner.take() != nil
            return (fields, offset)
        }

        mutating func beginning(_ separator: UInt8) -> [String] {
            scanner.skipWhiteSpace()
            var fields: [String] = []
            repeat {
                guard let field = try? field(separator) else { break }
                fields.append(field)
            } while scanner.next == separator && scanner.take() != nil
            return fields
        }

        private mutating func field(_ separator: UInt8) throws(DumpError) -> String {
            if !isExact { _ = scanner.take(while: { Self.isBlank($0) && $0 != separator }) }
            let start = scanner.position
            if let closing = isExact ? (scanner.take("\"") ? .straight : nil) : TypedText.quote(&scanner) {
                if closing != .straight { hasCurlyQuotes = true }
                guard let text = TypedText.quoted(&scanner, closedBy: closing) else {
                    throw DumpError("a quote that is not closed", at: start)
                }
                _ = scanner.take(while: { Self.isBlank($0) && $0 != separator })
                guard scanner.next.map({ $0 == separator || Self.isLineEnd($0) }) ?? true else {
                    throw DumpError("text behind a closing quote", at: scanner.position)
                }
                return text
            }
            let bytes = scanner.take(while: { $0 != separator && !Self.isLineEnd($0) })
            let text = String(decoding: bytes, as: UTF8.self)
            return isExact ? text : WhiteSpace.trimmed(text)
        }
    }
}

extension [DumpEntry] {
    /// Makes units of names where each of them is one. A letter alone may be a name.
    /// - Returns: what to say of it; nil where they are names.
    mutating func takeUnits() -> String? {
        let texts = map { $0.value.text ?? "" }
        guard !isEmpty, allSatisfy({ $0.dictionary == .meterNames }),
            texts.allSatisfy({ TemperatureUnit(understanding: $0) != nil })
        else { return nil }
        guard texts.contains(where: { $0.utf8.count > 1 }) else { return TypedList.perhapsUnits }
        self = map { DumpEntry(dictionary: .temperatureUnits, key: $0.key, value: $0.value) }
        return TypedList.onlyUnits
    }
}
