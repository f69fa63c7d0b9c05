internal import CoreDataStore
internal import JSON
internal import Texts

/// Cuts a table with a heading, as programs write it that read Apple's logs, into rows (RFC 4180).
struct LogTable: LogCutter {
    /// Bytes of one row; a longer one is none.
    private static let longest = 1 << 22

    private let names: [String]
    private let separator: UInt8

    /// Lines, of which a row has more than one where its message has.
    private(set) var lines = 0
    private(set) var unread = 0
    private var text: [UInt8] = []
    /// Where the row begins, and where the next byte to look at is.
    private var start = 0
    private var place = 0
    private var isInQuotes = false
    private var isHeading = true

    /// Nil for what is no table of a log.
    /// - Parameter heading: the first line.
    init?(heading: LogPart) {
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        guard
            let separator = separators.max(by: { one, other in
                heading.count { $0 == one } < heading.count { $0 == other }
            })
        else { return nil }
        names = Self.fields(of: heading, separator)
        self.separator = separator
        guard LogFields.areColumns(names) else { return nil }
    }

    mutating func add(_ chunk: [UInt8]?, _ found: (LogRecord) -> Void) {
        text += chunk ?? [0x0A]
        let text = text
        text.withUnsafeBufferPointer { bytes in
            while place < bytes.count {
                let byte = bytes[place]
                if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
                place += 1
                guard byte == 0x0A else { continue }
                lines += chunk == nil && place - 1 == start ? 0 : 1
                // After a broken quotation, the next line is read as if it began anew.
                if isInQuotes, chunk != nil, place - start <= Self.longest { continue }
                if isInQuotes { unread += 1 }
                if !isHeading { read(bytes[start..<place - 1], found) }
                (isInQuotes, isHeading, start) = (false, false, place)
            }
        }
        self.text.removeSubrange(..<start)
        (place, start) = (place - start, 0)
    }

    private func read(_ row: LogPart, _ found: (LogRecord) -> Void) {
        guard LogRecord.words.firstWord(in: UnsafeBufferPointer(rebasing: row), from: 0) != nil else { return }
        let columns = Array(zip(names, Self.fields(of: row, separator)))
        found(LogFields(of: columns.map { (name: $0, value: $1) }).record(orElse: row))
    }

    private static func fields(of row: LogPart, _ separator: UInt8) -> [String] {
        var (fields, field, isInQuotes): ([String], [UInt8], Bool) = ([], [], false)
        var rest = row.last == 0x0D ? row.dropLast() : row
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
