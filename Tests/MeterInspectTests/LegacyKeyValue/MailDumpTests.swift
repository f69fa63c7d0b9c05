import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("the source of a mail")
struct MailDumpTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let json = #"{"MeterNames": {"\#(kitchen)": "Küche"}}"#

    private func part(_ type: String, _ name: String, _ bytes: [UInt8], _ disposition: String = "attachment") -> String
    {
        let base64 = Data(bytes).base64EncodedString(options: .lineLength76Characters)
        return "Content-Type: \(type)\r\nContent-Disposition: \(disposition); \(name)\r\n"
            + "Content-Transfer-Encoding: base64\r\n\r\n\(base64)"
    }

    private func part(_ name: String, _ text: String) -> String {
        part("application/octet-stream", "filename=\"\(name)\"", Array(text.utf8))
    }

    private static let letter = "Content-Type: text/plain\r\n\r\nHere they are."
    private static let list = "Content-Type: text/plain\r\n\r\nKitchen - \(kitchen)\r\nBench - A4:C1:38:5D:02:9F"

    private func mixed(_ parts: String..., end: String = "--b1--\r\n") -> String {
        MailSource.head + "Content-Type: multipart/mixed;\r\n boundary=b1\r\n\r\n"
            + parts.map { "--b1\r\n\($0)\r\n" }.joined() + end
    }

    private func names(_ mail: String) throws -> [String?] {
        LegacyValues(try Dump.read(mail)).meters.map { $0.name?.value }
    }

    @Test("is one only where its head is one: fields, a sender and another known one, and an empty line")
    func heads() throws {
        let body = "\r\nKitchen: \(Self.kitchen)\r\nBench: A4:C1:38:5D:02:9F\r\n"
        for head in [
            "Received: by a\r\nDate: 1\r\n", "X-A: 1\r\nFrom: Ana\r\n <ana@example.org>\r\nTo: b\r\n",
            "\r\nDate: 1\r\nFrom: ana@example.org\r\n",
            "From ana@example.org Sat Nov 28\r\nFrom: a@b\r\nSubject: c\r\n",
        ] { #expect((try? names(head + body)) == ["Kitchen", "Bench"], "\(head)") }
        let mail = "From: a@b\r\nSubject: c\r\n\(body)"
        #expect(try names("\(mail.utf8.count) \n\(mail)<plist>\(body)</plist>") == ["Kitchen", "Bench"])
        for head in [
            "Date: 1\r\nTo: b\r\n", "From: Ana\r\nTo: b\r\n", "From: a@b\r\n", "From: a@b\r\nHello\r\nTo: b\r\n",
            " x\r\nFrom: a@b\r\nTo: b\r\n",
        ] { #expect(Dump.complaint(head + body)?.hasPrefix("not a dump but") == true, "\(head)") }
        #expect(Dump.complaint("From: a@b\r\nTo: b\r\n")?.hasPrefix("not a dump but a mail") == true)
        #expect(Dump.complaint("999\nFrom: a@b\r\nSubject: c\r\n\(body)")?.hasPrefix("the mail is cut off") == true)
    }

    @Test("has a dump that is attached, whatever lies beside it")
    func attached() throws {
        let odd = [
            part("image/png", "filename=logo.png", [0x89, 0x50, 0x4E, 0x47]),
            part("application/x", "filename=p.jpg", [0xFF, 0xD8, 0xFF]),
            part("text/calendar", "filename=a.ics", Array("BEGIN:VCALENDAR".utf8)),
            part("application/pkcs7-signature", "filename=smime.p7s", [1, 2]),
            "Content-Type: text/html\r\n\r\n<html>Here they are.</html>",
        ]
        for other in odd {
            let dump = try Dump.read(mixed(Self.letter, other, part("names.json", Self.json)))
            #expect(dump.entries == [Dump.name(Self.kitchen, "Küche")], "\(other)")
            #expect(dump.warnings == ["the attachment names.json was read"], "\(other)")
            #expect(try names(mixed(Self.list, other)) == ["Kitchen", "Bench"], "\(other)")
        }
        let forwarded = mixed(Self.letter, part("names.json", Self.json))
        for type in ["message/rfc822", "application/octet-stream"] {
            #expect(try names(mixed(Self.letter, part(type, "filename=a.eml", Array(forwarded.utf8)))) == ["Küche"])
        }
    }

    @Test("is refused where what is attached cannot be read, and says so beside another dump")
    func unread() throws {
        for (name, text) in [
            ("names.zip", "PK\u{3}\u{4}"), ("names.json", "{\"MeterNames\": {"), ("names.plist", "<plist>"),
            ("names.txt", "My meters:\nKitchen - \(Self.kitchen)"), ("kvs.sqlite", "SQLite format 3\u{0}"),
            ("a.txt", ""),
        ] {
            let error = try #require(Dump.refusal(Array(mixed(Self.list, part(name, text)).utf8)))
            #expect(error.message.hasPrefix("the attachment \(name) cannot be read: "), "\(error)")
            #expect(error.hint?.isEmpty == false, "\(name)")
            let dump = try Dump.read(mixed(Self.letter, part(name, text), part("good.json", Self.json)))
            #expect(dump.warnings.count == 2 && dump.warnings[1].contains("not read: \(name) ("), "\(dump.warnings)")
        }
        let dump = try Dump.read(mixed(Self.list, part("note.pdf", "%PDF-1.7")))
        #expect(
            dump.entries.count == 2
                && dump.warnings.last == "what else is attached was not read: note.pdf (a PDF document)"
        )
    }

    @Test("with several dumps is refused if they differ; lines of the letter beside a dump are named")
    func several() throws {
        let other = Self.json.replacing("Küche", with: "Bad")
        #expect(try names(mixed(part("a.json", Self.json), part("b.json", Self.json))) == ["Küche"])
        #expect(
            Dump.complaint(mixed(part("a.json", Self.json), part("b.json", other)))
                == "several lists of meters are in this mail: the attachment a.json, the attachment b.json")
        let dump = try Dump.read(mixed(Self.list, part("a.json", Self.json)))
        #expect(dump.warnings[1].contains("not read: Kitchen - \(Self.kitchen), Bench"), "\(dump.warnings)")
    }

    @Test("may have the dump as its text, alone and with whole lines")
    func dumpAsText() throws {
        let head = MailSource.head + "\r\n"
        #expect(try names(head + "\r\n\(Self.json)\r\n") == ["Küche"])
        for text in [
            "Hello,\r\n\(Self.json)", "\(Self.json)\r\nRegards", "{ MeterNames = { a = \"long\r\nname\"; }; }",
        ] {
            #expect(Dump.refusal(Array((head + text).utf8))?.hint?.contains("save the dump") == true, "\(text)")
        }
        let both = try Dump.read(mixed(Self.list, "\r\n\(Self.json)"))
        #expect(both.entries == [Dump.name(Self.kitchen, "Küche")] && both.warnings.count == 2, "\(both.warnings)")
    }

    @Test("names what is attached as its file is called, however that is encoded")
    func fileNames() {
        for name in [
            "filename*=utf-8''n%C3%A4mes.zip", "filename*0*=iso-8859-1'de'n%E4; filename*1=\"mes.zip\"",
            "filename=\"=?utf-8?B?bsOkbWVz?=\r\n =?utf-8?Q?.zip?=\"",
        ] {
            let mail = mixed(Self.letter, part("application/zip", name, Array("PK\u{3}\u{4}".utf8)))
            #expect(Dump.complaint(mail)?.hasPrefix("the attachment nämes.zip cannot be read") == true, "\(name)")
        }
    }

    @Test("that is cut off is not taken for a whole one")
    func cut() {
        let whole = mixed(Self.list, part("names.json", Self.json))
        for count in stride(from: whole.utf8.count - 3, to: 250, by: -7) {
            #expect(Dump.complaint(Array(whole.utf8.prefix(count))) != nil, "\(count)")
        }
        #expect(
            Dump.complaint(mixed(Self.letter, part("names.json", Self.json), end: ""))
                == "the mail is cut off: the end of names.json is missing")
        let damaged = part("names.json", Self.json).dropLast()
        #expect(
            Dump.complaint(mixed(Self.list, String(damaged)))?.hasSuffix("its base64 is cut off or damaged") == true)
        let unknown = Self.list.replacing("plain\r\n", with: "plain\r\nContent-Transfer-Encoding: x-uuencode\r\n")
        #expect(Dump.complaint(mixed(unknown))?.hasSuffix("it is encoded as x-uuencode") == true)
    }

    @Test("has bounds for all its parts together")
    func bounds() {
        let many =
            MailSource.head + "Content-Type: multipart/mixed; boundary=b1\r\n\r\n"
            + String(repeating: "--b1\r\n\r\n", count: 2_000) + "--b1--\r\n"
        #expect(Dump.complaint(many)?.contains("more than 1000 parts") == true)
        var deep = mixed(Self.letter)
        for _ in 0..<9 { deep = mixed("Content-Type: message/rfc822\r\n\r\n\(deep.replacing("b1", with: "b11"))") }
        #expect(Dump.complaint(deep)?.contains("more than 8 in each other") == true)
        let lines = String(repeating: "From: a@b\r\nTo: c\r\n", count: 50_000)
        Dump.expectAnswer(to: Array(lines.utf8), "a head without an end")
        Dump.expectAnswer(
            to: Array((MailSource.head + "\r\n" + String(repeating: "a:b:\r\n", count: 150_000)).utf8), "")
    }

    @Test(
        "says the same in each character set that is known, and is refused in others",
        arguments: [
            ("iso-8859-1", String.Encoding.isoLatin1), ("windows-1252", .windowsCP1252), ("utf-8", .utf8),
            ("us-ascii", .utf8),
            ("iso-8859-1", .utf8), ("utf-16", .utf16BigEndian), ("UTF-16LE", .utf16LittleEndian),
            ("iso-8859-15", .isoLatin1),
        ])
    func charsets(_ label: String, _ encoding: String.Encoding) throws {
        let text = Self.list.split(separator: "\r\n").dropFirst().joined(separator: "\n").replacing(
            "Kitchen", with: "Küche")
        let bytes = try #require(text.data(using: encoding))
        func mail(_ label: String) -> String {
            MailSource.head
                + "Content-Type: text/plain; charset=\"\(label)\"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + bytes.base64EncodedString()
        }
        #expect(try names(mail(label)) == ["Küche", "Bench"])
        for other in ["ISO-2022-JP", "utf-7"] {
            let error = Dump.refusal(Array(mail(other).utf8))
            #expect(
                error?.message == "the text of the mail cannot be read: text in the character set \(other.lowercased())"
            )
            #expect(error?.hint?.contains("UTF-8") == true)
        }
        if encoding == .isoLatin1 {
            #expect(Dump.complaint(mail("utf-8")) == "the text of the mail is not in utf-8, as it says")
        }
    }

    @Test("of a mailbox has each mail of it, without the signs of the mailbox")
    func mailbox() throws {
        let mail = "From ana@example.org Sat Nov 28 10:00:00 2026\n\(MailSource.head.replacing("\r", with: ""))\n"
        let first = "Kitchen: \(Self.kitchen)\nBench: A4:C1:38:5D:02:9F\n\nFrom here on:\n\n>From afar\n\n"
        let second = "> Lab: A4:C1:38:5D:02:A0\n> Shed: A4:C1:38:5D:02:A1\n"
        #expect(try names(mail + first + mail + second) == ["Kitchen", "Bench", "Lab", "Shed"])
    }
}

enum MailSource {
    static let head = "From: Ana <ana@example.org>\r\nSubject: my meters\r\nMIME-Version: 1.0\r\n"
}
