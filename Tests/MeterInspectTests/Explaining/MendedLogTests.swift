import CoreDataStore
import Foundation
import JSON
import Testing

@testable import MeterInspect

@Suite("a log that something was done to")
struct MendedLogTests {
    /// Each log that is text, in UTF-8, and what there is to say about it.
    private static let logs: [(name: String, bytes: [UInt8], wanted: LogSummary)] = LogCase.all.compactMap { sample in
        guard sample.wanted["exit"]?.number != 65, let bytes = try? sample.bytes() else { return nil }
        let text = bytes.starts(with: [0xFF, 0xFE]) ? String(bytes: bytes, encoding: .utf16) : nil
        return (sample.name, text.map { Array($0.utf8) } ?? bytes, LogSummary(wanted: sample.wanted))
    }

    @Test("says what it said before", arguments: LogChange.all)
    func law(_ change: LogChange) throws {
        #expect(Self.logs.count > 60)
        for (name, bytes, wanted) in Self.logs {
            let log = try MirrorLog(bytes: change.change(bytes), name: name)
            #expect(LogSummary(log) == wanted, "\(name)")
        }
    }

    @Test(
        "says what it said before where more was done to it than one thing", arguments: LogChange.several,
        ["03", "25", "27", "53", "57"])
    func several(_ change: LogChange, _ name: String) throws {
        let sample = try #require(LogCase.named(name))
        let log = try MirrorLog(bytes: change.change(sample.bytes()), name: name)
        #expect(LogSummary(log) == LogSummary(wanted: sample.wanted))
    }

    @Test("of any layout says what it said before", arguments: LogChange.signs + LogChange.numbers)
    func layouts(_ change: LogChange) throws {
        for writer in LogWriter.all {
            let bytes = Array(writer.text(of: LogSentence.story).utf8)
            let summary = LogSummary(try MirrorLog(bytes: bytes, name: writer.name))
            let changed = try MirrorLog(bytes: change.change(bytes), name: writer.name)
            #expect(LogSummary(changed) == summary, "\(writer.name)")
        }
    }

    @Test("is mended alike wherever the parts end in which it is read", arguments: LogChange.all)
    func parts(_ change: LogChange) throws {
        let bytes = change.change(try #require(LogCase.named("03")).bytes())
        var whole = LogMending(bytes)
        let text = whole.text(of: bytes) + whole.text(of: nil)
        for size in [1, 7, 1_000] {
            var mending = LogMending(bytes)
            var parts: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                parts += mending.text(of: Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(parts + mending.text(of: nil) == text)
            #expect(mending.joins == whole.joins)
        }
    }

    /// In other ones, a line that is as long as the broken ones cannot be told from them.
    @Test("is the log that it was before", arguments: ["02", "09", "18", "20", "21", "57", "60"])
    func unbroken(_ name: String) throws {
        let bytes = try #require(LogCase.named(name)).bytes()
        for change in LogChange.numbers + LogChange.wraps {
            let changed = change.change(bytes)
            var mending = LogMending(changed)
            let text = mending.text(of: changed) + mending.text(of: nil)
            #expect(text == LogSigns.mended(bytes), "\(change.name)")
        }
    }

    @Test("is left as it was where nothing was done to it")
    func untouched() throws {
        for (name, bytes, _) in Self.logs {
            var mending = LogMending(bytes)
            let mended = mending.text(of: bytes) + mending.text(of: nil)
            #expect(LogSigns.mended(mended) == LogSigns.mended(bytes), "\(name)")
        }
    }

    @Test("with one error on each of many lines of one width counts each of them")
    func sameWidth() throws {
        let line = "2026-11-20 export failed: The operation couldn’t be completed. (CKErrorDomain error 25.)\n"
        let own = "export of the meters failed: The operation couldn’t be completed. (CKErrorDomain error 25.)\n"
        for text in [line, own] {
            let bytes = Array(String(repeating: text, count: 20).utf8)
            #expect(try MirrorLog(bytes: bytes, name: "app.log").entries.map(\.count) == [20])
        }
    }

    @Test("does not hide that CloudKit blames the app in words that nobody knows, nor does a success overcome it")
    func blame() throws {
        let text = """
            BUG IN CLIENT OF CLOUDKIT: words of a new system
            CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): Finished export: <X: 0x1>

            """
        let log = try MirrorLog(bytes: Array(text.utf8), name: "console.log")
        #expect(log.cause?.error.fault == .unknownError)
    }
}
