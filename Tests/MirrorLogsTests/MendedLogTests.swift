import CoreDataStore
import Foundation
import JSON
import Testing

@testable import MirrorLogs

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

    /// In a mail with another mail in it, and in one sentence, a prefix cannot be told.
    @Test("says what it said before where something was put before each line", arguments: LogChange.prefixes)
    func prefixes(_ change: LogChange) throws {
        for (name, bytes, wanted) in Self.logs where !["08", "35"].contains(name.prefix(2)) {
            let log = try MirrorLog(bytes: change.change(bytes), name: name)
            #expect(LogSummary(log) == wanted, "\(name)")
        }
    }

    @Test("says what it said before where something is written around it", arguments: LogChange.surroundings)
    func surroundings(_ change: LogChange) throws {
        for (name, bytes, wanted) in Self.logs {
            let log = try MirrorLog(bytes: change.change(bytes), name: name)
            #expect(LogSummary(log) == wanted, "\(name)")
        }
    }

    /// Where strings are broken, columns have several blanks, or lists are in a message, blanks are lost.
    @Test(
        "says what it said before where a mail program has broken its lines",
        arguments: LogChange.wordWraps + LogChange.quotes)
    func mails(_ change: LogChange) throws {
        for (name, bytes, wanted) in Self.logs where !["37", "40", "55"].contains(name.prefix(2)) {
            let log = try MirrorLog(bytes: change.change(bytes), name: name)
            #expect(LogSummary(log) == wanted, "\(name)")
        }
    }

    @Test("that a flowed mail holds has its lines again")
    func flowed() throws {
        let (name, bytes, wanted) = try #require(Self.logs.first { $0.name.hasPrefix("03") })
        let head = """
            From: somebody@example.org
            Subject: a log
            Content-Type: text/plain; charset=utf-8; format=flowed


            """
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            // Blanks before a line are doubled, and each second word may be the last one of its line.
            let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
            let broken = words.enumerated().map {
                $0.offset % 2 == 1 && !$0.element.isEmpty ? $0.element + [0x20, 0x0A] : $0.element + [0x20]
            }
            return (line.first == 0x20 ? [0x20] : []) + broken.joined().dropLast()
        }
        let mail = Array(head.utf8) + lines.joined(separator: [0x0A])
        #expect(LogSummary(try MirrorLog(bytes: mail, name: name)) == wanted)
    }

    @Test("of any layout says what it said before", arguments: LogChange.signs + LogChange.numbers + LogChange.quotes)
    func layouts(_ change: LogChange) throws {
        for writer in LogWriter.all {
            let bytes = Array(writer.text(of: LogSentence.story).utf8)
            let summary = LogSummary(try MirrorLog(bytes: bytes, name: writer.name))
            let changed = try MirrorLog(bytes: change.change(bytes), name: writer.name)
            #expect(LogSummary(changed) == summary, "\(writer.name)")
        }
    }

    @Test(
        "is mended alike wherever the parts end in which it is read",
        arguments: LogChange.all + LogChange.prefixes + LogChange.quotes + LogChange.wordWraps)
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
            #expect(mending.missing == whole.missing)
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

    /// The sample of an answer is one to which something was done.
    @Test("is left as it was where nothing was done to it")
    func untouched() throws {
        for (name, bytes, _) in Self.logs where !name.hasPrefix("35") {
            var mending = LogMending(bytes)
            let mended = mending.text(of: bytes) + mending.text(of: nil)
            #expect(LogSigns.mended(mended) == LogSigns.mended(bytes), "\(name)")
        }
    }

    @Test("is not taken for a broken one where its lines are of one kind, whatever stands around them")
    func around() throws {
        let (name, bytes, wanted) = try #require(Self.logs.first { $0.name.hasPrefix("42") })
        let log = String(decoding: bytes, as: UTF8.self)
        let long = String(repeating: "Since the update nothing that I name here arrives there. ", count: 4)
        let quoted = log.split(separator: "\n").map { "> \($0)\n" }.joined()
        for text in ["\(long)\n\n\(log)", "\(long)\n\n\(quoted)\nBest regards,\nAna\n"] {
            #expect(LogSummary(try MirrorLog(bytes: Array(text.utf8), name: name)) == wanted, "\(text)")
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
