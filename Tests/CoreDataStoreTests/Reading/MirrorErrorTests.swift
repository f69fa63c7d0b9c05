import Testing

@testable import CoreDataStore

@Suite("an error of the mirror")
struct MirrorErrorTests {
    private static let cloudKit = "CKErrorDomain"
    private static let cocoa = "NSCocoaErrorDomain"

    /// What a supporter reads first, and whether rows go.
    private static let known: [(domain: String, code: Int64, meaning: String, next: String, deletesRows: Bool?)] = [
        (cloudKit, 25, "the user's iCloud storage is full", "room alone does not wake it", false),
        (
            cloudKit, 2, "refused some of the records, each for its own reason", "what the error of that record",
            nil
        ),
        (cloudKit, 3, "the device is offline", "tries again by itself", false),
        (cloudKit, 6, "CloudKit is busy", "tries again", false),
        (cloudKit, 22, "because of another one", "the error of that other record", false),
        (cloudKit, 5, "container does not exist", "gives up", false),
        (cloudKit, 8, "lacks the iCloud entitlement", "gives up", false),
        (cloudKit, 9, "nobody is signed in", "starts its setup again at once", false),
        (cloudKit, 36, "not available for now", "does not try again: it waits", false),
        (cloudKit, 11, "is not in iCloud any more", "goes on", false),
        (cloudKit, 12, "most often because the production schema lacks", "gives up", false),
        (cloudKit, 14, "a record in iCloud is newer", "merges nothing: it gives up", false),
        (cloudKit, 15, "refused the request", "unless CloudKit named a time to try again, the mirror gives up", false),
        (cloudKit, 20, "was cancelled", "does not try again at once", false),
        (cloudKit, 21, "for so long", "keeps the rows on this device", false),
        (cloudKit, 26, "is not in iCloud any more", "keeps the rows on this device and uploads", false),
        (cloudKit, 112, "the key to the app's encrypted data", "keeps the rows on this device", false),
        (
            cloudKit, 27, "too large for CloudKit",
            "smaller batches (1,572,864 bytes, then 512,000 and 200 records, then 256,000 and 100)", false
        ),
        (cloudKit, 28, "the user deleted the app's data in the iCloud", "deletes the same rows on this device", true),
        (cloudKit, 34, "nobody knows whether", "the mirror has no answer to it: it gives up", false),
        (cocoa, 134_060, "cannot be mirrored", "nothing until the model changes", false),
        (
            cocoa, 134_301, "the history no longer has the transaction where the mirror stopped",
            "deletes the rows on this device", true
        ),
        (cocoa, 134_400, "no iCloud account", "waits", false),
        (cocoa, 134_402, "the mirror's own tables could not be read", "gives up", false),
        (cocoa, 134_404, "several reasons at once", "gives up", nil),
        (cocoa, 134_405, "signed in, signed out or changed", "deletes all mirrored rows on this device", true),
        (cocoa, 134_406, "is not initialised", "nothing until its setup succeeds", nil),
        (cocoa, 134_407, "the app closed the store", "continues when the app opens the store again", false),
        (cocoa, 134_409, "has dealt with it", "schedules the request again", false),
        (cocoa, 134_410, "could not deal with it (or, on older systems, the app mirrors the same", "gives up", nil),
        (cocoa, 134_411, "however small the mirror made it", "gives up", false),
        (cocoa, 134_412, "one end of a relationship", "until the other end arrives", false),
        (cocoa, 134_414, "that no description explains", "not known", nil),
        (cocoa, 134_417, "already waiting", "carries out the waiting one", false),
        (cocoa, 134_419, "postponed the mirror's work", "goes on when the system lets it", false),
        (cocoa, 134_421, "metadata of a row or an entity that is not there", "gives up", false),
        (cocoa, 134_422, "mirrors the same store twice", "the second mirror", false),
        (cocoa, 134_501, "is of another store", "starts from the beginning of the history", false),
    ]

    @Test("is explained by domain and code together", arguments: known)
    func explained(
        expected: (domain: String, code: Int64, meaning: String, next: String, deletesRows: Bool?)
    ) throws {
        let error = MirrorError(domain: expected.domain, code: expected.code)
        #expect(error.name == "\(expected.domain) \(expected.code)")
        #expect(error.meaning.contains(expected.meaning))
        #expect(error.whatTheMirrorDoes.contains(expected.next))
        #expect(error.deletesRows == expected.deletesRows)
        for other in [Self.cloudKit, Self.cocoa, "CKInternalErrorDomain", "NSPOSIXErrorDomain", ""]
        where other != expected.domain {
            let error = MirrorError(domain: other, code: expected.code)
            #expect(!error.meaning.contains(expected.meaning), "\(error.name ?? "no name")")
            #expect(error.deletesRows == nil)
        }
    }

    @Test("is none where the system put the work off or a request was not needed")
    func noFailure() {
        let codes = MirrorFault.all.filter(\.isNoFailure).flatMap(\.codes)
        #expect(codes.sorted() == [134_407, 134_415, 134_416, 134_417, 134_418, 134_419])
        func event(_ code: Int64) -> CloudKitMirror.Event {
            CloudKitMirror.Event(
                kind: 2, succeeded: false, startedAt: 1, endedAt: 2, errorCode: code, errorDomain: Self.cocoa)
        }
        #expect(event(134_419).error == nil)
        #expect(event(134_419).postponement?.code == 134_419)
        #expect(event(134_412).error?.code == 134_412)
        #expect(event(134_412).postponement == nil)
    }

    @Test(
        "that nobody has described is said to be unknown",
        arguments: [("CKErrorDomain", 134_400), ("CKErrorDomain", 99), ("NSPOSIXErrorDomain", 60)])
    func unknown(domain: String, code: Int64) {
        let error = MirrorError(domain: domain, code: code)
        #expect(error.name == "\(domain) \(code)")
        #expect(error.meaning == "an error that meterfix does not know")
        #expect(error.whatTheMirrorDoes.hasPrefix("it is not known what the mirror does next"))
        #expect(error.deletesRows == nil)
        #expect(error.forTheOwner == nil)
        #expect(error.reaction == .unknown)
    }

    @Test("without a domain is a stop without a reason")
    func withoutReason() {
        let error = MirrorError(domain: "", code: 0)
        #expect(error.name == nil)
        #expect(error.meaning == "the mirror stopped without a reason")
        #expect(MirrorError(domain: "", code: 25).name == "error 25 without a domain")
        #expect(MirrorError(domain: "", code: 25).meaning == "the mirror stopped without a reason")
    }

    @Test("of some records only leads to the errors of these records")
    func partial() {
        let error = MirrorError(domain: Self.cloudKit, code: 2)
        #expect(error.whatToDo.contains("iCloud storage is full"))
        #expect(error.whatToDo.contains("device's log"))
        #expect(error.meaning.contains("are not shown"))
    }

    @Test("is dangerous to the owner's data wherever the mirror then deletes rows, and only there")
    func owners() {
        for error in MirrorError.described {
            #expect((error.forTheOwner?.isDangerous ?? false) == (error.deletesRows ?? false), "\(error)")
            #expect(error.whatTheMirrorDoes.contains("deletes") == (error.deletesRows ?? false), "\(error)")
            #expect(!(error.deletesRows ?? false) || error.whatToDo.contains("save a copy of the store"), "\(error)")
        }
        #expect(
            Set(MirrorError.described.map(\.forTheOwner))
                == Set(MirrorError.OwnersCause.allCases.map(Optional.some) + [nil]))
    }
}
