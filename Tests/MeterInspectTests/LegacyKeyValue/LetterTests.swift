import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("the text of a mail")
struct LetterTests {
    private static let addresses = (0..<4).map { "A4:C1:38:0B:7E:2\($0)" }

    /// `1` … `4` between angles are addresses.
    private func mail(_ text: String, _ type: String = "charset=utf-8", encoding: String = "8bit") -> String {
        var text = text
        for (number, address) in Self.addresses.enumerated() { text = text.replacing("<\(number + 1)>", with: address) }
        return MailSource.head + "Content-Type: text/plain; \(type)\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n"
            + text.replacing("\n", with: "\r\n")
    }

    private func values(_ mail: String) throws -> LegacyValues { LegacyValues(try Dump.read(mail)) }

    @Test(
        "is a list where two lines or more are in the same form",
        arguments: [
            "Hello,\n\nmy meters:\nKitchen - <1>\nBench - <2>\n\nAna", "<1> = Kitchen\n<2> = Bench",
            "<1>;Kitchen\n<2>;Bench;c",
            "<1>: Kitchen\n\n<2>: Bench (°C)", "Kitchen\t<1>\nBench\t<2>", "> Kitchen, <1>\n>> Bench, <2>, C",
            "- Kitchen: <1>\n- Bench: <2>", "1. <1> → Kitchen\n2. <2> → \"Bench\"",
            "Kitchen\u{A0}- <1>\nBench -\u{A0}<2>",
            "Call 491712345678:\nTel: 491712345678\nFax: 491712345679\n\nKitchen – <1>\nBench (celsius) – <2>",
        ])
    func lists(_ text: String) throws {
        let values = try values(mail(text))
        #expect(values.meters.map { $0.address.text(in: .upper) } == Array(Self.addresses.prefix(2)))
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Bench"])
        let hasUnit = ["c", "°C", ", C", "celsius"].contains {
            text.contains("\($0)") && text.hasSuffix("\($0)") || text.contains("(\($0))")
        }
        #expect(values.meters[1].unit?.value == (hasUnit ? .celsius : nil))
        #expect(values.rejects.isEmpty)
    }

