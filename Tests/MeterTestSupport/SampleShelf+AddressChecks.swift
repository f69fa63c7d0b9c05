/// One sample a check of addresses, names and units.
extension SampleShelf {
    static let addressChecks = [
        Sample(
            "check-duplicate-mac",
            "Two records of one meter, both in canonical text; the marker is of the old rebuild.",
            expects: ["duplicate-mac", "rebuild-marker-old"],
            StoreFixture(records: SampleRecords.household + SampleRecords.pair).with { $0.marker = 2 }),
        one("check-mac-not-canonical", "Row 2 has its address without colons.", "mac-not-canonical", row: 2) {
            $0.macAddress = "A4C1385D029F"
        },
        Sample(
            "check-mac-missing", "Row 1 has no address, row 4 an empty one.", expects: ["mac-missing"],
            StoreFixture(
                records: SampleRecords.household.map { record in
                    record.with {
                        if $0.row == 1 { $0.macAddress = nil }
                        if $0.row == 4 { $0.macAddress = "" }
                    }
                })),
        one("check-mac-invalid", "Row 2 has a meter's model where its address should be.", "mac-invalid", row: 2) {
            $0.macAddress = "UM34C"
        },
        one(
            "check-mac-placeholder", "Row 3 has the address that systems return to hide the real one.",
            "mac-placeholder", row: 3
        ) {
            $0.macAddress = "02:00:00:00:00:00"
        },
        Sample(
            "check-name-machine-made",
            "Meters named after a computer, after a hardware type, \"iPad\", and with nothing but white space.",
            expects: ["name-machine-made"],
            StoreFixture(
                records: SampleRecords.household.map { record in
                    record.with {
                        switch $0.row {
                        case 1: $0.meterName = "Anas-MacBook-Air.local"
                        case 2: $0.meterName = "um34c"
                        case 4: $0.meterName = "iPad"
                        case 5: $0.meterName = "  "
                        default: break
                        }
                    }
                })),
        one("check-name-shared", "Two meters named \"Bench UM34C\".", "name-shared", row: 4) {
            $0.meterName = "Bench UM34C"
        },
        one("check-unit-unknown", "A temperature unit \"kelvin\".", "unit-unknown", row: 3) {
            $0.tc66TemperatureUnit = "kelvin"
        },
    ]

    /// The household with one record changed so that one check fires.
    static func one(
        _ name: String, _ summary: String, _ check: String, row: Int64, _ change: (inout FixtureRecord) -> Void
    ) -> Sample {
        Sample(
            name, summary, expects: [check], StoreFixture(records: SampleRecords.household(row, change)))
    }
}
