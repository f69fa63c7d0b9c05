import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

/// The tests are another process than the program.
@Suite("a store that another process is writing to", .serialized)
struct LiveStoreTests {
    /// A process that writes to a store all the time, and changes nothing that a check looks at.
    private final class Writer: @unchecked Sendable {
        private let lock = NSLock()
        private var isDone = false
        private let group = DispatchGroup()

        init(_ path: String) {
            Thread.detachNewThread { [group] in
                group.enter()
                defer { group.leave() }
                var round = 0
                while !self.lock.withLock({ self.isDone }) {
                    // Whatever meterfix has locked for the moment is tried again.
                    try? Self.session(path, round)
                    round += 1
                }
            }
            usleep(20_000)
        }

        /// Opens the store, writes for a while and closes it, so that all files beside it come and go.
        private static func session(_ path: String, _ round: Int) throws {
            let queue = try DatabaseQueue(path: path, configuration: .ofApp)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = OFF; CREATE TABLE IF NOT EXISTS EXTRA (A)")
                for step in 0..<20 {
                    let statement =
                        switch step % 5 {
                        case 0: "INSERT INTO EXTRA SELECT randomblob(5000) FROM ZDEVICESETTINGS"
                        case 3 where round % 3 == 0: "PRAGMA wal_checkpoint(TRUNCATE)"
                        case 3 where round % 3 == 1: "PRAGMA wal_checkpoint(RESTART)"
                        case 4: "DELETE FROM EXTRA"
                        default: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1"
                        }
                    try? database.execute(sql: statement)
                }
            }
            try queue.close()
        }

        func stop() {
            lock.withLock { isDone = true }
            group.wait()
        }
    }

    /// How often each command looks, as `METERFIX_LOOKS` says; otherwise those look once that read in different ways.
    private static let looks = ProcessInfo.processInfo.environment["METERFIX_LOOKS"].flatMap(Int.init)

    private static let ways = ["verify", "rebuild", "log", "undo"]

    private static let commands: [(words: [String], codes: Set<Int32>)] = [
        (["status", "--json"], [0]), (["verify", "--json"], [1]), (["rebuild", "--dry-run", "--json"], [1]),
        (["meters", "--locked", "--json"], [0]), (["sync", "--json"], [0]), (["meters", "--json"], [0]),
        (["show", "--row", "1", "--json"], [0]), (["log", "--json"], [0]),
        (["undo", "--list", "--json"], [0]), (["undo", "--dry-run", "--json"], [0]),
    ]

    @Test("is answered as it is, or with 75", arguments: ["duplicates", "rollback-journal"])
    func looking(_ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        let store = name + ".sqlite"
        func findings(_ answer: MeterfixProcess.Answer) throws -> JSONValue? { try answer.json["findings"] }
        let expected = try findings(folder.meterfix("verify", "--json", "--now", SampleSession.now, store))
        let writer = Writer(folder.path + "/" + store)
        defer { writer.stop() }
        var answers: [Int32: Int] = [:]
        for _ in 0..<(Self.looks ?? 1) {
            for (words, codes) in Self.commands where Self.looks != nil || Self.ways.contains(words[0]) {
                let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now, store])
                #expect(codes.contains(answer.code) || answer.code == 75, "\(words) \(answer.code) \(answer.stderr)")
                answers[answer.code, default: 0] += 1
                if words[0] == "verify", answer.code == 1 { #expect(try findings(answer) == expected) }
                #expect(answer.leftovers.isEmpty)
            }
        }
        if Self.looks != nil { print(name, answers) }
    }

    @Test(
        "is changed, or refused with 75",
        arguments: [("healthy", "a4c1385d029f"), ("rollback-journal", "a4c1380b7e21")])
    func writing(_ name: String, _ meter: String) throws {
        let folder = try ScratchFolder(sample: name)
        let store = name + ".sqlite"
        let writer = Writer(folder.path + "/" + store)
        var answers: [Int32: Int] = [:]
        for look in 0..<2 * (Self.looks ?? 2) {
            let answer = try folder.meterfix(arguments: ["set", meter, "--name", "Lab \(look)", "--no-backup", store])
            #expect([0, 75].contains(answer.code), "\(answer.code) \(answer.stderr)")
            answers[answer.code, default: 0] += 1
        }
        writer.stop()
        let integrity = try DatabaseQueue(path: folder.path + "/" + store)
            .read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(integrity == "ok")
        if Self.looks != nil { print(name, "writing", answers) }
    }
}
