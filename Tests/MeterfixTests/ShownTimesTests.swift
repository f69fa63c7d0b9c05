import Answer
import MeterModel
import Testing

@testable import meterfix

@Suite("times in an answer")
struct ShownTimesTests {
    private static let now = Timestamp(iso8601: "2026-11-22T03:03:59Z")!
    private let times = ShownTimes(now: now, isExact: false)
    private let exact = ShownTimes(now: now, isExact: true)
    private static func time(_ text: String) -> Timestamp { Timestamp(iso8601: text)! }

    @Test("are shown as people read them, with --verbose exactly")
    func text() {
        let time = Self.time("2026-11-22T00:03:00.5Z")
        #expect(times.text(time) == "22 Nov 2026, 00:03, 3 hours ago")
        #expect(exact.text(time) == "2026-11-22T00:03:00.500Z")
        #expect(times.text(Self.now) == "22 Nov 2026, 03:03, now")
        #expect(times.text(Timestamp(secondsSince2001: .nan)) == "nan s since 2001")
        #expect(times.cell(time).text == "22 Nov 2026, 00:03")
        #expect(times.cell(nil).text == "–")
    }

    @Test("that are beside one another look different where they are")
    func short() {
        let minute = ["2026-11-22T00:03:00Z", "2026-11-22T00:04:00Z", "2026-11-22T00:03:00Z"].map(Self.time)
        #expect(times.short(minute) == ["22 Nov 2026, 00:03", "22 Nov 2026, 00:04", "22 Nov 2026, 00:03"])
        let second = ["2026-11-22T00:03:00Z", "2026-11-22T00:03:01Z"].map(Self.time)
        #expect(times.short(second) == ["22 Nov 2026, 00:03:00", "22 Nov 2026, 00:03:01"])
        let closer = ["2026-11-22T00:03:00Z", "2026-11-22T00:03:00.25Z"].map(Self.time)
        #expect(times.short(closer) == ["2026-11-22T00:03:00.000Z", "2026-11-22T00:03:00.250Z"])
        #expect(exact.short(minute) == minute.map(\.description))
    }

    @Test("of a sentence are shown where they stand in it, but not what only looks like one")
    func sentence() {
        let (first, second) = (Self.time("2026-11-22T00:03:00Z"), Self.time("2026-11-23T03:03:59.123456Z"))
        let lock: Sentence = "the lock of \"\(first.description)\" expired \(first)"
        #expect(
            times.sentence(lock) == "the lock of \"2026-11-22T00:03:00.000Z\" expired 22 Nov 2026, 00:03, 3 hours ago")
        #expect(exact.sentence(lock) == lock.description)
        #expect(lock.description == "the lock of \"2026-11-22T00:03:00.000Z\" expired 2026-11-22T00:03:00.000Z")
        #expect(
            times.sentence("of \(first) it expires \(second), too late")
                == "of 22 Nov 2026, 00:03, 3 hours ago, it expires 23 Nov 2026, 03:03, in 1 day, too late")
        for plain in ["", "no time Z", "at 2026-11-22T00:03:00.000Z", "\"", "a  b "] {
            #expect(times.sentence(Sentence(plain)) == plain)
        }
    }

    @Test("and commands of a sentence keep their places, and JSON has it all in one text")
    func pieces() {
        let command = StoreCommand("lost", stores: ["a b.sqlite"])
        let sentence: Sentence = "\(command) lists \(value: "Kitchen"), see \(command: "meterfix help") at \(Self.now)"
        #expect(
            sentence.description
                == "`meterfix lost 'a b.sqlite'` lists Kitchen, see `meterfix help` at \(Self.now.description)")
        #expect(sentence == Sentence(sentence.description))
        #expect(Sentence(marked: "run `meterfix log`, not `log`").pieces.contains(.command("meterfix log")))
        #expect(Sentence(marked: "run `meterfix log`, not `log`") == "run \(command: "meterfix log"), not `log`")
        #expect(Inline(sentence.pieces).text.hasPrefix("meterfix lost 'a b.sqlite' lists Kitchen"))
        #expect(sentence.mentions("Kitchen") && !sentence.mentions("Kitch") && !sentence.mentions("lists"))
        #expect([sentence, "b", "c"].joinedByAnd == "\(sentence), b and c")
        #expect([sentence, "b"].joinedByAnd == "\(sentence) and b")
        #expect([sentence].joinedByAnd == sentence && [Sentence]().joinedByAnd == "")
    }

    @Test("are said to be UTC once, where there are any that do not say it themselves")
    func remark() {
        #expect(times.remark.isEmpty)
        _ = exact.text(Self.now)
        #expect(exact.remark.isEmpty)
        _ = times.text(Timestamp(secondsSince2001: .infinity))
        #expect(times.remark.isEmpty)
        _ = times.sentence("at \(Self.now)")
        #expect(times.remark.count == 1)
    }
}

@Suite("a meter in an answer")
struct MeterLabelTests {
    private static let mac = "A4:C1:38:0B:7E:21"

    @Test("has its name beside its address, where it has one")
    func names() {
        #expect(Inline.meter(Self.mac, "Kitchen").text == "\(Self.mac) \"Kitchen\"")
        #expect(Block.Cell.meter(Self.mac, "Kitchen").text == "\(Self.mac) \"Kitchen\"")
        for none in [nil, "", " \u{A0}\n"] {
            #expect(Inline.meter(Self.mac, none).text == Self.mac)
            #expect(Block.Cell.meter(Self.mac, none).text == Self.mac)
        }
    }

    @Test("has a name that cannot do anything to the line it is in: escaped, and cut where it is long")
    func harmless() {
        #expect(FieldText.name("a\u{1B}[31mb\nc") == "\"a\\u{1b}[31mb\\u{a}c\"")
        #expect(FieldText.name(String(repeating: "x", count: 40)) == "\"\(String(repeating: "x", count: 31))…\"")
        #expect(FieldText.name(String(repeating: "電", count: 40)) == "\"\(String(repeating: "電", count: 15))…\"")
    }
}
