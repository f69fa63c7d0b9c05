import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

@Suite("a store whose -wal is not whole")
struct CutLogTests {
    /// A frame of a log with pages of 4,096 bytes.
    private static let frame = 24 + 4096

    /// What may happen to a log on its way to support.
    enum Damage: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case cutInTheMiddle = "cut in the middle of a frame"
        case cutAfterAFrame = "cut after a frame"
        case cutToItsHeader = "cut to its header"
        case garbageInside = "with garbage in the middle"
        case garbageThroughout = "overwritten with garbage"
        case otherSalts = "with other salts"

        var testDescription: String { rawValue }

        func apply(to log: inout [UInt8]) {
            let middle = 32 + (log.count - 32) / CutLogTests.frame / 2 * CutLogTests.frame
            switch self {
            case .cutInTheMiddle: log.removeSubrange((middle + 1000)...)
            case .cutAfterAFrame: log.removeSubrange(middle...)
            case .cutToItsHeader: log.removeSubrange(32...)
            case .garbageInside: for offset in middle + 100..<middle + 200 { log[offset] ^= 0x5A }
            case .garbageThroughout: for offset in log.indices { log[offset] = UInt8(truncatingIfNeeded: offset &* 31) }
            case .otherSalts:
                for offset in stride(from: 32, to: log.count, by: CutLogTests.frame) { log[offset + 8] ^= 0x40 }
                log[16] ^= 0x40
            }
        }
    }

    /// A store with ten transactions in its log, as it lies there while the app has it open.
    private static func liveStore() throws -> ScratchFolder {
        let live = try ScratchFolder(sample: "duplicates")
        let folder = try ScratchFolder()
        let queue = try DatabaseQueue(path: live.path + "/duplicates.sqlite")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            for number in 0..<10 {
                try database.execute(
                    sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1, ZMETERNAME = 'Bench \(number)'")
            }
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(
                    atPath: live.path + "/duplicates.sqlite" + suffix, toPath: folder.path + "/s.sqlite" + suffix)
            }
        }
        try queue.close()
        return folder
    }

    private static func expectMissing(_ folder: ScratchFolder, after damage: Damage) throws {
        var log = try folder.bytes("s.sqlite-wal")
        damage.apply(to: &log)
        try FileBytes.write(log, to: folder.path + "/s.sqlite-wal")
        let before = try folder.snapshot.contents
        let verify = try folder.meterfix("verify", "--json", "s.sqlite")
        let document = try verify.json
        let findings = try #require(document["findings"]?.elements, "\(verify.stdout) \(verify.stderr)")
        #expect(findings.contains { $0["id"]?.string == "wal-missing" })
        let status = try folder.meterfix("status", "--json", "s.sqlite")
        #expect(try status.json["store"]?["walMissing"] == .bool(true))
        let refused = try folder.meterfix("rebuild", "s.sqlite")
        refused.expect(65, saying: "-wal file")
        #expect(refused.stderr.contains("--accept-missing-wal"))
        let planned = try folder.meterfix("rebuild", "--dry-run", "s.sqlite")
        #expect([0, 1].contains(planned.code))
        #expect(planned.stderr.hasPrefix("meterfix: warning: the -wal file"), "\(planned.stderr)")
        #expect(try folder.snapshot.contents == before)
        #expect(try folder.meterfix("rebuild", "-q", "--accept-missing-wal", "s.sqlite").code == 0)
    }

    @Test("is found by the -shm, and is not changed unless that is accepted", arguments: Damage.allCases)
    func cut(_ damage: Damage) throws { try Self.expectMissing(Self.liveStore(), after: damage) }

    @Test("is found without a -shm where commits follow what cannot be read")
    func garbageWithoutIndex() throws {
        let folder = try Self.liveStore()
        try folder.remove("s.sqlite-shm")
        try Self.expectMissing(folder, after: .garbageInside)
    }

    @Test("is one like any other where a crash cut the last transaction short", arguments: [true, false])
    func crash(hasIndex: Bool) throws {
        let folder = try Self.liveStore()
        let path = folder.path + "/s.sqlite"
        let log = try FileBytes.read(path + "-wal")
        // A transaction that was being written: its first frame is whole but no commit, its second is torn.
        var next = Array(log[(log.count - Self.frame)...])
        next.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        try FileBytes.write(log + next + next.prefix(500), to: path + "-wal")
        if !hasIndex { try FileManager.default.removeItem(atPath: path + "-shm") }
        let verify = try folder.meterfix("verify", "--json", "s.sqlite")
        #expect(!verify.stdout.contains("wal-missing"))
        #expect(try folder.meterfix("rebuild", "-q", "s.sqlite").code == 0)
    }
}
