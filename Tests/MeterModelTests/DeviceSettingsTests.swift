import Testing

@testable import MeterModel

@Suite struct DeviceSettingsTests {
    @Test(
        "NULL and empty text are a missing address",
        arguments: [FieldValue.null, .text(""), .text(" \u{A0}\n"), .blob([])])
    func missingAddress(value: FieldValue) {
        #expect(record(1, [.macAddress: value]).address == .missing)
    }

    @Test(
        "text that is not an address is invalid",
        arguments: [FieldValue.text("my meter"), .integer(5), .blob([0xAA]), .malformedText([0xFF]), .text("AA:BB")])
    func invalidAddress(value: FieldValue) {
        #expect(record(1, [.macAddress: value]).address == .invalid)
    }

    @Test(
        "a placeholder is never usable, in any notation",
        arguments: ["00:00:00:00:00:00", "ff-ff-ff-ff-ff-ff", "020000000000", " FF:FF:FF:FF:FF:FF "])
    func placeholders(text: String) {
        guard case .placeholder = record(1, [.macAddress: .text(text)]).address else {
            Issue.record("\(text) is no placeholder")
            return
        }
    }

    @Test("a usable address knows its notation")
    func usableAddress() {
        let notation = MACAddress.Notation(separator: .hyphens, letters: .lower, isPadded: true)
        #expect(record(1, [.macAddress: " aa-bb-cc-dd-ee-ff"]).address == .usable(meter, notation))
    }

    @Test("a store without the attribute has NULL there")
    func missingAttribute() {
        let layout = RecordLayout(named: ["macAddress"])
        #expect(record(1, [.meterName: "Lab"], layout: layout)[.meterName] == .null)
    }

    @Test("known attributes come first in their fixed order, then the others by name")
    func layoutOrder() {
        let layout = RecordLayout(named: ["zz", "meterName", "\u{E4}", "Zz", "id", "macAddress", "updatedAt"])
        #expect(layout.fields.map(\.name) == ["id", "macAddress", "meterName", "updatedAt", "Zz", "zz", "\u{E4}"])
        #expect(layout.position(of: .meterName) == 2)
        #expect(layout.position(of: .createdAt) == nil)
        #expect(layout.has(.id))
        #expect(!layout.has(.modelType))
    }

    @Test("each known attribute has a place of its own")
    func places() {
        let places = SettingsField.allCases.map(RecordLayout.whole.position)
        #expect(places == Array(SettingsField.allCases.indices))
    }

    @Test("identifiers and JSON are for programs, everything else is for people")
    func roles() {
        func fields(_ role: SettingsField.Role) -> [SettingsField] {
            SettingsField.allCases.filter { $0.role == role }
        }
        #expect(fields(.identifier) == [.id, .connectedByDeviceID, .lastSeenByDeviceID, .cloudKitRecordID])
        #expect(fields(.json) == [.connectionMetadata, .discoveryMetadata])
    }

    @Test("a lock is torn if some of the fields the store has are empty")
    func tornLock() {
        #expect(record().flatLock == nil)
        #expect(record(1, [.connectedByDeviceID: "", .connectedByDeviceName: " "]).flatLock == nil)
        #expect(record(1, [.connectedAt: 100]).flatLock?.isTorn == true)
        let fields: [SettingsField: FieldValue] = [
            .connectedByDeviceID: "d", .connectedByDeviceName: "n", .connectedAt: 100, .connectedExpiryAt: 220,
        ]
        #expect(record(1, fields).flatLock?.isTorn == false)
        let layout = RecordLayout(named: ["macAddress", "connectedByDeviceID", "connectedAt", "connectedExpiryAt"])
        #expect(record(1, fields, layout: layout).flatLock?.isTorn == false)
    }

    @Test("a flat lock lasts 120 s, a JSON one from 120 s to 24 h")
    func lockTimeToLive() {
        func isUsual(_ spelling: ConnectionLock.Encoding, _ seconds: Double) -> Bool {
            let start = 817_000_000.123
            return ConnectionLock(
                encoding: spelling, deviceID: "d", deviceName: "n", connectedAt: Timestamp(secondsSince2001: start),
                expiresAt: Timestamp(secondsSince2001: start + seconds), isTorn: false
            ).hasUsualTimeToLive
        }
        #expect(isUsual(.flat, 120))
        for seconds in [-1, 0, 119.9, 120.1, 86_400] { #expect(!isUsual(.flat, seconds)) }
        for seconds in [120, 3_600, 86_400] { #expect(isUsual(.blob, Double(seconds))) }
        for seconds in [119.9, 86_400.1] { #expect(!isUsual(.blob, seconds)) }
    }
}