    @Test(
        "that is a sentence names no meter",
        arguments: [
            "Please delete: <1>", "the one in the kitchen is <1>", "Mine - <1> is broken", "Kitchen: <1>",
            "Please delete: <1>\nBench: <2>", "Delete these:\n\nKitchen: <1>\nBench: <2>", "Kitchen: <1>\nBench - <2>",
            "<1> = celsius\n<2> = fahrenheit", "<1> = Kitchen, left\n<2> = Bench, right", "see <1>\nsee <2>",
            "<1>\n<2>", "<1>: It broke.\n<2>: It works.", "\"<1>\": \"a\",\n\"<2>\": \"b\"", "<1> | a\n<2> | b",
            "Bitte löschen: <1>\nAuch die: <2>",
        ])
    func sentences(_ text: String) throws {
        let error = try #require(Dump.refusal(Array(mail(text).utf8)))
        #expect(
            error.message.hasPrefix("a mail without a dump and without a list in its text, only with \""), "\(error)")
        #expect(error.hint?.contains("file of their own") == true)
        for line in mail(text).split(separator: "\r\n") where line.contains("A4:") {
            #expect(error.message.contains("\"\(line)\""), "\(error)")
        }
    }

    @Test("has a sentence beside a list as a reject, and no list where a sentence asks to do away with meters")
    func beside() throws {
        let values = try values(mail("Kitchen - <1>\nBench - <2>\n\nMine - <3> is broken\nTwo - <4> is mine"))
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Bench"])
        #expect(
            values.rejects.map(\.key) == [
                "Mine - \(Self.addresses[2]) is broken", "Two - \(Self.addresses[3]) is mine",
            ])
        #expect(Dump.complaint(mail("Please delete <3>, <4>:\n\nKitchen - <1>\nBench - <2>")) != nil)
    }

    @Test("lists each line with an address that is none of the list's, once, and what to do with it")
    func rejects() throws {
        let text = "Kitchen - <1>\nBench - A4:C1:38:OB:7E:22\nLab - <3>\n\n> the old one: <4>!\nthe old one: <4>!\n"
        let dump = try Dump.read(mail(text))
        let values = LegacyValues(dump)
        #expect(values.meters.map { $0.name?.value } == ["Kitchen", "Lab"])
        #expect(values.rejects.map(\.key) == ["Bench - A4:C1:38:OB:7E:22", "the old one: \(Self.addresses[3])!"])
        #expect(values.rejects.map(\.reason) == [.badAddress, .badAddress])
        #expect(dump.warnings.count == 2 && dump.warnings[1].contains("may be a sentence"))
        // What a person has not corrected is no name.
        let again = LegacyValues(try Dump.read(values.rejects.dump.text(pretty: false)))
        #expect(again.meters.isEmpty && again.rejects == values.rejects)
    }

    @Test("keeps both names of an address among the rejects, of which no import takes one")
    func twoNames() throws {
        let values = try values(mail("<1> = Bench\n<1> = Lab\n<2> = Kitchen\n"))
        #expect(values.rejects.map(\.reason) == [.disagreeingSpellings, .disagreeingSpellings])
        let text = values.rejects.dump.text(pretty: false)
        #expect(text.contains("Bench") && text.contains("Lab"))
        let again = LegacyValues(try Dump.read(text))
        #expect(again.meters.isEmpty && again.rejects.map(\.reason) == [.notText])
    }

    @Test("does not guess where a name ends that a program may have broken")
    func wrapped() throws {
        let name = "Kitchen charger that my mother uses for her old tablet"
        let behind = try values(mail("<1> = Bench\n<2> = Lab\n<3> = \(name)\nand phone\n"))
        #expect(behind.meters.map { $0.name?.value } == ["Bench", "Lab"])
        #expect(behind.rejects.map(\.key) == ["\(Self.addresses[2]) = \(name)"])
        let before = try values(mail("\(name) and for her\nphone = <1>\nLab = <2>\nBench = <3>\n"))
        #expect(before.meters.map { $0.name?.value } == ["Lab", "Bench"] && before.rejects.count == 1)
        let address = try values(mail("<1> = Bench\n<2> = Lab\n<3> = \(name)\nand <4>\n"))
        #expect(address.meters.map { $0.name?.value } == ["Bench", "Lab"] && address.rejects.count == 2)
        let short = try values(mail("<1> = Bench\n<2> = Lab\nThank you,\nAna"))
        #expect(short.meters.count == 2 && short.rejects.isEmpty)
        let greeting = try values(mail("\(name) and these are the others:\nLab = <1>\nBench = <2>\n"))
        #expect(greeting.meters.count == 2 && greeting.rejects.isEmpty)
    }

    @Test("is joined where the mail says that a line goes on")
    func joined() throws {
        func names(_ text: String, _ type: String, encoding: String = "8bit") throws -> [String?] {
            try values(mail(text, type, encoding: encoding)).meters.map { $0.name?.value }
        }
        let long = ["Kitchen charger of my mother", "Bench"]
        let text = "<1> = Kitchen charger \nof my mother\n<2> = Bench\n-- \nAna"
        #expect(try names(text, "format=flowed") == long)
        #expect(try names(text.replacing(" \nof", with: "  \nof"), "format=\"Flowed\"; DelSp=Yes") == long)
        #expect(try names("> \(text.replacing("\n", with: "\n> "))", "format=flowed") == long)
        #expect(
            try names(
                "<1> =3D Kitchen charger=\n of my mother\n<2> =3D Be=\nnch", "charset=utf-8",
                encoding: "quoted-printable")
                == long)
    }

    @Test(
        "never has a part of a name as one, at whatever column a program breaks its lines",
        arguments: LawSeeds.first(60))
    func law(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["Kitchen", "no. 3", "charger", "of", "my", "mother", "and", "Mr.", "left", "tablet", "2", "Küche"]
        let (column, isNameFirst) = (Int.random(in: 72...78, using: &random), Bool.random(using: &random))
        let quote = ["", "> "].randomElement(using: &random)!
        var (names, lines): ([String: String], [String]) = ([:], [])
        for place in 0..<12 {
            let address = MACAddress(bits: 0xA4C1_3800_0000 | UInt64(place)).text(in: .upper)
            let count = Int.random(in: 1...20, using: &random)
            let name = (0..<count).map { _ in words.randomElement(using: &random)! }.joined(separator: " ") + " x"
            names[address] = name
            var line = quote
            for word in (isNameFirst ? "\(name) - \(address)" : "\(address) = \(name)").split(separator: " ") {
                if line.count + 1 + word.count > column {
                    lines.append(line)
                    line = quote
                }
                line += line == quote ? word : " \(word)"
            }
            lines.append(line)
        }
        let mail = mail("Hello:\n" + lines.joined(separator: "\n"), "format=flowed")
        guard let values = try? values(mail) else { return }
        for meter in values.meters {
            #expect(meter.name?.value == names[meter.address.text(in: .upper)], "seed \(seed)")
        }
    }

    @Test("is read in time that grows with its length")
    func hostile() {
        for line in [
            "a1:b2:c3:d4:e5 ", "a4c138ob7e21 ", "> > > A4:C1:38:0B:7E:21 - x\n", "A4:C1:38:0B:7E:21 = ", "a \n", "=\n",
        ] {
            let text = String(repeating: line, count: 100_000 / line.utf8.count)
            Dump.expectAnswer(to: Array(mail("x - <1>\ny - <2>\n" + text, "format=flowed").utf8), "\(line)")
        }
    }
}
