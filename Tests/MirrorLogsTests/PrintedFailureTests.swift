import CoreDataStore
import Testing

@testable import MirrorLogs

@Suite("a failure in an app's own words")
struct PrintedFailureTests {
    private func log(_ text: String, _ name: String = "console.log") throws -> MirrorLog {
        try MirrorLog(bytes: Array(text.utf8), name: name)
    }

    private static let good = """
        2026-11-20 08:14:03.699837+0100  localhost USB Meter[523]: (CoreData) [com.apple.coredata:CloudKit] \
        CoreData+CloudKit: -[NSCloudKitMirroringDelegate exportFinished:](1): Finished export: <X: 0x1>

        """

    private static func line(_ words: String, of process: String = "USB Meter", at time: String = "08:25:01") -> String
    {
        "2026-11-20 \(time).100000+0100  localhost \(process)[523]: [ro.xdev.USB-Meter:sync] \(words)\n"
    }

    private static let known = [
        ("The operation couldn’t be completed. (Cocoa error 134400.)", "account-problem"),
        ("Der Vorgang konnte nicht abgeschlossen werden. (Cocoa-Fehler 134400.)", "account-problem"),
        ("操作を完了できませんでした。（Cocoaエラー134400。）", "account-problem"),
        ("L’opération n’a pas pu s’achever. (erreur Cocoa 134400.)", "account-problem"),
        ("NSPersistentCloudKitContainer: CloudKit account status: restricted", "account-restricted"),
        ("CloudKit account status: temporarilyUnavailable", "account-unavailable"),
        ("NSPersistentCloudKitContainer: CKAccountStatus.noAccount", "not-signed-in"),
        ("CKError: \"Quota Exceeded\" (25/2035)", "quota-exceeded"),
        ("export failed: Error Domain=CKInternalErrorDomain Code=2035 \"Quota exceeded\"", "quota-exceeded"),
        ("export failed: CKErrorCode(rawValue: 25)", "quota-exceeded"),
        ("export failed: Quota exceeded", "quota-exceeded"),
        ("Error saving record <CKRecordID: 0x1; recordName=A> to server: Quota exceeded", "quota-exceeded"),
        ("Export error: quotaExceeded", "quota-exceeded"),
        ("[Sync] export failed: quotaExceeded (25)", "quota-exceeded"),
        ("CKError partialFailure: 3 records: 2x quotaExceeded", "quota-exceeded"),
        ("iCloud: accountTemporarilyUnavailable", "account-unavailable"),
        ("CKERRORDOMAIN ERROR 25", "quota-exceeded"), ("Sync error: ckErrorDomain 25", "quota-exceeded"),
        ("CloudKit event: export, succeeded: false", "reason-hidden"),
        ("export event finished succeeded=false", "reason-hidden"),
        (
            "type: NSPersistentCloudKitContainerEventType(rawValue: 2), endDate: Optional(2026-11-20 07:15:06 +0000), "
                + "succeeded: false, error: nil", "reason-hidden"
        ),
        ("Account temporarily unavailable due to bad or missing auth token", "account-needs-password"),
        (
            "Can't return account credentials for account 560D because the account needs to verify new terms or is in "
                + "suspended mode.", "account-needs-password"
        ),
        ("Sync error: This request requires an authenticated account", "not-signed-in"),
        ("iCloud account status: noAccount", "not-signed-in"),
        ("You can't save the same record twice", "invalid-arguments"),
        ("*** Terminating app due to uncaught exception 'CKException', reason: 'x'", "unknown-error"),
        (
            "❌ Persistent store load error: The model used to open the store is incompatible with the one used to create "
                + "the store", "store-incompatible"
        ),
        (
            "CloudKit integration requires that all attributes be optional, or have a default value set.",
            "model-not-mirrorable"
        ),
        ("Failed to save: Error Domain=NSSQLiteErrorDomain Code=13", "disk-full"),
        ("CloudKit export failed: Error Domain=NSURLErrorDomain Code=-1009 \"x\"", "offline"),
        ("Export finished with error: Ihr iCloud-Speicher ist voll", "unknown-error"),
        ("[error] CloudKit sync failed", "unknown-error"),
    ]

    @Test("counts after a success, of the app, of its extension and of a process that is not named", arguments: known)
    func counts(_ words: String, _ id: String) throws {
        for text in [
            Self.good + Self.line(words), Self.good + Self.line(words, of: "USBMeterWidgetExtension"),
            Self.good + words + "\n",
        ] {
            #expect(try log(text).cause?.error.fault.id == id, "\(text)")
        }
    }

    @Test("is over with a later success", arguments: known)
    func overcome(_ words: String, _ id: String) throws {
        let build = ["store-incompatible", "model-not-mirrorable"]
        let log = try log(Self.line(words, at: "08:10:00") + Self.good)
        #expect(log.cause == nil || build.contains(id))
    }

