import CoreDataStore
import GRDB
import MeterTestSupport

/// A store of which every text may have been written by somebody who means harm.
enum HostileStore {
    /// - Parameter evil: what each text has in it: names, units, devices, ids, CloudKit's names, the history's authors.
    static func fixture(_ evil: String) -> StoreFixture {
        var records = (1...3).map { row in
            var record = FixtureRecord(row: Int64(row), macAddress: "A4:C1:38:0B:7E:21", meterName: "\(row)\(evil)")
            record.tc66TemperatureUnit = "kelvin\(row)\(evil)"
            record.modelType = "UM25C\(evil)"
            record.updatedAt = FixtureClock.now - Double(row)
            record.cloudRecordName = "record\(row)\(evil)"
            var device = FixtureDevice.anasPhone
            device.id = "device\(evil)"
            device.name = "phone\(row)\(evil)"
            record = record.locked(by: device, at: FixtureClock.now - 1_000 * Double(row))
            return record.seen(by: device, at: FixtureClock.now - 60)
        }
        var other = FixtureRecord(row: 4, macAddress: "no address\(evil)", meterName: "iPad")
        other.connectedByDeviceName = evil
        other.connectionMetadata = "{" + evil
        other.overrides = ["ZCREATEDAT": .text(evil)]
        other.extra = ["note": .text(evil)]
        var same = FixtureRecord(row: 5, macAddress: "98:DA:C0:11:AB:0E", meterName: "1\(evil)")
        same.id = records[0].id
        records += [other, same]
        return StoreFixture(records: records).with {
            $0.mirror = .current
            $0.storeUUID = "uuid\(evil)"
            $0.extraAttributes = [Attribute("note", .string)]
            $0.mirrorEvents = [
                MirrorEvent(
                    .outgoing, at: FixtureClock.now - 60, succeeded: false, errorDomain: "domain\(evil)", errorCode: 1)
            ]
            $0.damage = { try $0.execute(sql: "UPDATE ATRANSACTIONSTRING SET ZNAME = ZNAME || ?", arguments: [evil]) }
        }
    }
}
