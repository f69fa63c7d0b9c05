internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterTestSupport

extension FuzzTarget {
    /// The text of an address.
    static let address = FuzzTarget(
        name: "address", longestInput: 64, shortRun: 1_000,
        seeds: {
            [
                "A4:C1:38:0B:7E:21", "a4c1387012dd", "98-DA-C0-44-7F-3B", "a4c1.3870.12dd", " a:b:c:d:e:f\n",
                "1:02:3:04:5:6",
            ]
            .map { Array($0.utf8) }
        },
        entry: {
            { bytes in
                guard let (address, _) = bytes.withUnsafeBufferPointer(MACAddress.parse(utf8:)) else { return }
                for letterCase in LetterCase.allCases {
                    guard MACAddress.parse(address.text(in: letterCase))?.address == address else {
                        throw BrokenLaw("\(address) is not read back from its text")
                    }
                }
            }
        })

    /// The text of a date, and a date of any number.
    static let date = FuzzTarget(
        name: "date", longestInput: 64, shortRun: 1_000,
        seeds: {
            [
                "2026-11-21T12:00:00Z", "2026-11-21T12:00:00.123456Z", "2001-01-01", "2026-02-29T23:59:60+14:00",
                "-0001-12-31T24:00:00-00:30", "20261121T120000Z", "9999-12-31T23:59:59.999999Z",
            ].map { Array($0.utf8) }
        },
        entry: {
            { bytes in
                if let date = Timestamp(iso8601: String(decoding: bytes, as: UTF8.self)) {
                    guard date.secondsSince2001.isFinite else { throw BrokenLaw("a text is no moment") }
                    _ = date.description
                }
                let bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
                _ = Timestamp(secondsSince2001: Double(bitPattern: bits)).description
                _ = Timestamp.iso8601(wholeSecondsSince2001: Int64(bitPattern: bits))
            }
        })
}

extension FuzzTarget {
    /// JSON.
    static let json = FuzzTarget(
        name: "json", longestInput: 1 << 16, shortRun: 750,
        seeds: {
            [
                #"{"schema": 1, "files": [{"name": "é\n\u00e9\ud83d\udd0c", "size": -0.5e-3}, null, true], "plan": {"a": []}}"#,
                #"{"device":"x","timestamp":1.7976931348623157e308,"expiry":9223372036854775807}"#, "[[[[]]],{},\"\"]",
            ].map { Array($0.utf8) }
        },
        entry: {
            { bytes in
                guard let value = try? JSONValue(parsing: bytes) else { return }
                guard let again = try? JSONValue(parsing: Array(value.text(pretty: false).utf8)), again == value
                else { throw BrokenLaw("JSON is not read back as it was written") }
            }
        })
}

extension FuzzTarget {
    /// A binary property list: the metadata of a store, a value of the key-value database.
    static let propertyList = FuzzTarget(
        name: "property-list", longestInput: 1 << 16, shortRun: 500,
        seeds: {
            let mixed = PropertyList.dictionary([
                "größe": .string("漢字"), "count": .integer(-3), "when": .date(743_911_561.25), "none": .null,
                "bytes": .data([UInt8](repeating: 7, count: 20)), "list": .array([.bool(true), .uid(300), .real(1.5)]),
            ])
            return [mixed.binaryPropertyList(), SampleDumps.withOthers.binaryPropertyList()]
        },
        entry: {
            { bytes in
                guard let list = try? PropertyList(binary: bytes) else { return }
                let written = list.binaryPropertyList()
                // Not compared as values: NaN is never the same as itself.
                guard let again = try? PropertyList(binary: written), again.binaryPropertyList() == written else {
                    throw BrokenLaw("a property list is not read back as it was written")
                }
            }
        })
}
