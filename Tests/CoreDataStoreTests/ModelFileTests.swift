import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite struct ModelFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="1.2">
            <entity name="Meter" representedClassName="Meter" isAbstract="YES" versionHashModifier="v2" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="address" attributeType="String" versionHashModifier="2"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" \
        preserveAfterDeletion="YES"/>
                <relationship name="readings" optional="YES" toMany="YES" minCount="1" ordered="YES" \
        destinationEntity="Reading" inverseName="meter" inverseEntity="Reading"/>
                <relationship name="neighbours" toMany="YES" maxCount="4294967295" destinationEntity="Meter" \
        inverseName="neighbours" inverseEntity="Meter"/>
                <fetchedProperty name="all" optional="YES"><fetchRequest name="f" entity="Meter"/></fetchedProperty>
                <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="address"/></uniquenessConstraint>
                    <uniquenessConstraint><constraint value="name"/><constraint value="address"/></uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo><entry key="a" value="b &amp; c"/></userInfo>
            </entity>
            <entity name="GasMeter" parentEntity="Meter"><attribute name="pressure" optional="YES" \
        attributeType="Double"/></entity>
            <entity name="Reading">
                <attribute name="value" optional="YES" attributeType="Decimal"/>
                <relationship name="meter" optional="YES" maxCount="1" destinationEntity="Meter" inverseName="readings"/>
            </entity>
        </model>
        """

    /// `fullModel` without its read-only attribute, which sources cannot have.
    private var expected: ManagedObjectModel {
        var entities = fullModel.entities
        for index in entities.indices { entities[index].attributes.removeAll(where: \.traits.isReadOnly) }
        return ManagedObjectModel(entities: entities, versionIdentifiers: ["1.2"])
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    private func read(_ name: String) throws(StoreError) -> ModelFile { try ModelFile.read(folder.path + "/" + name) }

    private func error(_ name: String) -> StoreError? {
        failure { () throws(StoreError) in _ = try read(name) }
    }

    private func complaint(_ source: String) throws -> String? {
        try write(source, to: "contents")
        return error("contents")?.message
    }

    @Test("the configurations of a source are in the archive that is made of it")
    func configurations() throws {
        let configuration = "<configuration name=\"Cloud\"><memberEntity name=\"Reading\"/></configuration></model>"
        try write(Self.source.replacing("</model>", with: configuration), to: "A.xcdatamodel/contents")
        let file = try read("A.xcdatamodel")
        #expect(file.details.configurations == ["Cloud": ["Reading"]])
        try write(file.archive, to: "A.mom")
        #expect(try read("A.mom").details.configurations == ["Cloud": ["Reading"]])
    }

    @Test("a source is read as what it declares")
    func source() throws {
        try write(Self.source, to: "USB_Meter 2.xcdatamodel/contents")
        let file = try read("USB_Meter 2.xcdatamodel")
        #expect(file.model == expected)
        #expect(file.version == "USB_Meter 2" && file.publishedHashes == nil)
        #expect(file.path == folder.path + "/USB_Meter 2.xcdatamodel")
        #expect(try ManagedObjectModel(archive: file.archive) == expected)
        #expect(try read("USB_Meter 2.xcdatamodel/contents").version == "USB_Meter 2")
        #expect(try read("USB_Meter 2.xcdatamodel/").model == expected)
        try write(Self.source, to: "contents.xml")
        #expect(try read("contents.xml").model == expected)
    }

    @Test("the current version of several is read")
    func currentVersion() throws {
        try write("<model/>", to: "A.xcdatamodeld/A.xcdatamodel/contents")
        try write(Self.source, to: "A.xcdatamodeld/A 2.xcdatamodel/contents")
        #expect(error("A.xcdatamodeld")?.message == "2 versions and no word on which is current")
        #expect(error("A.xcdatamodeld")?.hint == "name one of them: A 2.xcdatamodel, A.xcdatamodel")
        let current = "<plist version='1.0'><dict><key>_XCCurrentVersionName</key><string>%</string></dict></plist>"
        try write(current.replacing("%", with: "A 2.xcdatamodel"), to: "A.xcdatamodeld/.xccurrentversion")
        #expect(try read("A.xcdatamodeld").version == "A 2")
        #expect(try read("A.xcdatamodeld").model == expected)
        try write(current.replacing("%", with: "A 3.xcdatamodel"), to: "A.xcdatamodeld/.xccurrentversion")
        #expect(error("A.xcdatamodeld")?.message == "the current version A 3 is not there")
        for name in ["../A 2.xcdatamodel", "", ".."] {
            try write(current.replacing("%", with: name), to: "A.xcdatamodeld/.xccurrentversion")
            #expect(error("A.xcdatamodeld")?.message == "does not say which version is current")
        }
    }

    @Test("a model of Xcode 3 is said to be one, and refused as none that can be worked with")
    func xcode3() throws {
        try write("\u{4}\u{B}streamtyped\u{1}", to: "A.mom")
        try write("bplist00", to: "B.xcdatamodel/elements")
        try write("bplist00", to: "C.xcdatamodeld/C.xcdatamodel/elements")
        for name in ["A.mom", "B.xcdatamodel", "C.xcdatamodeld"] {
            #expect(error(name)?.message == "a model of Xcode 3, which meterfix does not read", "\(name)")
            #expect(error(name)?.kind == .unsuitable)
        }
    }

    @Test("a mapping model is said to be one, and not taken for a model")
    func mapping() throws {
        try write("NIBArchive", to: "V1toV2.cdm")
        try write("<database/>", to: "V1toV2.xcmappingmodel/xcmapping.xml")
        let names = [
            "V1toV2.cdm", "V1toV2.xcmappingmodel", "V1toV2.xcmappingmodel//", "V1toV2.xcmappingmodel/xcmapping.xml",
        ]
        for name in names {
            #expect(error(name)?.message == "a mapping model, which meterfix does not read")
        }
    }

    @Test("a single version need not be marked as current")
    func singleVersion() throws {
        try write(Self.source, to: "A.xcdatamodeld/A.xcdatamodel/contents")
        #expect(try read("A.xcdatamodeld").version == "A")
        try write(ModelArchive.encode(fullModel), to: "B/B.mom")
        #expect(try read("B").version == "B")
    }

    @Test("a compiled model is its own archive")
    func compiledModel() throws {
        let archive = ModelArchive.encode(fullModel)
        let other = ModelArchive.encode(ManagedObjectModel(entities: []))
        try write(archive, to: "A.momd/A 2.mom")
        try write(other, to: "A.momd/A.mom")
        #expect(try read("A.momd/A 2.mom").publishedHashes == nil)
        let hashes = fullModel.versionHashes()
        let information = PropertyList.dictionary([
            "NSManagedObjectModel_CurrentVersionName": .string("A 2"),
            "NSManagedObjectModel_VersionHashes": .dictionary([
                "A": .dictionary([:]), "A 2": .dictionary(hashes.mapValues { .data($0) }),
            ]),
        ])
        try write(information.binaryPropertyList(), to: "A.momd/VersionInfo.plist")
        let file = try read("A.momd")
        #expect(file.version == "A 2" && file.model == fullModel && file.archive == archive)
        #expect(file.publishedHashes == hashes)
        #expect(try read("A.momd/A 2.mom").publishedHashes == hashes)
        #expect(try read("A.momd/A.mom").publishedHashes == [:])
        try FileManager.default.removeItem(atPath: folder.path + "/A.momd/A 2.mom")
        #expect(error("A.momd")?.message == "the current version A 2 is not there")
        try write("no property list", to: "A.momd/VersionInfo.plist")
        #expect(error("A.momd")?.kind == .damaged)
        #expect(try read("A.momd/A.mom").publishedHashes == nil)
    }

    @Test("what is not a model is named in the error")
    func notAModel() throws {
        #expect(error("gone")?.kind == .notFound)
        #expect(error("gone")?.message == "no such file")
        try write([0xFF, 0xD8, 0xFF, 0xE0], to: "photo.mom")
        #expect(error("photo.mom")?.message == "not a model but a JPEG picture")
        #expect(error("photo.mom")?.kind == .damaged)
        try write([], to: "empty")
        #expect(error("empty")?.message == "not a model but an empty file")
        try write("SQLite format 3\u{0}", to: "store")
        #expect(error("store")?.message == "not a model but a database")
        try write("momv2$srsr", to: "a.omo")
        #expect(error("a.omo")?.message == "not a model but an optimised model (.omo); name the .mom beside it")
        try write("Hello", to: "text")
        #expect(error("text")?.message == "not a model but a text file")
        try write("x", to: "folder/x")
        #expect(error("folder")?.message == "a folder, but not that of a model")
        #expect(error("folder")?.hint == "name an .xcdatamodeld, .xcdatamodel, .momd or .mom")
        try write(PropertyList.dictionary([:]).binaryPropertyList(), to: "list.plist")
        #expect(error("list.plist")?.message == "the model cannot be read: the property list is not a keyed archive")
        #expect(throws: StoreError.self) { try ModelFile.read("") }
        #expect(throws: StoreError.self) { try ModelFile.read("a\u{0}b") }
    }

    @Test(
        "a damaged source is an error with a place",
        arguments: [
            ("<html/>", "<html> where a <model> should be, line 1, column 1"),
            ("<model>", "the element <model> does not end, line 1, column 1"),
            ("<model>\n <entity/>\n</model>", "<entity> without name, line 2, column 2"),
            ("<model><entity name='A'/><entity name='A'/></model>", "a second entity A, line 1, column 26"),
            (
                "<model><entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/></model>",
                "the entity A has too many ancestors, or is its own ancestor, line 1, column 8"
            ),
            (
                "<model><entity name='A' parentEntity='B'/></model>",
                "the entity A has a parent B that is not there, line 1, column 8"
            ),
            (
                "<model><entity name='A' isAbstract='yes'/></model>",
                "isAbstract is 'yes', neither YES nor NO, line 1, column 8"
            ),
            (
                "<model><entity name='A'>\n<relationship name='r' destinationEntity='A' maxCount='-1'/></entity></model>",
                "maxCount is '-1', not a count, line 2, column 1"
            ),
            (
                "<model><entity name='A'>\n<relationship name='r'/></entity></model>",
                "<relationship> without destinationEntity, line 2, column 1"
            ),
            (
                "<model><entity name='A'><attribute name='a' attributeType='String'/>\n<relationship name='a' "
                    + "destinationEntity='A'/></entity></model>",
                "a second property a of A, line 2, column 1"
            ),
        ])
    func damagedSource(source: String, expected: String) throws {
        #expect(try complaint(source) == expected)
    }

    @Test("an attribute of an unknown type leaves its entity without a hash")
    func unknownAttributeType() throws {
        try write(
            "<model><entity name='A'><attribute name='a' attributeType='Composite'/></entity><entity name='B'/></model>",
            to: "contents")
        let model = try read("contents").model
        #expect(model[entity: "A"]?.unreadProperties == ["a"])
        #expect(model.versionHashes().keys.sorted() == ["B"])
    }

    @Test("a source truncated anywhere is an error or a model")
    func truncatedSource() throws {
        let bytes = Array(Self.source.utf8)
        for count in stride(from: 0, to: bytes.count, by: 37) {
            try write(Array(bytes.prefix(count)), to: "contents")
            #expect(error("contents")?.kind == .damaged)
        }
    }
}