    @Test(
        "is none in words that only look like one",
        arguments: [
            "export finished, error: nil", "CloudKit sync finished with no error", "import of 3 meters done, 0 errors",
            "important: failed login", "type: export, endDate: nil, succeeded: false (CloudKit)",
            "Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\"",
            "The file is missing. (Cocoa error 260.)",
            "CloudKit event: export, succeeded: true", "Export failed: CSV", "PDF export failed: disk is full",
            "Influx export failed: Error Domain=NSURLErrorDomain Code=-1004", "Watch sync failed: not reachable",
            "settings import failed with error: x", "no iCloud error", "CloudKit networkUnavailable: false",
            "CloudKit sync failed: never", "CloudKit event started: export, succeeded: false",
        ])
    func none(_ words: String) throws {
        #expect(try log(Self.good + Self.line(words)).cause == nil)
    }

    @Test("is none of the app's where another app tells of it")
    func others() throws {
        for words in ["export failed: x", "Failed to save: Error Domain=NSSQLiteErrorDomain Code=13"] {
            #expect(try log(Self.good + Self.line(words, of: "Planner")).cause == nil)
        }
    }

    @Test("is told once where the mirror has told of it")
    func once() throws {
        let failed = Self.good.replacing(
            "Finished export: <X: 0x1>", with: "Export failed with error: Error Domain=CKErrorDomain Code=25 \"x\"")
        for words in ["export failed: words of the app", "CloudKit event: export, succeeded: false"] {
            #expect(try log(failed + Self.line(words)).entries.map(\.error.fault.id) == ["quota-exceeded"])
        }
    }

    @Test(
        "is never denied of the mirror's own lines",
        arguments: [
            ("Error Domain=CKInternalErrorDomain Code=2035 \"Quota exceeded\"", "quota-exceeded"),
            ("Error Domain=CKInternalErrorDomain Code=4711 \"x\"", "unknown-error"),
            ("CKOtherErrorDomain came back with the number 25", "unknown-error"),
        ])
    func mirror(_ error: String, _ id: String) throws {
        let line = "CoreData: error: CoreData+CloudKit: -[NSCloudKitMirroringDelegate recoverFromError:](2312): "
        #expect(try log("\(line)<X: 0x6> - Attempting recovery from error: \(error)\n").cause?.error.fault.id == id)
    }

    @Test("of an account that is signed in is none of one that is not")
    func terms() throws {
        let error = """
            CoreData: error: CoreData+CloudKit: -[X y:](1): Export failed with error: <CKError 0x1: "Not Authenticated" \
            (9/1004); "Can't return account credentials for account A because the account needs to verify new terms or \
            is in suspended mode.">

            """
        #expect(try log(error).cause?.error.fault.id == "account-needs-password")
        #expect(try log(error).cause?.error.fault.advice.contains("sign in") == false)
    }

    @Test("is read in the text of CloudKit Console, and in what services collect")
    func elsewhere() throws {
        let console = "error:BAD_REQUEST\noperation:record modify\nzone:com.apple.coredata.cloudkit.zone\n"
        #expect(try log(console).cause?.error.fault.id == "invalid-arguments")
        let crumbs =
            #"{"timestamp":1795158845.2,"message":"export failed","data":{"domain":"CKErrorDomain","code":25}}"#
        let exception = #"{"values":[{"type":"CKErrorDomain","value":"Code: 25, Description: Quota Exceeded"}]}"#
        for text in [
            #"{"event_id":"8d4c","breadcrumbs":{"values":[\#(crumbs)]}}"#,
            #"{"event_id":"8d4c","exception":\#(exception)}"#,
        ] {
            #expect(try log(text).cause?.error.fault.id == "quota-exceeded", "\(text)")
        }
    }

    @Test("is read in the report of a crash in the mirror")
    func crash() throws {
        let head = #"{"app_name":"USB Meter","bug_type":"309"}"# + "\n"
        let reason =
            "*** Terminating app due to uncaught exception 'X', reason: 'CloudKit integration requires that all "
        let frame = #"[{"symbol":"-[PFCloudKitImporter processWorkItemsWithCompletion:]"}]"#
        for (body, id) in [
            (#"{"asi": {"CoreFoundation": ["\#(reason)attributes be optional'"]}}"#, "model-not-mirrorable"),
            (#"{"asi": {"CoreFoundation": ["uncaught exception 'CKException', reason: 'x'"]}}"#, "unknown-error"),
            (#"{"lastExceptionBacktrace": \#(frame)}"#, "mirror-exception"),
            (#"{"threads": [{"triggered": true, "frames": \#(frame)}]}"#, "mirror-exception"),
            (#"{"threads": [{"triggered": true, "queue": "NSCloudKitMirroringDelegate queue"}]}"#, "mirror-exception"),
        ] {
            #expect(try log(head + body, "a.ips").cause?.error.fault.id == id, "\(body)")
        }
        #expect(throws: StoreError.self) {
            try log(head + #"{"threads": [{"queue": "x", "frames": \#(frame)}]}"#, "a.ips")
        }
    }
}
