import MeterInspect
import MeterModel
import Testing

@Suite("which word of a command line is the meter and which is the store")
struct MeterWordsTests {
    private static let address = MACAddress(bits: 0xA4C1_380B_7E21)

    private func read(
        _ words: [String], row: Int64? = nil, environment: String? = nil, need: MeterWords.Need = .meter,
        files: Set<String> = ["CKModel.sqlite"]
    ) throws(MeterWords.UsageError) -> MeterWords {
        try MeterWords(words, row: row, environment: environment, need: need, isFile: files.contains)
    }

    @Test("a meter and a store", arguments: [MeterWords.Need.meter, .perhapsMeter])
    func both(need: MeterWords.Need) throws {
        for word in ["A4:C1:38:0B:7E:21", "a4-c1-38-0b-7e-21", " A4C1.380B.7E21 "] {
            let words = try read([word, "CKModel.sqlite"], need: need)
            #expect(words.record == .meter(.address(Self.address)), "\(word)")
            #expect(words.store == "CKModel.sqlite")
        }
        // A meter may be named like a file, and a store may not be there.
        for word in ["Kitchen", "CKModel.sqlite", "A4:C1:38:0B:7E:2"] {
            let words = try read([word, "missing.sqlite"], environment: "other.sqlite", need: need)
            #expect(words.record == .meter(.name(word)))
            #expect(words.store == "missing.sqlite")
        }
    }

    @Test("a meter alone, with the store of the environment")
    func meterAlone() throws {
        for need in [MeterWords.Need.meter, .perhapsMeter] {
            let address = try read(["A4C1380B7E21"], environment: "a.sqlite", need: need, files: ["A4C1380B7E21"])
            #expect(address.record == .meter(.address(Self.address)))
            #expect(address.store == "a.sqlite")
            let name = try read(["Kitchen"], environment: "a.sqlite", need: need)
            #expect(name.record == .meter(.name("Kitchen")))
            #expect(name.store == "a.sqlite")
            #expect(try read(["A4C1380B7E21"], need: need).store == nil)
        }
        let name = try read(["Kitchen"])
        #expect(name.record == .meter(.name("Kitchen")))
        #expect(name.store == nil)
    }

    @Test("a store alone, where a meter may be left out")
    func storeAlone() throws {
        for environment in [nil, "a.sqlite"] {
            let words = try read(["CKModel.sqlite"], environment: environment, need: .perhapsMeter)
            #expect(words.record == nil)
            #expect(words.store == "CKModel.sqlite")
        }
        // What is no address and no file is the store if nothing else says which store.
        #expect(try read(["missing.sqlite"], need: .perhapsMeter).store == "missing.sqlite")
        let none = try read([], environment: "a.sqlite", need: .perhapsMeter)
        #expect(none.record == nil)
        #expect(none.store == "a.sqlite")
    }

    @Test("a row, and then only the store")
    func row() throws {
        let both = try read(["CKModel.sqlite"], row: 3, environment: "a.sqlite")
        #expect(both.record == .row(3))
        #expect(both.store == "CKModel.sqlite")
        #expect(try read([], row: 3, environment: "a.sqlite").store == "a.sqlite")
        #expect(try read(["A4C1380B7E21"], row: 3, files: ["A4C1380B7E21"]).store == "A4C1380B7E21")
    }

    @Test("what makes no sense is refused, and the message says why")
    func refused() throws {
        func message(
            _ words: [String], row: Int64? = nil, environment: String? = "a.sqlite", need: MeterWords.Need = .meter
        ) throws -> String {
            try #require(throws: MeterWords.UsageError.self) {
                try read(words, row: row, environment: environment, need: need)
            }.message
        }
        let address = "A4:C1:38:0B:7E:21"
        let both = "--row and a meter exclude each other; beside --row name only the store"
        #expect(try message([address, "CKModel.sqlite"], row: 3) == both)
        #expect(try message([address], row: 3) == both)
        #expect(try message([]) == "name a meter by its address or its name")
        #expect(try message(["CKModel.sqlite"]) == "name a meter by its address or its name, before CKModel.sqlite")
        #expect(
            try message(["CKModel.sqlite", address], need: .perhapsMeter)
                == "name the meter before the store: \(address) CKModel.sqlite")
        for word in ["", " \t"] {
            #expect(try message([word, "CKModel.sqlite"], need: .perhapsMeter) == "an empty name names no meter")
        }
    }
}
