import Testing

@testable import CoreDataStore

@Suite("an error of the mirror")
struct MirrorErrorTests {
    private static let cloudKit = "CKErrorDomain"
    private static let cocoa = "NSCocoaErrorDomain"

    /// What a supporter reads first, and whether rows go.
    private static let known: [(domain: String, code: Int64, meaning: String, next: String, deletesRows: Bool?)] = [
        (cloudKit, 25, "the user's iCloud storage is full", "stops until there is room", false),
        (
            cloudKit, 2, "refused some of the records, each for its own reason", "what the error of that record",
            nil
        ),
        (cloudKit, 3, "could not reach CloudKit", "tries again by itself", false),
        (cloudKit, 4, "could not reach CloudKit", "tries again by itself", false),
        (cloudKit, 6, "CloudKit is busy", "tries again by itself", false),
        (cloudKit, 7, "CloudKit is busy", "tries again by itself", false),
        (cloudKit, 23, "CloudKit is busy", "tries again by itself", false),
        (cloudKit, 22, "a whole batch of records because of one", "tries again by itself", false),
        (cloudKit, 9, "nobody is signed in", "does nothing until somebody signs in", false),
        (cloudKit, 36, "not available for now", "does nothing until the account is available", false),
        (cloudKit, 11, "is not in iCloud", "ignores", false),
        (
            cloudKit, 12, "probably because a record type or a field is missing",
            "uploads nothing until that is fixed", false
        ),
        (cloudKit, 14, "another device has changed a record", "downloads that record and merges", false),
        (cloudKit, 15, "refused the request", "tries again", false),
        (cloudKit, 21, "for so long", "keeps the rows on this device and uploads everything again", false),
        (cloudKit, 26, "the zone with the app's records was deleted", "keeps the rows on this device", false),
        (cloudKit, 112, "the key to the app's encrypted data", "keeps the rows on this device", false),
        (
            cloudKit, 27, "too large for CloudKit", "smaller batches, and finally stops with NSCocoaErrorDomain 134411",
            false
        ),
        (cloudKit, 28, "the user deleted the app's data in iCloud", "deletes the same rows on this device", true),
        (cocoa, 134_060, "cannot be mirrored", "nothing until the model changes", false),
        (
            cocoa, 134_301, "the history no longer has the transaction where the mirror stopped",
            "deletes the rows on this device", true
        ),
        (cocoa, 134_400, "no iCloud account", "does nothing until the device has an account", false),
        (cocoa, 134_405, "another iCloud account", "deletes all mirrored rows on this device", true),
        (cocoa, 134_407, "the app closed the store", "continues when the app opens the store again", false),
        (cocoa, 134_411, "however small the mirror made it", "stops", false),
        (cocoa, 134_419, "postponed the mirror's work", "tries again when the system lets it", false),
        (cocoa, 134_422, "mirrors the same store twice", "the second mirror", false),
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
        for other in [Self.cloudKit, Self.cocoa, "CKInternalErrorDomain", "NSURLErrorDomain", ""]
        where other != expected.domain {
            let error = MirrorError(domain: other, code: expected.code)
            #expect(!error.meaning.contains(expected.meaning), "\(error.name ?? "no name")")
            #expect(error.deletesRows == nil)
        }
    }

    @Test("is known for these domains and codes only")
    func all() {
        let pairs = KnownMirrorError.all.flatMap(\.errors)
        #expect(Set(pairs) == Set(Self.known.map { MirrorError(domain: $0.domain, code: $0.code) }))
        #expect(pairs.count == Self.known.count)
        #expect(pairs.first == MirrorError(domain: Self.cloudKit, code: 25), "what people meet most comes first")
    }

    @Test("that deletes rows says so, and says to save a copy before the app is opened")
    func deletion() {
        for error in KnownMirrorError.all.flatMap(\.errors) {
            let deletes = error.deletesRows ?? false
            #expect(error.whatTheMirrorDoes.contains("deletes") == deletes, "\(error)")
            #expect(error.whatToDo.contains("save a copy of the store") == deletes, "\(error)")
        }
    }

    @Test("that is inferred is marked as such, and what is only probable is inferred")
    func inferred() throws {
        let inferred = KnownMirrorError.all.filter(\.isInferred)
        #expect(inferred.flatMap(\.errors).map(\.code).sorted() == [12, 134_407, 134_411, 134_419, 134_422])
        for known in KnownMirrorError.all {
            #expect(known.paragraph.contains("(inferred)") == known.isInferred)
            #expect(known.isInferred || !known.paragraph.contains("probably"))
        }
    }

    @Test("is a fragment for a line and a sentence on a page")
    func style() {
        for known in KnownMirrorError.all {
            for text in [known.meaning, known.whatTheMirrorDoes, known.whatToDo] {
                #expect(!text.hasSuffix("."))
                #expect(text.first == "C" || text.first?.isLowercase ?? false)
            }
            #expect(known.paragraph.hasSuffix("."))
        }
        let paragraph = KnownMirrorError.all.first { $0.errors.count == 3 }?.paragraph
        #expect(
            paragraph?.hasPrefix("CKErrorDomain 6, 7 and 23: CloudKit is busy and asks the device to wait. The mirror")
                ?? false)
    }

    @Test(
        "that nobody knows is said to be unknown",
        arguments: [("CKErrorDomain", 134_400), ("NSURLErrorDomain", -1_009)])
    func unknown(domain: String, code: Int64) {
        let error = MirrorError(domain: domain, code: code)
        #expect(error.name == "\(domain) \(code)")
        #expect(error.meaning == "an error that meterfix does not know")
        #expect(error.whatTheMirrorDoes == "it is not known what the mirror does next")
        #expect(error.whatToDo.contains("CoreData+CloudKit"))
        #expect(error.deletesRows == nil)
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
        #expect(error.meaning.contains("the store does not keep"))
    }

    @Test("is dangerous to the owner's data wherever the mirror then deletes rows, and only there")
    func owners() {
        for known in KnownMirrorError.all {
            for error in known.errors {
                #expect(error.forTheOwner?.isDangerous == error.deletesRows ?? false, "\(error)")
            }
        }
        #expect(Set(KnownMirrorError.all.map(\.forTheOwner)) == Set(MirrorError.OwnersCause.allCases))
        #expect(MirrorError(domain: "CKErrorDomain", code: 4711).forTheOwner == nil)
    }
}
