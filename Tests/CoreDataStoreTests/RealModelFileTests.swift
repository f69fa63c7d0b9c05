import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

/// Models that Xcode made, where some lie among the real stores: compiled ones beside their sources.
@Suite("real models")
struct RealModelFileTests {
    private static func paths(_ suffix: String) -> [String] {
        guard let folder = RealStores.folder else { return [] }
        return ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(suffix) }
            .sorted().map { folder + "/" + $0 }
    }

    @Test(
        "compiled models have the hashes that were published with them, and can be revised",
        .enabled(if: !paths(".mom").isEmpty, "no compiled models among the real stores"))
    func compiledModels() throws {
        for path in Self.paths(".mom") {
            let file = try ModelFile.read(path)
            #expect(file.model.versionHashes() == file.publishedHashes, "\(path)")
            #expect(
                try PropertyList(binary: ModelArchive.revised(file.archive, [])) == PropertyList(binary: file.archive))
        }
        for path in Self.paths(".mom") {
            let file = try ModelFile.read(path)
            for entity in file.model.entities where entity.superentity == nil {
                let revision = ModelRevision.addAttribute(entity: entity.name, Attribute("meterfixNote", .string))
                let revised = try ManagedObjectModel(archive: ModelArchive.revised(file.archive, [revision]))
                #expect(
                    try revised.versionHashes() == file.model.revised([revision]).versionHashes(),
                    "\(path) \(entity.name)")
            }
        }
        for path in Self.paths(".momd") {
            let file = try ModelFile.read(path)
            #expect(file.model.versionHashes() == file.publishedHashes, "\(path)")
        }
    }

    /// Two models may have versions of one name: the folder's name tells them apart.
    private func key(_ path: String, _ file: ModelFile) throws -> String {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().deletingPathExtension().lastPathComponent
        return try folder + "/" + #require(file.version)
    }

    @Test(
        "sources are the models they were compiled to",
        .enabled(if: !paths(".xcdatamodel").isEmpty, "no sources of models among the real stores"))
    func sources() throws {
        var compiled: [String: ModelFile] = [:]
        var compared = 0
        for path in Self.paths(".mom") {
            let file = try ModelFile.read(path)
            compiled[try key(path, file)] = file
        }
        for path in Self.paths(".xcdatamodel") {
            let file = try ModelFile.read(path)
            #expect(!file.model.versionHashes().isEmpty, "\(path)")
            if let expected = compiled[try key(path, file)] {
                compared += 1
                #expect(file.model == expected.model, "\(path)")
                #expect(file.details == expected.details, "\(path)")
            }
        }
        #expect(compared > 0)
        for path in Self.paths(".xcdatamodeld") {
            let file = try ModelFile.read(path)
            let inside = try key(path + "/x", file)
            if let expected = compiled[inside] { #expect(file.model == expected.model, "\(path)") }
        }
    }
}
