import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterTestSupport
import Testing

@testable import MirrorLogs

/// The log has a setup at 07:14:00 that succeeded, and an export after it that failed because the storage is full.
@Suite("a log beside a store")
struct StoreOfLogTests {
    private static let identifier = "3E7C1D40-1111-4222-8333-6F5A4B3C2D1E"
    private static let start = Timestamp(iso8601: "2026-11-20T07:14:00Z")?.secondsSince2001 ?? 0

    private static func event(_ kind: MirrorEvent.Kind, at seconds: Double, failed: Bool = false) -> MirrorEvent {
        MirrorEvent(
            kind, at: start + seconds, succeeded: !failed, errorDomain: failed ? "CKErrorDomain" : nil,
            errorCode: failed ? 25 : nil)
    }

    private static func store(_ events: [MirrorEvent], identifier: String = identifier) throws -> StoreOfLog {
        let fixture = StoreFixture(.v2).with {
            $0.mirror = .current
            $0.mirrorEvents = events
        }
        let store = try TestStore(fixture.damaged("UPDATE Z_METADATA SET Z_UUID = '\(identifier)'"))
        return try store.looking { try StoreOfLog.of(store.path, now: TestStore.now) }
    }

    private static func contradictions(_ events: [MirrorEvent], identifier: String = identifier) throws -> [Sentence] {
        let log = try MirrorLog(path: #require(LogCase.named("03")).path)
        let found = try store(events, identifier: identifier)
        #expect(found.events.count == events.count)
        #expect(found.isOf(log) == (identifier == Self.identifier))
        return found.contradictions(to: log)
    }

    private static let setup = event(.setup, at: 0)
    private static let failure = event(.outgoing, at: 1, failed: true)

    @Test("says nothing where both say the same")
    func agreement() throws {
        #expect(try Self.contradictions([Self.setup, Self.failure]).isEmpty)
        #expect(try Self.contradictions([]).isEmpty)
    }

    @Test("is not held against a store that is not whole, and then nothing is all right")
    func incomplete() throws {
        let store = try TestStore(StoreFixture(.v2).with { $0.mirror = .current })
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let log = try MirrorLog(path: #require(LogCase.named("01")).path)
        let found = try StoreOfLog.of(store.path, now: TestStore.now)
        #expect(log.cause == nil && !ExplainedLog(log: log, store: nil).isAmiss)
        #expect(ExplainedLog(log: log, store: found).isAmiss)
        #expect(found.contradictions(to: log).map(\.description).contains { $0.contains("not whole") })
    }

    @Test("says what the two do not say alike")
    func contradictions() throws {
        func one(_ events: MirrorEvent...) throws -> Sentence {
            let found = try Self.contradictions(events)
            #expect(found.count == 1, "\(found)")
            return found.first ?? ""
        }
        #expect(
            try one(Self.setup, Self.event(.outgoing, at: 1)).hasPrefix(
                "the log says that the export of 2026-11-20T07:14:00.959217Z failed, and the store that it succeeded"))
        #expect(try one(Self.event(.incoming, at: -900)).contains("does not know 2 requests of the log"))
        #expect(try one(Self.setup, Self.event(.incoming, at: 1), Self.failure).contains("the log lacks 1 event"))
        #expect(
            try one(Self.setup, Self.failure, Self.event(.outgoing, at: 3_600)).contains(
                "newer than the trouble in the log: an export succeeded at 2026-11-20T08:14"))
    }

    @Test("says that the log is about another store, and nothing else of it")
    func otherStore() throws {
        let other = "FFFFFFFF-1111-4222-8333-6F5A4B3C2D1E"
        let found = try Self.contradictions([Self.setup], identifier: other)
        #expect(found == ["the log is about another store, \(Self.identifier); this one is \(other)"])
    }

    @Test("has the events of the store in their places, of the hours around the log alone")
    func timeline() throws {
        let store = try Self.store([
            Self.event(.incoming, at: -86_400), Self.event(.incoming, at: -60), Self.setup, Self.failure,
            Self.event(.outgoing, at: 60),
        ])
        let lines = try MirrorLog(path: #require(LogCase.named("03")).path).timeline(with: store)
        #expect(
            lines.map { "\($0.isFromStore ? "store" : "log") \($0.kind ?? "") \($0.outcome ?? "")" } == [
                "store import succeeded", "store setup succeeded", "log setup succeeded", "log export failed",
                "store export failed", "store export succeeded",
            ])
    }
}
