import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("the store's metadata, read")
struct MetadataReadingTests {
    @Test(
        "is a dictionary, or there is a reason why not",
        arguments: [
            ("", nil), ("DELETE FROM Z_METADATA", "Z_METADATA has no row"),
            ("INSERT INTO Z_METADATA (Z_VERSION) VALUES (2)", "Z_METADATA has 2 rows instead of one"),
            ("UPDATE Z_METADATA SET Z_PLIST = NULL", "the property list in Z_METADATA is NULL"),
            ("UPDATE Z_METADATA SET Z_PLIST = X''", "the property list in Z_METADATA cannot be read: "),
            ("UPDATE Z_METADATA SET Z_PLIST = zeroblob(100000)", "the property list in Z_METADATA cannot be read: "),
            ("UPDATE Z_METADATA SET Z_PLIST = 17", "the property list in Z_METADATA cannot be read: "),
            (
                "UPDATE Z_METADATA SET Z_PLIST = X'62706C6973743030090800000000000001010000000000000001000000000000"
                    + "00000000000000000009'", "the property list in Z_METADATA is not a dictionary"
            ),
            ("DROP TABLE Z_METADATA", "there is no table Z_METADATA with Z_UUID and Z_PLIST"),
            (
                "DROP TABLE Z_METADATA; CREATE VIEW Z_METADATA AS SELECT 1 AS Z_UUID, 2 AS Z_PLIST",
                "there is no table Z_METADATA with Z_UUID and Z_PLIST"
            ),
            (
                "ALTER TABLE Z_METADATA RENAME COLUMN Z_UUID TO ZU",
                "there is no table Z_METADATA with Z_UUID and Z_PLIST"
            ),
        ] as [(String, String?)])
    func reasons(sql: String, problem: String?) throws {
        try OddStore(sql).read { _, description in
            let metadata = description.metadata
            #expect((metadata.dictionary == nil) == (problem != nil), "\(metadata.problem ?? "")")
            #expect(problem.map { metadata.problem?.hasPrefix($0) == true } ?? (metadata.problem == nil))
        }
    }

    @Test(
        "of odd types is read as far as it makes sense",
        arguments: ["X'00'", "7", "CAST(X'FF' AS TEXT)", "NULL", "''"])
    func oddIdentity(uuid: String) throws {
        try OddStore("UPDATE Z_METADATA SET Z_UUID = \(uuid)").read { _, description in
            #expect(description.metadata.dictionary != nil)
        }
    }

    @Test("a cached model is there, absent or unreadable")
    func model() throws {
        for (sql, isUnreadable) in [
            ("DELETE FROM Z_MODELCACHE", false), ("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", false),
            ("UPDATE Z_MODELCACHE SET Z_CONTENT = X''", false), ("DROP TABLE Z_MODELCACHE", false),
            ("UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'", true), ("UPDATE Z_MODELCACHE SET Z_CONTENT = 5", true),
            ("UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(70000)", true),
            ("UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)", true),
        ] {
            try OddStore(sql).read { _, description in
                switch description.storedModel {
                case .absent: #expect(!isUnreadable, "\(sql)")
                case .unreadable: #expect(isUnreadable, "\(sql)")
                case .model: Issue.record("a model from \(sql)")
                }
            }
        }
    }
}
