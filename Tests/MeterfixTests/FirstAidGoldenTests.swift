import MeterTestSupport
import Testing

@Suite("Goldens: first aid while devices are in use")
struct FirstAidGoldenTests {
    private static let store = "nameless-first.sqlite"

    @Test("is what Tests/Goldens/rebuild says, from the finding to the rebuild that comes later")
    func golden() throws {
        let folder = try ScratchFolder(samples: "nameless-first", "duplicates")
        let transcript = Transcript(in: folder)
        func run(_ words: String..., expecting code: Int32) throws {
            #expect(try transcript.run(words).code == code, "\(words)")
        }
        try run("verify", Self.store, expecting: 1)
        try run("status", Self.store, expecting: 0)
        try run("show", "A4:C1:38:70:12:DD", Self.store, expecting: 0)
        try run("rebuild", "--in-use", "--dry-run", Self.store, expecting: 1)
        try run("rebuild", "--in-use", "--dry-run", "--only", "A4:C1:38:70:12:DD", Self.store, expecting: 1)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        try run("rebuild", "--in-use", "--expect", "0123456789abcdef", Self.store, expecting: 3)
        try run("verify", Self.store, expecting: 1)
        try run("changes", Self.store, expecting: 0)
        try run("log", "--limit", "2", Self.store, expecting: 0)
        try run("rebuild", "--quiet", Self.store, expecting: 0)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        // A meter that it cannot help.
        try run("rebuild", "--in-use", "duplicates.sqlite", expecting: 2)
        try transcript.compare(with: "rebuild/in-use.txt")
    }
}
