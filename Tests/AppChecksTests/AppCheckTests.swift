import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("what an app lacks")
struct AppCheckTests {
    @Test("is what is expected of each input", arguments: AppCase.all)
    func inputs(_ sample: AppCase) throws {
        guard let findings = sample.wanted["findings"]?.elements else {
            let error = #expect(throws: StoreError.self) { try sample.check() }
            #expect(error?.kind == (sample.wanted["exit"]?.number == 66 ? .notFound : .damaged))
            return
        }
        let check = try sample.check()
        let wanted = findings.map { finding in
            ["severity", "id", "subject"].compactMap { finding[$0]?.string }.joined(separator: " ")
        }
        #expect(check.lines == wanted)
        let document = try JSONValue(parsing: Array(check.text(pretty: false).utf8))
        #expect(document["platform"] == sample.wanted["platform"])
        if let platforms = sample.wanted["platforms"] { #expect(document["platforms"] == platforms) }
        if let wanted = sample.wanted["notLookedAt"]?.elements {
            let gaps = try #require(document["notLookedAt"]?.elements)
            #expect(gaps.count == wanted.count && zip(gaps, wanted).allSatisfy(Self.isSame), "\(gaps)")
        }
        #expect(check.unknown.map(\.rawValue) == sample.wanted["unknown"]?.elements?.compactMap(\.string))
        #expect(check.findings.contains { $0.severity > .note } == (sample.wanted["exit"]?.number == 1))
        #expect(check.container == "iCloud.ro.xdev.USB-Meter")
    }

    /// Whether what was not looked at is what is wanted: of a path its end counts.
    private static func isSame(_ gap: JSONValue, _ wanted: JSONValue) -> Bool {
        guard case .object(let members) = wanted else { return false }
        return members.allSatisfy { member in
            guard member.key == "path" else { return gap[member.key] == member.value }
            return gap["path"]?.string?.hasSuffix(member.value.string ?? "") ?? false
        }
    }

    @Test("is known of 32 inputs")
    func count() { #expect(AppCase.all.count == 32) }

    @Test("is as grave as its row says, and stands in that order")
    func rows() {
        let rows = AppRequirement.allCases.map { "\($0.severity.rawValue) \($0.id)" }
        #expect(
            rows == [
                "error unreadable", "error container-missing", "error container-other",
                "error cloudkit-service-missing", "error unresolved-setting", "error profile-lacks",
                "error environment-development", "note environment-pinned", "warning environment-mixed",
                "warning push-entitlement-missing", "warning push-development", "warning push-mode-missing",
                "warning kvstore-missing", "warning kvstore-other", "error application-identifier-missing",
                "note cloudkit-not-linked", "error entitlements-not-assigned", "warning entitlements-differ",
                "error model-current-missing",
                "error model-entity-missing", "error model-uniqueness-constraint", "error model-attribute-required",
                "error model-attribute-type", "warning model-transformer-unknown", "error model-relationship-required",
                "error model-inverse-missing", "error model-relationship-ordered", "error model-relationship-outside",
                "error model-delete-deny", "error model-externalized-type", "error model-externalized-relationship",
                "error store-model-unknown", "note store-older-model",
            ])
    }

    @Test("is said in fragments, with what to do", arguments: AppRequirement.allCases)
    func words(_ requirement: AppRequirement) {
        for text in [requirement.message, requirement.cure, requirement.right].compactMap(\.self) {
            #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n") && !text.contains("  "), "\(text)")
        }
        #expect((requirement.group == nil) == (requirement == .unreadable))
    }

    @Test("is said once, in the order of the table and then of the subjects")
    func order() throws {
        let folder = try AppFolder()
        try folder.write([:], to: "B.entitlements")
        try folder.write([:], to: "A.entitlements")
        try folder.write("none", to: "z/Info.plist")
        try folder.write("none", to: "a/Info.plist")
        let check = try folder.check()
        #expect(
            check.lines == [
                "error unreadable \(name(folder))/a/Info.plist", "error unreadable \(name(folder))/z/Info.plist",
                "error container-missing", "warning push-entitlement-missing", "warning kvstore-missing",
            ])
    }

    private func name(_ folder: AppFolder) -> Substring { folder.path.split(separator: "/").last ?? "" }

    @Test("is not what was looked at and is right")
    func right() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built, profile: AppFolder.built)
        let check = try folder.check()
        #expect(check.lines == [])
        #expect(
            check.right.map(\.id) == [
                "container-missing", "container-other", "cloudkit-service-missing", "unresolved-setting",
                "profile-lacks", "environment-development", "push-entitlement-missing", "push-development",
                "push-mode-missing", "kvstore-missing", "kvstore-other",
            ])
        try folder.app([:])
        let lacking = try folder.check()
        #expect(
            lacking.right.map(\.id) == [
                "unresolved-setting", "profile-lacks", "environment-development", "push-mode-missing",
            ])
    }
}
