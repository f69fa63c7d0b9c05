import MeterStore
import MeterTestSupport
import Testing

/// How seldom a discovery is written.
extension SettingsStoreTests {
    @Test("the throttle respects its timing, keeps the rest in memory, and is reset by a disconnect")
    func throttle() throws {
        try use { store in
            func record(_ seconds: Double) throws -> Bool {
                try store.recordDiscovery(macAddress: Self.address, by: ana, at: Self.later(seconds))
            }
            #expect(try record(0))
            #expect(try !record(119))
            #expect(try store.fetch(for: Self.address)?.lastSeen?.seenAt == Self.later(119))
            #expect(try store.fetch(for: Self.address)?.updatedAt == Self.later(0))
            #expect(try record(120))
            #expect(try !record(121))
            try store.setConnection(macAddress: Self.address, modelType: "TC66C", by: ana, at: Self.later(122))
            try store.clearConnection(macAddress: Self.address, at: Self.later(125))
            #expect(try record(126))
        }
        #expect(try column("ZLASTSEENAT") == ["816955326"])
        // Three discoveries, a connection and its end.
        #expect(try StoreText(of: path)[table: "ATRANSACTION"].count == 5)
    }

    @Test("the throttle asks the record too: after a restart and beside another process")
    func throttleByRecord() throws {
        func record(_ seconds: Double, in store: SettingsStore) throws -> Bool {
            try store.recordDiscovery(macAddress: Self.address, by: ana, at: Self.later(seconds))
        }
        let first = try use { try record(0, in: $0) }
        #expect(first)
        let (early, held, due) = try use { store in
            let early = try record(60, in: store)
            let held = try store.fetch(for: Self.address)?.lastSeen?.seenAt
            // Counted from the write, and not from the attempt.
            return (early, held, try record(120, in: store))
        }
        #expect(!early)
        #expect(held == Self.later(60))
        #expect(due)
        let one = try SettingsStore(opening: path, access: .shared)
        let other = try SettingsStore(opening: path, access: .shared)
        let inTurns = [
            try record(150, in: one), try record(240, in: other), try record(300, in: one), try record(361, in: one),
        ]
        #expect(inTurns == [false, true, false, true])
        try one.setConnection(macAddress: Self.address, modelType: "TC66C", by: ana, at: Self.later(362))
        try one.clearConnection(macAddress: Self.address, at: Self.later(363))
        let (afterDisconnect, afterClockWasSetBack) = (try record(364, in: one), try record(10, in: other))
        #expect(afterDisconnect)
        #expect(afterClockWasSetBack)
        try one.close()
        try other.close()
    }

    @Test("the throttle prevents thrashing: an hour of advertisements is thirty writes")
    func thrashing() throws {
        try use { store in
            for second in 0..<3_600 {
                try store.recordDiscovery(macAddress: Self.address, by: ana, at: Self.later(Double(second)))
            }
        }
        #expect(try column("Z_OPT") == ["30"])
        #expect(try StoreText(of: path)[table: "ACHANGE"].count == 30)
    }
}
