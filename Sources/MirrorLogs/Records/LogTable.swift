internal import CoreDataStore
internal import JSON
internal import Texts

/// Cuts a table with a heading, as programs write it that read Apple's logs, into rows (RFC 4180).
struct LogTable: LogCutter {
    /// Bytes of one row; a longer one is none.
    private static let longest = 1 << 22

    /// Lines above the heading that somebody or a program may have written there.
    private static let mostAbove = 8

    private let heading: [UInt8]
    private let names: [String]
    private let separator: UInt8
    private let lineEnd: UInt8
    /// Spaces before each row.
    private let indentation: Int

    /// Lines, of which a row has more than one where its message has.
    private(set) var lines = 0
    private(set) var unread = 0
    private var text: [UInt8] = []
    /// Where the row begins, and where the next byte to look at is.
    private var start = 0
    private var place = 0
    private var isInQuotes = false
    private var isBelowHeading = false

    /// Nil for what is no table of a log.
    /// - Parameter lines: the first ones, of which none is empty.
    init?(_ lines: [LogPart]) {
        for line in lines.prefix(Self.mostAbove) {
            let heading = line.drop(while: { $0 == 0x20 })
            let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].map { sign in
                (sign: sign, count: heading.count { $0 == sign })
            }
            guard let separator = counts.max(by: { $0.count < $1.count })?.sign else { return nil }
            let names = Self.fields(of: heading, separator)
            if LogFields.areColumns(names) {
                (self.heading, self.names, self.separator) = (Array(heading), names, separator)
                indentation = line.count - heading.count
                // Above and below it, other programs may have ended lines otherwise.
                let end = line.base[line.endIndex...].prefix(2)
                lineEnd = end.first == 0x0D && end.last != 0x0A ? 0x0D : 0x0A
                return
            }
            // Messages have begun.
            if LogRecord.mayBeIn(line) { return nil }
        }
        return nil
    }

    mutating func add(_ chunk: [UInt8]?, _ found: (LogRecord) -> Void) {
        text += chunk ?? [lineEnd]
        let text = text
        text.withUnsafeBufferPointer { bytes in
            while place < bytes.count {
                let byte = bytes[place]
                if byte == UInt8(ascii: "\""), isBelowHeading { isInQuotes.toggle() }
                place += 1
                guard byte == lineEnd else { continue }
                lines += chunk == nil && place - 1 == start ? 0 : 1
                // After a broken quotation, the next line is read as if it began anew.
                if isInQuotes, chunk != nil, place - start <= Self.longest { continue }
                if isInQuotes { unread += 1 }
                let row = bytes[start..<place - 1]
                if isBelowHeading || !endsWithHeading(row) { read(row, found) } else { isBelowHeading = true }
                (isInQuotes, start) = (false, place)
            }
        }
        self.text.removeSubrange(..<start)
        (place, start) = (place - start, 0)
    }

    /// Whether the last line of a row is the heading.
    private func endsWithHeading(_ row: LogPart) -> Bool {
        let row = Self.withoutReturn(row)
        let before = row.dropLast(heading.count).last
        return row.suffix(heading.count).elementsEqual(heading) && (before?.isSpace ?? true)
    }

    private static func withoutReturn(_ row: LogPart) -> LogPart { row.last == 0x0D ? row.dropLast() : row }

    private func read(_ row: LogPart, _ found: (LogRecord) -> Void) {
        guard LogRecord.words.firstWord(in: UnsafeBufferPointer(rebasing: row), from: 0) != nil else { return }
        let indented = row.prefix(indentation).prefix { $0 == 0x20 }
        let row = row.dropFirst(indented.count)
        // What stands above the heading has no columns.
        let columns = isBelowHeading ? Array(zip(names, Self.fields(of: row, separator))) : []
        found(LogFields(of: columns.map { (name: $0, value: $1) }).record(orElse: row))
    }

    private static func fields(of row: LogPart, _ separator: UInt8) -> [String] {
        var (fields, field, isInQuotes): ([String], [UInt8], Bool) = ([], [], false)
        var rest = withoutReturn(row)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                // A quotation mark in a quotation is doubled.
                if isInQuotes, rest.first == byte { field.append(byte) }
                isInQuotes.toggle()
            } else if byte == separator, !isInQuotes {
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            } else {
                field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}
