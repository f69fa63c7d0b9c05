import Testing

@testable import CoreDataStore

@Suite("the table of the mirror's errors")
struct MirrorFaultTests {
    /// A text in which each condition is met.
    private static func text(for condition: String) -> String {
        condition.split(separator: "!")[0].split(separator: "|")[0].replacing("*", with: " so and so ").uppercased()
    }

    @Test("finds each row by its domain, each of its codes and its words, in capitals too", arguments: MirrorFault.all)
    func found(fault: MirrorFault) throws {
        let text = fault.condition.map(Self.text)
        guard let domain = fault.domain else {
            guard !MirrorFault.unknown.contains(fault) else { return }
            let told = try Array(#require(text).utf8).withUnsafeBufferPointer(MirrorFault.told)
            #expect(told.contains { $0.fault == fault && !$0.isOtherwise })
            return
        }
        // Rows for a code alone are for a text that nobody knows; others without a condition take any text.
        for code in fault.codes.isEmpty ? [4711] : fault.codes {
            let isAlone = fault.isAlone
            #expect(MirrorFault.of(domain: domain, code: code, text: isAlone ? nil : text ?? "") == fault)
            #expect(MirrorFault.of(domain: "CKInternalErrorDomain", code: code, text: text).id == "unknown-error")
        }
    }

    @Test("has rows that say everything, in the style of a line", arguments: MirrorFault.all)
    func style(fault: MirrorFault) {
        #expect(fault.id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
        #expect((10...99).contains(fault.rank))
        guard fault.kind != .noise else { return }
        for text in [fault.meaning, fault.whatTheMirrorDoes, fault.advice] {
            #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("  "))
            #expect(text.first.map { "CS`".contains($0) } ?? false || text.first?.isLowercase ?? false, "\(text)")
        }
        #expect(fault.kind != .deletes || fault.whatTheMirrorDoes.contains("deletes"))
        #expect(fault.kind != .deletes || fault.advice.contains("save a copy of the store"))
        #expect(fault.kind != .deletes || fault.rank < 20)
    }

    @Test("takes rows of one id for one thing: they have the same kind and rank")
    func ids() {
        for (id, faults) in Dictionary(grouping: MirrorFault.all, by: \.id) {
            #expect(Set(faults.map(\.kind)).count == 1, "\(id)")
            #expect(Set(faults.map(\.rank)).count == 1, "\(id)")
        }
    }

    @Test("tells the causes of one code apart by the error's text")
    func causes() {
        func ids(_ code: Int, domain: String = "NSCocoaErrorDomain", _ texts: String...) -> [String] {
            texts.map { MirrorFault.of(domain: domain, code: code, text: $0).id }
        }
        #expect(
            ids(
                134_400, "CKAccountStatusNoAccount", "no user signed in to this device", "Restricted",
                "CKAccountStatusTemporarilyUnavailable", "Device to device encryption",
                "Failed to get a container back",
                "Failed to get a database back", "Could not locate the desired zone", "database scope 9", "")
                == [
                    "not-signed-in", "not-signed-in", "account-restricted", "account-unavailable",
                    "encryption-unsupported", "container-unavailable", "container-unavailable", "container-unavailable",
                    "container-unavailable", "account-problem",
                ])
        #expect(
            ids(134_405, "NSCloudKitMirroringDelegateResetSyncReasonKey = 1;", "AccountLogout", "AccountChange")
                == ["account-signed-in", "account-signed-out", "account-changed"])
        #expect(
            ids(15, domain: "CKErrorDomain", "Retry after 30.0 seconds", "subscription is duplicate of", "15/2000")
                == ["server-rejected-retry", "subscription-duplicate", "server-rejected"])
        #expect(ids(14, domain: "CKErrorDomain", "cloudkit.zoneshare", "") == ["share-conflict", "record-conflict"])
    }

    @Test("reads one reason for putting off in a decision of the system, and others only where no error is told")
    func words() {
        func ids(_ message: String, isOtherwise: Bool = false) -> [String] {
            Array(message.utf8).withUnsafeBufferPointer(MirrorFault.told).filter { $0.isOtherwise == isOtherwise }
                .map(\.fault.id)
        }
        let decision = "com.apple.coredata.cloudkit.activity.export.X: [{name: Y}], FinalDecision: Must Not Proceed"
        #expect(ids(decision) == ["deferred-system"])
        #expect(ids(decision.replacing("Y", with: "Low Power Mode Policy")) == ["deferred-low-power"])
        #expect(ids(decision.replacing("Must Not", with: "Can")).isEmpty)
        #expect(ids("with reason: 'ZoneDeleted'").isEmpty)
        #expect(ids("with reason: 'ZoneDeleted'", isOtherwise: true) == ["zone-gone"])
    }
}

extension MirrorError {
    /// Every error of CloudKit and of the mirror that the table has.
    static let described: [MirrorError] = MirrorFault.all.flatMap { fault in
        fault.codes.map { MirrorError(domain: fault.domain ?? "", code: Int64($0)) }
    }.filter { ["CKErrorDomain", "NSCocoaErrorDomain"].contains($0.domain) }
}
