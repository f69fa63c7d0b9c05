import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import Testing

@testable import MirrorLogs

@Suite("an error as somebody else writes it")
struct PrintedErrorTests {
    private func log(_ text: String, _ name: String = "console.log") throws -> MirrorLog {
        try MirrorLog(bytes: Array(text.utf8), name: name)
    }

    @Test(
        "is read in any brackets, words and order",
        arguments: [
            "CKErrorDomain 25 — Quota exceeded", "CKErrorDomain 25 (quotaExceeded): x", "CKErrorDomain, code 25",
            "CKErrorDomain (25)", "CKErrorDomain error 25", "CKErrorDomain[25]", "（CKErrorDomain错误25。）",
            "（CKErrorDomain 错误 25。）", "（CKErrorDomainエラー25）", "(CKErrorDomain 오류 25.)", "(CKErrorDomain-Fehler 25.)",
            "Der Vorgang konnte nicht abgeschlossen werden. CKErrorDomain-Fehler 25.",
            "domain=CKErrorDomain code=25", "code=25 domain=CKErrorDomain", "error 25 in CKErrorDomain",
            #""domain":"CKErrorDomain","code":25"#, #"{"code": 25, "domain": "CKErrorDomain"}"#, "(CKError 25)",
            "CKError 25 \"Quota Exceeded\"", "CKError.quotaExceeded while exporting", "CKError.Code.quotaExceeded (25)",
            "CKErrorQuotaExceeded", "error 25 from CKErrorDomain", "Erreur 25 du domaine CKErrorDomain",
            "[25] CKErrorDomain", "code 25 (domain CKErrorDomain)",
        ])
    func forms(_ text: String) throws {
        let log = try log("CloudKit export failed: \(text)\n")
        #expect(log.entries.map(\.error.fault.id) == ["quota-exceeded"])
        #expect(log.entries.first?.error.code == 25)
    }

    @Test(
        "is none where a number only stands near",
        arguments: [
            "CloudKit: CKError 0 times today, 25 records sent", "CloudKit: CKError 3 times", "CloudKit: 25 records",
            "CloudKit: no CKErrorDomain in 25 exports",
        ])
    func none(_ text: String) throws {
        #expect(try log("\(text)\n").cause == nil)
    }

    @Test(
        "is one that nobody knows where only its domain can be read",
        arguments: ["CKErrorDomain error ٢٥", "domain: CKErrorDomain"])
    func domainAlone(_ text: String) throws {
        #expect(try log("\(text)\n").cause?.error.fault == .unknownError)
    }

    @Test("has the negative numbers of the network, and CloudKit's carriers with what they carry")
    func others() throws {
        #expect(try log("NSPersistentCloudKitContainer: NSURLErrorDomain -1009\n").cause?.error.fault.id == "offline")
        let partial = """
            CloudKit refuses the data
            Error: CKErrorDomain 2 (partialFailure)
              • 1× CKErrorDomain 12 (invalidArguments)
                  Server: Cannot create new type CD_Plan in production schema

            """
        #expect(try log(partial).cause?.error.fault.id == "schema-not-deployed")
    }

    @Test("is told from the words of cloudd, too")
    func applicationIdentifier() throws {
        for line in [
            #"CloudKit: Invalid value of "(null)" for entitlement "com.apple.application-identifier""#,
            "iCloud: Trying to initialize a container without an application ID (CloudKit)",
            #"CloudKit: <CKError 0x1: "Missing Entitlement" (8/1014); "Trying to initialize a container without an application ID">"#,
        ] {
            let cause = try log("\(line)\n").cause?.error.fault
            #expect(cause?.id == "entitlement-missing" && cause?.advice.contains("application-identifier") == true)
        }
    }

