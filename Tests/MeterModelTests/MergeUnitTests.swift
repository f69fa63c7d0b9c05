import MeterModel
import Testing

/// Lock and discovery: units that always come from one record.
@Suite struct MergeUnitTests {
    private func locked(
        _ row: Int64, _ device: String, at moment: FieldValue, _ more: [SettingsField: FieldValue] = [:]
    ) -> DeviceSettings {
        record(
            row,
            [
                .connectedByDeviceID: .text(device), .connectedByDeviceName: .text("\(device)'s"), .connectedAt: moment,
                .connectedExpiryAt: 1_000,
            ].merging(more) { $1 })
    }

    @Test("the latest lock is taken as a whole")
    func latestLock() {
        let winner = locked(1, "a", at: 100, [.meterName: "Lab"])
        let loser = locked(2, "b", at: 200, [.connectedByDeviceName: .null, .connectedExpiryAt: 320])
        let merge = merge([winner, loser])
        #expect(merge.winner == winner)
        for field in SettingsField.flatLock { #expect(merge.survivor[field] == loser[field]) }
        #expect(merge.survivor[.connectedByDeviceName] == .null)
        #expect(merge.change(.connectedByDeviceName)?.donor == 2)
        #expect(merge.change(.connectedByDeviceName)?.rule == .latestLock)
    }

    @Test("the winner's lock stays if it is the latest, and an older one fills no gap in it")
    func winnersLock() {
        let winner = locked(1, "a", at: 200, [.meterName: "Lab", .connectedByDeviceName: .null])
        let merge = merge([winner, locked(2, "b", at: 100)])
        #expect(merge.winner == winner)
        #expect(merge.changes.isEmpty)
    }

    @Test("the last lock is the one taken last, not that of the record written last")
    func latestByLockDate() {
        let merge = merge([
            locked(1, "a", at: 200, [.updatedAt: 200]), locked(2, "b", at: 100, [.updatedAt: 900]),
        ])
        #expect(merge.winner.row == 2)
        #expect(merge.survivor[.connectedByDeviceID] == "a")
    }

    @Test("for locks with the same date the winner's order decides")
    func equalLockDates() {
        let winner = locked(9, "a", at: 100, [.meterName: "Lab"])
        #expect(merge([locked(1, "b", at: 100.0), winner]).changes.isEmpty)
        let second = locked(2, "b", at: 100, [.updatedAt: 50])
        let third = locked(1, "c", at: 100, [.updatedAt: 40])
        let free = record(3, [.meterName: "Lab"])
        #expect(merge([third, second, free]).survivor[.connectedByDeviceID] == "b")
    }

    @Test("if no record says when its lock was taken, the winner's stays")
    func noLockDates() {
        let merge = merge([
            record(1, [.meterName: "Lab"]), record(2, [.connectedByDeviceID: "b", .connectedExpiryAt: 100]),
        ])
        #expect(merge.changes.isEmpty)
    }

    @Test("a lock in a JSON attribute is taken byte for byte")
    func lockInJSON() {
        let text: FieldValue = "{ \"device\":\"b\", \"timestamp\": 200, \"unknown\": 1 }"
        let winner = record(
            1, [.meterName: "Lab", .connectionMetadata: "{\"timestamp\":100}"], lockBlob: lockBlob("a", at: 100))
        let loser = record(2, [.connectionMetadata: text], lockBlob: lockBlob("b", at: 200))
        let merge = merge([winner, loser])
        #expect(merge.survivor[.connectionMetadata] == text)
        #expect(merge.changedNames == ["updatedAt", "connectionMetadata"])
    }

    @Test("flat locks and JSON are compared with each other, and both come from the same record")
    func flatAndJSON() {
        let winner = locked(1, "a", at: 100, [.meterName: "Lab"])
        let loser = record(2, [.connectionMetadata: "{\"timestamp\":200}"], lockBlob: lockBlob("b", at: 200))
        let toBlob = merge([winner, loser]).survivor
        #expect(toBlob[.connectionMetadata] == "{\"timestamp\":200}")
        for field in SettingsField.flatLock { #expect(toBlob[field] == .null) }

        let older = record(
            1, [.meterName: "Lab", .connectionMetadata: "{\"timestamp\":100}"], lockBlob: lockBlob("b", at: 100))
        let toFlat = merge([older, locked(2, "a", at: 200)]).survivor
        #expect(toFlat[.connectionMetadata] == .null)
        #expect(toFlat[.connectedByDeviceID] == "a")
    }

    @Test("a record with both a flat lock and JSON counts with the later one")
    func bothInOneRecord() {
        let both = record(
            2, [.connectedAt: 100, .connectionMetadata: "{\"timestamp\":300}"], lockBlob: lockBlob("b", at: 300))
        #expect(both.lockedAt == moment(300))
        let merge = merge([locked(1, "a", at: 200, [.meterName: "Lab"]), both])
        #expect(merge.survivor[.connectedAt] == FieldValue.integer(100).asMoment)
        #expect(merge.survivor[.connectionMetadata] == "{\"timestamp\":300}")
    }

    @Test("a malformed JSON attribute is not a lock")
    func malformedJSON() {
        let broken = record(2, [.connectionMetadata: "{"], lockBlob: .malformed("unexpected end of text"))
        #expect(broken.lockedAt == nil)
        #expect(merge([record(1, [.meterName: "Lab"]), broken]).changes.isEmpty)
        let winner = record(
            1, [.meterName: "Lab", .connectionMetadata: "{"], lockBlob: .malformed("unexpected end of text"))
        #expect(merge([winner, locked(2, "b", at: 100)]).survivor[.connectionMetadata] == .null)
    }

    @Test("the latest discovery is taken as a whole, independently of the lock")
    func latestDiscovery() {
        let winner = record(
            1,
            [
                .meterName: "Lab", .connectedAt: 900, .connectedByDeviceID: "a", .lastSeenAt: 100,
                .lastSeenByDeviceID: "a", .lastSeenByDeviceName: "A",
            ])
        let loser = record(2, [.connectedAt: 100, .lastSeenAt: 200.5, .lastSeenByDeviceID: "b"])
        let merge = merge([winner, loser])
        #expect(merge.survivor[.connectedByDeviceID] == "a")
        #expect(merge.survivor[.lastSeenAt] == FieldValue.real(200.5).asMoment)
        #expect(merge.survivor[.lastSeenByDeviceID] == "b")
        #expect(merge.survivor[.lastSeenByDeviceName] == .null)
        #expect(merge.change(.lastSeenAt)?.rule == .latestDiscovery)
        #expect(merge.change(.lastSeenAt)?.donor == 2)
    }

    @Test("a discovery in a JSON attribute counts as a flat one does")
    func discoveryInJSON() {
        let winner = record(1, [.meterName: "Lab", .lastSeenAt: 100, .lastSeenByDeviceID: "a"])
        let loser = record(2, [.discoveryMetadata: "{\"lastSeen\":200}"], discoveryBlob: discoveryBlob("b", at: 200))
        #expect(loser.seenAt == moment(200))
        let survivor = merge([winner, loser]).survivor
        #expect(survivor[.lastSeenAt] == .null)
        #expect(survivor[.discoveryMetadata] == "{\"lastSeen\":200}")
    }
}
