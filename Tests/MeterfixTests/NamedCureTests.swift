import Foundation
import JSON
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

/// What a finding names as its cure is tried here, for every check of the catalogue and every sample in which it fires.
@Suite("the cure of every finding")
struct NamedCureTests {
    /// A finding of `verify --json`.
    private struct Found {
        let id: String
        let mac: String?
        let showsEverything: Bool?
        let cure: String?
        let firstAid: String?

        init(_ json: JSONValue) {
            id = json["id"]?.string ?? ""
            mac = json["mac"]?.string
            showsEverything = json["levelled"].map { $0 == .bool(true) }
            cure = json["cure"]?.string
            firstAid = json["firstAid"]?.string
        }

        static func all(of document: JSONValue) -> [Found] { (document["findings"]?.elements ?? []).map(Found.init) }
    }

    private static func samples(of id: String) -> [Sample] {
        SampleShelf.samples.filter { $0.expectedFindings.contains(id) }
    }

    @Test("has a sample in which the check fires, and there is no finding of any other check")
    func samples() {
        let checks = Set(Self.checks)
        for id in checks {
            #expect(SampleShelf.sample("check-\(id)")?.expectedFindings.contains(id) == true, "no sample check-\(id)")
        }
        #expect(SampleShelf.samples.reduce(into: Set()) { $0.formUnion($1.expectedFindings) } == checks)
    }

    /// Of a comparison with a model that the user gives, ModelComparisonTests tries the cure.
    private static let checks = Check.all.map(\.id).filter { $0 != Check.modelDiffers.id }

    @Test("is a command that cures it, or a sentence", arguments: checks)
    func cures(_ id: String) throws {
        var tried = 0
        for sample in Self.samples(of: id) {
            let session = try SampleSession.of(sample)
            guard session.verifyJSON.code < 2 else { continue }
            let before = try Found.all(of: session.verifyJSON.json)
            for cure in Set(before.filter { $0.id == id }.map(\.cure)) {
                tried += 1
                let cure = try #require(cure, "\(sample.name) is not told what to do about \(id)")
                if cure.hasPrefix("meterfix ") {
                    try expectCured(id, by: cure, sample, count: before.count { $0.id == id })
                } else {
                    try expectSentence(cure, sample)
                }
            }
        }
        #expect(tried > 0, "\(id) fires in no sample that can be verified")
    }

    /// The command does what it is there for, and nothing that is worse.
    private func expectCured(_ id: String, by cure: String, _ sample: Sample, count: Int) throws {
        let folder = try ScratchFolder(of: sample)
        let answer = try folder.meterfix(arguments: Self.words(of: cure) + ["--now", SampleSession.now])
        // Something else may remain for a person.
        #expect([0, 2].contains(answer.code), "\(cure): \(answer.stderr)")
        let after = try verify(folder, sample)
        #expect(after.count { $0.id == id } < count, "\(cure) of \(sample.name) cures no \(id)")
        #expect(!after.contains { $0.id == id && $0.cure == cure }, "\(cure) is named again for \(sample.name)")
        let known = sample.expectedFindings.union(["mirror-pending", "not-mirrored"])
        // What hides behind a constraint or a lost property list comes to light.
        let revealed: Set = ["duplicate-mac", "mac-not-canonical"]
        let new = Set(after.map(\.id)).subtracting(known).subtracting(revealed)
        #expect(new.isEmpty, "\(cure) of \(sample.name) leads to \(new.sorted())")
    }

    @Test("that is named for the time being, for devices in use, levels each meter for which it is named")
    func firstAid() throws {
        var tried = 0
        for sample in Self.samples(of: "duplicate-mac") {
            let session = try SampleSession.of(sample)
            let found = try Found.all(of: session.verifyJSON.json)
            for finding in found { #expect((finding.showsEverything != nil) == (finding.id == "duplicate-mac")) }
            let before = found.filter { $0.id == "duplicate-mac" }
            for command in Set(before.compactMap(\.firstAid)) {
                tried += 1
                let folder = try ScratchFolder(of: sample)
                let answer = try folder.meterfix(arguments: Self.words(of: command) + ["--now", SampleSession.now])
                #expect([0, 2].contains(answer.code), "\(command): \(answer.stderr)")
                let after = try verify(folder, sample).filter { $0.id == "duplicate-mac" }
                #expect(after.count == before.count && after.allSatisfy { $0.firstAid == nil }, "\(sample.name)")
                for finding in before where finding.firstAid != nil {
                    #expect(finding.showsEverything == false)
                    #expect(after.first { $0.mac == finding.mac }?.showsEverything == true, "\(sample.name)")
                }
            }
        }
        #expect(tried > 0)
    }

    /// A sentence as the texts have it, whose commands can be run.
    private func expectSentence(_ cure: String, _ sample: Sample) throws {
        #expect(cure.split(separator: " ").count >= 4, "\(cure)")
        #expect(!cure.hasSuffix("."), "\(cure)")
        // A command is in backticks, or goes on to the end: what follows it would be pasted with it.
        for match in cure.matches(of: /`(meterfix [^`]+)`|: (meterfix .+)$/) {
            // What only the user knows.
            let command = String(match.1 ?? match.2 ?? "").replacing(" MAC ", with: " A4:C1:38:FE:00:01 ")
            let folder = try ScratchFolder(of: sample)
            let answer = try folder.meterfix(arguments: Self.words(of: command) + ["--now", SampleSession.now])
            #expect(answer.code <= 2, "\(command): \(answer.stderr)")
        }
    }

    private static func words(of command: String) -> [String] {
        command.split(separator: " ").dropFirst().map(String.init)
    }

    private func verify(_ folder: ScratchFolder, _ sample: Sample) throws -> [Found] {
        let answer = try folder.meterfix("verify", "--json", sample.storeName, "--now", SampleSession.now)
        return try Found.all(of: answer.json)
    }

    @Test("is explained by a first sentence that stands alone", arguments: Check.all)
    func meanings(_ check: Check) {
        #expect(check.explanation.first?.hasPrefix(check.meaning) == true)
        #expect(check.meaning.hasSuffix("."))
        #expect((30...260).contains(check.meaning.count), "\(check.id): \(check.meaning)")
        #expect(!check.meaning.contains("\n"))
    }

    @Test("begins, with each check, with that sentence, once and only in verify")
    func shownMeaning() throws {
        let session = try SampleSession.of(try #require(SampleShelf.sample("duplicates")))
        let ids = Set(try Found.all(of: session.verifyJSON.json).map(\.id))
        #expect(ids.count > 4)
        for check in Check.all where ids.contains(check.id) {
            let heading = "\(check.severity.rawValue)  \(check.id): \(check.title)\n  \(check.meaning)\n"
            #expect(session.verify.stdout.components(separatedBy: heading).count == 2, "\(check.id)")
            #expect(session.verify.stdout.components(separatedBy: check.meaning).count == 2, "\(check.id)")
            #expect(!session.rebuild.stdout.contains(check.meaning))
        }
    }
}
