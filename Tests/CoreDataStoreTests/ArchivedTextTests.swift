import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

/// Apple's archives have texts as plain strings and as objects with the string in them: which one depends on the object
/// that the app, or Xcode's compiler, had in its hands.
@Suite("a text in an archive")
struct ArchivedTextTests {
    private let archive = ModelArchive.encode(fullModel, configurations: ["Main": ["Meter"]])
    /// With a composite attribute, which has no version hash.
    private let kitchen = ModelArchive.encode(Kitchen.modelWithComposite)

    private func rewritten(_ form: ArchivedText, _ archive: [UInt8]) throws -> [UInt8] {
        try form.rewriting(PropertyList(binary: archive)).binaryPropertyList()
    }

    @Test("is the same text in either form, under every key", arguments: ArchivedText.allCases)
    func everyText(form: ArchivedText) throws {
        let bytes = try rewritten(form, archive)
        #expect((bytes == archive) == (form == .plain))
        let model = try ManagedObjectModel(archive: bytes)
        #expect(model == fullModel)
        #expect(model.versionHashes() == fullModel.versionHashes())
        #expect(try ManagedObjectModel(archive: rewritten(form, kitchen)) == Kitchen.modelWithComposite)
    }

    @Test("is the same text where a model is revised", arguments: ArchivedText.allCases)
    func revised(form: ArchivedText) throws {
        let revisions: [ModelRevision] = [
            .makeOptional(entity: "Meter", attribute: "address"),
            .dropUniquenessConstraint(entity: "Meter", attributes: ["address"]),
            .addAttribute(entity: "Meter", Attribute("batchNote", .string)),
        ]
        let revised = try ManagedObjectModel(archive: ModelArchive.revised(rewritten(form, archive), revisions))
        #expect(revised == (try fullModel.revised(revisions)))
    }

    /// So that a key that the reader learns later is tried in every form too.
    @Test("is in the archive that these tests rewrite, for every key that is read")
    func everyKey() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CoreDataStore/Model")
        var read: Set<String> = []
        for name in ["ModelArchiveReader", "ModelRevision", "KeyedArchive"] {
            let source = try String(contentsOf: sources.appending(path: name + ".swift"), encoding: .utf8)
            for match in source.matches(of: /(?:values\[|flag\()"([^"]+)"/) { read.insert(String(match.1)) }
        }
        #expect(read.isSuperset(of: ["NSVersionHashModifier", "NSEntityName", "_NSDestinationEntityName", "NS.keys"]))
        var written: Set<String> = []
        for archive in [archive, kitchen] {
            let objects = try #require(PropertyList(binary: archive).dictionary?["$objects"]?.array)
            written.formUnion(objects.compactMap(\.dictionary).flatMap(\.keys))
        }
        // What the reader reads and the archive's own dictionary has, or the objects of the other forms.
        let others: Set = ["$archiver", "$objects", "$top", "NS.string", "NS.data", "NS.time"]
        #expect(read.subtracting(others).subtracting(written) == [])
    }

    @Test("is no text where an object has something else in its place")
    func otherObjects() throws {
        let objects = try #require(PropertyList(binary: archive).dictionary?["$objects"]?.array)
        let modifier = try #require(objects.firstIndex(of: .string("v2")))
        for value: PropertyList in [.integer(2), .uid(0), .uid(.max), .uid(UInt64(modifier)), .data([0x76, 0x32])] {
            let changed = try rewriting(archive) {
                $0[modifier] = .dictionary(["$class": .uid(1), "NS.string": value])
            }
            #expect(try ManagedObjectModel(archive: changed)[entity: "Meter"]?.versionHashModifier == nil)
        }
    }
}