    @Test("is read in the server's own log, which knows nothing of the device")
    func server() throws {
        let lines = [
            #"{"time": "2026-11-20T07:14:00Z", "overallStatus": "USER_ERROR", "error": "ZONE_NOT_FOUND"}"#,
            #"{"time": "2026-11-20T07:15:00Z", "overallStatus": "SUCCESS"}"#,
        ]
        for text in [
            lines.joined(separator: "\n"), "2026-11-20T07:14:00Z,RecordSave,USER_ERROR,ZONE_NOT_FOUND,12 ms\n",
        ] {
            let log = try log(text)
            #expect(log.entries.map(\.error.code) == [26])
            #expect(log.next.contains { $0.description.contains("the server's log") })
        }
        #expect(try log("status: USER_ERROR, reason: SOMETHING_NEW\n").cause?.error.fault == .unknownError)
    }

    @Test("is read in the report of a crash, before anything else is asked for")
    func crash() throws {
        func report(_ body: String) -> String {
            #"{"app_name":"USB Meter","bug_type":"309"}"# + "\n" + body
        }
        let head = #""procName": "USB Meter", "captureTime": "2026-11-20 08:14:00.1234 +0100""#
        let words = "The application is missing required entitlement com.apple.developer.icloud-services"
        for reason in [
            #""exceptionReason": {"composed_message": "\#(words)"}"#,
            #""asi": {"CoreFoundation": ["\#(words)", "abort() called"]}"#,
        ] {
            let log = try log(report("{\(head), \(reason)}"), "a.ips")
            #expect(log.cause?.error.fault.id == "entitlement-missing")
            #expect(log.story.first?.iso8601 == "2026-11-20T07:14:00.123400Z")
        }
        let other = #expect(throws: StoreError.self) {
            try log(report(#"{\#(head), "asi": {"libswiftCore.dylib": ["Index out of range"]}}"#), "a.ips")
        }
        #expect(other?.kind == .damaged && other?.message.contains("Index out of range") == true)
    }

    private static let error =
        "CoreData: error: CoreData+CloudKit: -[X y:](1): Export failed with error: Error Domain=CKErrorDomain Code=25 \"x\"\n"

    private static let success =
        "CoreData: debug: CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](1): Finished "
        + "request: <NSCloudKitMirroringExportRequest: 0x60000270e4c0> 1 with result: <NSCloudKitMirroringResult: "
        + "0x600000d51a80> storeIdentifier: 3E7C1D40-1111-4222-8333-6F5A4B3C2D1E success: 1 madeChanges: 1 error: (null)"

    /// Mails as programs make them, and what stands in them.
    private static let mails: [String] = {
        let head = "From: Ana <ana@example.org>\r\nSubject: the log\r\nMIME-Version: 1.0\r\n"
        let base64 = Data(error.utf8).base64EncodedString(options: .lineLength76Characters)
        func part(_ type: String, _ encoding: String, _ body: String) -> String {
            "Content-Type: \(type)\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n\(body)\r\n"
        }
        func mixed(_ parts: String...) -> String {
            head + "Content-Type: multipart/mixed;\r\n\tboundary=\"b1\"\r\n\r\n--b1\r\n"
                + parts.joined(separator: "--b1\r\n")
                + "--b1--\r\n"
        }
        let page = "<html><body><div>\(error.replacing("\"", with: "&quot;"))</div></body></html>"
        let forwarded = Data((head + part("text/plain", "base64", base64)).utf8).base64EncodedString()
        return [
            mixed(part("text/plain", "7bit", "Here."), part("application/x-log; name=\"a.log\"", "base64", base64)),
            mixed(part("text/plain", "7bit", "Fwd"), part("message/rfc822", "base64", forwarded)),
            mixed(
                part("text/plain", "7bit", "Fwd"),
                part("message/rfc822", "7bit", head + part("text/plain", "base64", base64))),
            head + part("text/html", "8bit", page),
            mixed(
                part("text/plain", "7bit", "Please use a program that shows pages."), part("text/html", "8bit", page)),
            head + "Content-Type:\r\n text/plain\r\nContent-Transfer-Encoding:\r\n  base64\r\n\r\n\(base64)\r\n",
        ]
    }()

    @Test("is read in each part of a mail", arguments: mails.indices)
    func mail(_ number: Int) throws {
        #expect(try log(Self.mails[number], "mail.eml").cause?.error.fault.id == "quota-exceeded")
    }

    /// A mail with a text, and something attached to it.
    private static func mail(_ text: String, attaching type: String, _ base64: String) -> String {
        """
        From: Ana <ana@example.org>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b1

        --b1
        Content-Type: text/plain

        \(text)
        --b1
        Content-Type: \(type)
        Content-Transfer-Encoding: base64

        \(base64)
        --b1--

        """
    }

    @Test("is never denied of what was not read in a mail")
    func unread() throws {
        let picture = "iVBORw0KGgoAAAANSUhEUgAA"
        let mail = Self.mail("Here is the picture.", attaching: "image/png; name=\"screen.png\"", picture)
        let log = try log(mail, "mail.eml")
        #expect(log.unread.names == ["screen.png (a PNG picture)"] && !log.unread.mayBeLog)
        #expect(log.next.first?.description.contains("screen.png") == true)
    }

    /// Bytes that are no text.
    private static let binary = "AAECAwQFBgc="

    @Test(
        "cannot be ruled out where a part was not read that may be a log",
        arguments: [
            ("application/zip; name=logs.zip", "UEsDBBQAAAAIAAAA"), ("application/octet-stream; name=a.log", binary),
            ("message/external-body; access-type=URL", "aHR0cHM6Ly9leGFtcGxlLm9yZw=="),
        ])
    func mayBeLog(_ type: String, _ base64: String) throws {
        let log = try log(Self.mail(Self.success, attaching: type, base64), "mail.eml")
        let explained = ExplainedLog(log: log, store: nil)
        #expect(explained.isAmiss && log.cause == nil && log.unread.names.count == 1)
        #expect(explained.next.contains { $0.description.contains("was not read") })
    }

    @Test("is not looked for in a signature")
    func signature() throws {
        let mail = Self.mail(Self.success, attaching: "application/pkcs7-signature; name=smime.p7s", Self.binary)
        #expect(try !ExplainedLog(log: log(mail, "mail.eml"), store: nil).isAmiss)
    }

    @Test("is counted once in a mail that has it as text and as a page")
    func pages() throws {
        let line = Self.error.replacing("\n", with: "")
        let text = """
            From: Ana <ana@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/alternative; boundary=b1

            --b1
            Content-Type: text/plain

            Hello,
            > \(line)
            --b1
            Content-Type: text/html

            <p>Hello,</p><blockquote>\(line.replacing("\"", with: "&quot;"))</blockquote><p>Ana</p>
            --b1--

            """
        #expect(try log(text, "mail.eml").entries.map(\.count) == [1])
    }

    @Test("is read in a log whose first lines look like a mail's, and in a mailbox")
    func heads() throws {
        for head in [
            "date: 2026-11-28\nto: console\n", "to: a@b\ndate: 1\n\n", "from: app\nto: cloud\n\n",
        ] {
            #expect(try log(head + Self.error, "console.log").cause?.error.fault.id == "quota-exceeded", "\(head)")
        }
        let mailbox = "From ana@example.org Sat Nov 28\n\(Self.mails[0].replacing("\r", with: ""))"
        #expect(try log(mailbox, "mail.mbox").cause?.error.fault.id == "quota-exceeded")
    }

    @Test("is never denied of a mail that is cut off")
    func cutMail() throws {
        let log = try log(String(Self.mails[0].prefix(280)), "mail.eml")
        #expect(log.unread.names.contains { $0.hasPrefix("the rest of the mail (the mail is cut off") })
    }

    @Test("in a mail with a long head costs no more than in any log")
    func longHead() throws {
        let fields = (0..<20_000).map { "X-Field-\($0): boundary=\"b\($0)\"; more of it\r\n" }.joined()
        let log = try log("From: Ana <ana@example.org>\r\n\(fields)\r\n\(Self.error)", "mail.eml")
        #expect(log.cause?.error.fault.id == "quota-exceeded")
    }
}
