internal import CoreDataStore

/// The legacy dictionaries in every form people send them.
extension SampleShelf {
    package static let dumps = [
        Sample(
            dump: "kv-xml.plist", "An XML property list with the two dictionaries at its root and two other keys."
        ) { DumpText.xml(SampleDumps.withOthers) },
        Sample(file: "kv-binary.plist", "The same as a binary property list.") {
            SampleDumps.withOthers.binaryPropertyList()
        },
        Sample(dump: "kv.json", "The same as JSON.") { SampleDumps.json },
        Sample(dump: "kv-bom.json", "The same JSON after a byte-order mark.") { "\u{FEFF}" + SampleDumps.json },
        Sample(
            dump: "kv-synced-preferences.plist",
            "The format of SyncedPreferences: the app's keys are in `values`, each with its `value` inside."
        ) {
            let values = SampleDumps.both.merging(SampleDumps.others) { first, _ in first }
            return DumpText.xml(
                .dictionary([
                    "changecount": .integer(31),
                    "values": .dictionary(values.mapValues { .dictionary(["value": $0, "timestamp": .integer(0)]) }),
                ]))
        },
        Sample(
            names: ["kv-database.sqlite", "kv-database.sqlite-wal"],
            "The key-value database of macOS 12 and later with two apps in it, built from descriptions; all rows are in "
                + "the -wal.", expects: [], refusal: nil
        ) { folder in
            try KeyValueDatabaseFixture(
                [
                    .init("com.example.Notes", ["SortOrder": .string("date")]),
                    .init("ro.xdev.USB-Meter", SampleDumps.both.merging(SampleDumps.others) { first, _ in first }),
                ], rowsInLogOnly: true
            ).write(to: folder + "/kv-database.sqlite")
        },
        Sample(dump: "kv-defaults-read.txt", "What `defaults read` printed: an old-style property list.") {
            DumpText.oldStyle(SampleDumps.withOthers) + "\n"
        },
        Sample(dump: "kv-only-names.json", "Names without units; one address written in another way.") {
            """
            {"MeterNames": {"a4c1385d029f": "Bench UM34C", "98-DA-C0-44-7F-3B": "机架电源"}}

            """
        },
        Sample(dump: "kv-empty.json", "Both dictionaries, both empty.") {
            """
            {"MeterNames": {}, "TC66TemperatureUnits": {}}

            """
        },
        Sample(dump: "kv-nested.plist", "A dump of all preferences; the app's are one level down.") {
            DumpText.xml(
                .dictionary([
                    "com.example.Notes": .dictionary(["SortOrder": .string("date")]),
                    "ro.xdev.USB-Meter": SampleDumps.withOthers,
                ]))
        },
        Sample(
            dump: "kv-rejects.json",
            "Every reason to reject an entry: bad and placeholder addresses, an unknown unit, a number, a list and NULL for "
                + "names, an address written in two ways with different values; beside entries that can be used."
        ) { SampleDumps.rejects },
        Sample(dump: "kv-neither.json", "Another app's preferences: neither dictionary is in it.", refusal: 65) {
            """
            {"SortOrder": "date", "WindowFrame": [0, 0, 640, 480]}

            """
        },
    ]

    /// `Samples/kv/README.md`.
    package static var dumpsReadme: String {
        var lines = [
            "# Samples of legacy dumps",
            "",
            "The names and units from before Core Data, in the formats that people send. All are made up, for the meters of the",
            "sample stores; `swift run make-samples` writes them and this table.",
            "",
            "| sample | what it shows |",
            "|---|---|",
        ]
        for sample in dumps {
            let files = sample.fileNames.map { "`\($0)`" }.joined(separator: " ")
            lines.append("| \(files) | \(sample.summary)\(sample.refusal.map { " Refused: \($0)." } ?? "") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Sample {
    /// A sample made of text.
    fileprivate init(
        dump file: String, _ summary: String, refusal: Int32? = nil, text: @escaping @Sendable () -> String
    ) {
        self.init(file: file, summary, refusal: refusal) { Array(text().utf8) }
    }
}
