package import CoreDataStore

/// What the samples of dumps say: the household of the sample stores, as the app knew it before Core Data.
package enum SampleDumps {
    /// The first two are as in the stores; the third has another name there; the last two the stores do not know.
    package static let names: [String: String] = [
        "A4:C1:38:0B:7E:21": "Kitchen charger",
        "A4:C1:38:5D:02:9F": "Bench UM34C",
        "00:15:A6:00:3C:E8": "Lab TC66 <old>",
        "5C:F8:21:9E:40:07": "Atelier \"Grün\" & Söhne 🔌",
        "D0:5F:B8:26:C3:91": "Wohnmobil",
    ]

    /// The first two are as in the stores; the third fills an empty unit; the last one is of a meter they do not know.
    package static let units: [String: String] = [
        "00:15:A6:00:3C:E8": "celsius",
        "98:DA:C0:11:AB:0E": "fahrenheit",
        "88:4A:18:C7:D1:54": "°C",
        "D0:5F:B8:26:C3:91": "celsius",
    ]

    /// Keys that the app kept beside them.
    package static let others: [String: PropertyList] = ["LaunchCount": .integer(212), "ShowsGraph": .bool(true)]

    package static let both: [String: PropertyList] = [
        "MeterNames": dictionary(names), "TC66TemperatureUnits": dictionary(units),
    ]

    package static let withOthers = PropertyList.dictionary(both.merging(others) { first, _ in first })

    static func dictionary(_ values: [String: String]) -> PropertyList {
        .dictionary(values.mapValues(PropertyList.string))
    }

    /// Entries that can be used, and one or more for every reason why one cannot.
    static let rejects = """
        {
          "MeterNames": {
            "A4:C1:38:0B:7E:21": "  Kitchen charger ",
            "A4:C1:38:70:12:DD": "Balcony solar",
            "a4c1387012dd": "Balkon",
            "88:4A:18:C7:D1:54": "",
            "UM34C": "Bench UM34C",
            "02:00:00:00:00:00": "Salon",
            "98:DA:C0:11:AB:0E": 7,
            "5C:F8:21:9E:40:07": ["Atelier", "Studio"],
            "D0:5F:B8:26:C3:91": "NULL"
          },
          "TC66TemperatureUnits": {
            "00:15:A6:00:3C:E8": "KELVIN",
            "A4-C1-38-70-12-DD": "celsius",
            "98DAC011AB0E": "FAHRENHEIT",
            "98:da:c0:11:ab:0e": "°F"
          }
        }

        """

    static let json = """
        {
          "MeterNames": {
            "A4:C1:38:0B:7E:21": "Kitchen charger",
            "A4:C1:38:5D:02:9F": "Bench UM34C",
            "00:15:A6:00:3C:E8": "Lab TC66 <old>",
            "5C:F8:21:9E:40:07": "Atelier \\"Grün\\" & Söhne \\uD83D\\uDD0C",
            "D0:5F:B8:26:C3:91": "Wohnmobil"
          },
          "TC66TemperatureUnits": {
            "00:15:A6:00:3C:E8": "celsius",
            "98:DA:C0:11:AB:0E": "fahrenheit",
            "88:4A:18:C7:D1:54": "°C",
            "D0:5F:B8:26:C3:91": "celsius"
          },
          "LaunchCount": 212,
          "ShowsGraph": true
        }

        """
}
