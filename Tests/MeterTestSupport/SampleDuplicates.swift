internal import CoreDataStore

/// The sample with duplicates of every kind.
enum SampleDuplicates {
    private typealias Clock = FixtureClock

    static let fixture = StoreFixture(records: records).with {
        $0.mirror = .current
        $0.extraAttributes = [
            Attribute("calibration", .double), Attribute("deviceColor", .integer16), Attribute("note", .string),
        ]
        $0.extraEntities = [
            Entity("ChargeSession", attributes: [Attribute("energy", .double), Attribute("startedAt", .date)])
        ]
        $0.mirrorEvents.append(MirrorEvent(.incoming, at: Clock.now - Clock.hour))
    }

    private static var records: [FixtureRecord] {
        let notUploaded: Int64 = 12
        return (spellings + conflicts + locks + ties + withoutMeter + alone).map { record in
            record.with {
                if $0.row != notUploaded { $0.cloudRecordName = SampleRecords.cloudName($0.row) }
                $0.needsUpload = [2, 7].contains($0.row)
            }
        }
    }

    /// One meter, three spellings: the user's record, a heartbeat's nameless one, and one with attributes of its own.
    private static let spellings = [
        SampleRecords.meter(
            1, "A4:C1:38:0B:7E:21", "Kitchen charger", "UM25C", unit: "celsius", age: 310, change: 40),
        SampleRecords.meter(2, "a4:c1:38:0b:7e:21", nil, age: 40, change: 0.04)
            .seen(by: .anasPhone, at: Clock.now - Clock.hour),
        SampleRecords.meter(3, "A4C1380B7E21", "Kitchen charger", age: 220, change: 60).with {
            $0.extra = ["note": "fuse replaced in March", "calibration": 1.0021, "deviceColor": 4]
        },
    ]

    /// Two names, two units.
    private static let conflicts = [
        SampleRecords.meter(4, "A4-C1-38-5D-02-9F", "Bench UM34C", "UM34C", age: 295, change: 90).with {
            $0.extra = ["deviceColor": 2]
        },
        SampleRecords.meter(5, "a4c1.385d.029f", "Werkbank UM34C", "UM34C", age: 100, change: 14),
        SampleRecords.meter(6, "00:15:A6:00:3C:E8", "Lab TC66", "TC66C", unit: "celsius", age: 200, change: 33),
        SampleRecords.meter(7, "00:15:A6:00:3C:E8", "Lab TC66", "TC66C", unit: "fahrenheit", age: 150, change: 8),
    ]

    /// A whole lock nobody cleared, and half of a newer one.
    private static let locks = [
        SampleRecords.meter(8, "88:4A:18:C7:D1:54", "Încărcător birou", "UM24C", age: 120, change: 5)
            .locked(by: .bogdansMac, at: Clock.now - 5 * Clock.day),
        SampleRecords.meter(9, "88:4A:18:C7:D1:54", " ", age: 6, change: 0.125).with {
            $0.connectedByDeviceID = FixtureDevice.chloesPad.id
            $0.connectedByDeviceName = FixtureDevice.chloesPad.name
        },
    ]

    /// Equal but for what CloudKit and row numbers say; the last one was never uploaded.
    private static let ties = [Int64(10), 11, 12].map { row in
        SampleRecords.meter(row, "98:DA:C0:11:AB:0E", "Зарядка в машине", "TC66C", age: 66, change: 7)
    }

    /// Two of each kind of no address, for whoever groups by text.
    private static let withoutMeter = [
        SampleRecords.meter(13, nil, "Garage wallbox", "UM25C", age: 180, change: 50),
        SampleRecords.meter(14, nil, "Terrasse", "UM25C", age: 170, change: 45),
        SampleRecords.meter(15, "", "Camper van", "UM24C", age: 160, change: 44),
        SampleRecords.meter(16, "", "Nachttisch", "UM24C", age: 155, change: 43),
        SampleRecords.meter(17, "02:00:00:00:00:00", "Salon", "UM34C", age: 140, change: 41),
        SampleRecords.meter(18, "02:00:00:00:00:00", "Wohnzimmer", "UM34C", age: 139, change: 39),
    ]

    /// One meter in the wrong spelling, one with nothing wrong.
    private static let alone = [
        SampleRecords.meter(19, "98dac0447f3b", "机架电源", "TC66C", unit: "celsius", age: 75, change: 21),
        SampleRecords.meter(20, "A4:C1:38:70:12:DD", "Balcony solar", "UM25C", age: 90, change: 30)
            .seen(by: .chloesPad, at: Clock.now - 30 * Clock.day),
    ]
}
