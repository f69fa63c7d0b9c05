import CoreDataStore
import Foundation
import Testing

@Suite struct VersionHashTests {
    /// The expected values come from a second implementation of the same description, in another language.
    @Test("the hashes of a model with everything are pinned")
    func pinnedHashes() {
        let hashes = fullModel.versionHashes()
        #expect(
            hashes.mapValues { Data($0).base64EncodedString() } == [
                "GasMeter": "fNnHLbBGiScOgHkNtwHlAJpbqa1A8GVNHPjbM8503S8=",
                "Meter": "eZnC3CHLBYfKscoqbrLHTYhwZDobs/OUbkdK2n3n/Uo=",
                "Reading": "F7A7CZuD7d4b2XFl/gf58X0mswf5v+FA/aNZuRtA7q8=",
            ])
        #expect(
            hashes.versionHashesDigest
                == "VfoVHUcbjaS77BD03HKn9zbx6sB+4TUHtpjHhK/hFvJ/pyGUhr4xvaa0RaqhRfYy1GxR04EdPHbJW3f5bzjLvQ==")
        #expect(hashes.versionChecksum == "CA607Ulgq7HWNKiV6rvoY2kb3Kezo52qn+PuhF/CQHc=")
    }

    private func hash(_ change: (inout Entity) -> Void) -> [UInt8]? {
        var entity = Entity("E", attributes: [Attribute("a", .string), Attribute("b", .string)])
        change(&entity)
        return ManagedObjectModel(entities: [entity]).versionHash(of: entity)
    }

    @Test("optionality, constraints, types and modifiers count")
    func whatCounts() {
        let hashes = [
            hash { _ in },
            hash { $0.attributes[0].traits.isOptional = false },
            hash { $0.uniquenessConstraints = [["a"]] },
            hash { $0.uniquenessConstraints = [["a", "b"]] },
            hash { $0.attributes[0] = Attribute("a", .uri) },
            hash { $0.versionHashModifier = "1" },
            hash { $0.isAbstract = true },
            hash { $0.attributes[1].usesExternalStorage = true },
        ]
        #expect(!hashes.contains(nil))
        #expect(Set(hashes).count == hashes.count)
    }

    @Test("transient properties and the order of constraints do not count")
    func whatDoesNotCount() {
        let transient = hash {
            $0.attributes.append(Attribute("c", .string))
            $0.attributes[2].traits.isTransient = true
        }
        #expect(transient == hash { _ in })
        #expect(
            hash { $0.uniquenessConstraints = [["b"], ["a"]] } == hash { $0.uniquenessConstraints = [["a"], ["b"]] })
    }

    @Test("an entity whose parent is missing has no hash")
    func missingParent() {
        #expect(hash { $0.superentity = "Gone" } == nil)
        #expect(hash { $0.superentity = "E" } == nil)
    }
}
