import CoreDataStore
import Testing

@Suite("a name of SQLite's")
struct SQLNameTests {
    @Test("is the same in another ASCII letter case, and in no other way")
    func sameName() {
        #expect(SQLName("Z_devicesettings") == "Z_DEVICESETTINGS")
        #expect(Set(["zOne", "ZoNE", "ztwo"] as [SQLName]).count == 2)
        #expect(SQLName("\u{E4}") != "\u{C4}", "SQLite folds ASCII letters alone")
        #expect(SQLName("\u{C9}") != "E\u{301}", "to Swift two ways to write one text")
        #expect(SQLName("[") != "{")
    }

    @Test("is in the order of Core Data's names, which are upper case")
    func order() {
        let names: [SQLName] = ["zb", "Z_A", "ZA", "Zc", "ANSCK"]
        #expect(names.sorted() == ["ANSCK", "ZA", "zB", "ZC", "Z_A"])
    }
}
