/// One entry of the shelf of samples: files, and what is to be found in them.
package struct Sample: Sendable {
    /// The store's file name without its extension; unique.
    package let name: String
    /// Every file the sample consists of, the store first.
    package let fileNames: [String]
    /// What is wrong and how it came to be, in a sentence or two.
    package let summary: String
    /// The ids of the checks that fire at `FixtureClock.now`, errors, warnings and notes; no other one does.
    package let expectedFindings: Set<String>
    /// The exit code with which a command that writes refuses the file; nil where it can work on it.
    package let refusal: Int32?
    /// Makes the files in a folder.
    package let make: @Sendable (_ folder: String) throws -> Void

    package var storeName: String { fileNames.first ?? name }

    /// A sample made of any bytes.
    init(
        file: String, _ summary: String, expects findings: Set<String> = [], refusal: Int32? = nil,
        contents: @escaping @Sendable () throws -> [UInt8]
    ) {
        self.init(names: [file], summary, expects: findings, refusal: refusal) { folder in
            try FileBytes.write(try contents(), to: folder + "/" + file)
        }
    }

    /// A sample that is a store, changed byte by byte afterwards where `damage` is given. One of v2 that is not mirrored
    /// has the finding that says so, besides those that it is there for.
    init(
        _ name: String, _ summary: String, expects findings: Set<String> = [], refusal: Int32? = nil,
        _ fixture: StoreFixture, damage: (@Sendable (_ path: String) throws -> Void)? = nil
    ) {
        let file = name + ".sqlite"
        let companions = fixture.companion.map { [file + $0] } ?? []
        var findings = findings
        if fixture.version == .v2, fixture.mirror == .none, refusal != 65, !findings.contains("no-device-settings") {
            findings.insert("not-mirrored")
        }
        self.init(names: [file] + companions, summary, expects: findings, refusal: refusal) { folder in
            try fixture.write(to: folder + "/" + file)
            try damage?(folder + "/" + file)
        }
    }

    init(
        names: [String], _ summary: String, expects findings: Set<String>, refusal: Int32?,
        make: @escaping @Sendable (String) throws -> Void
    ) {
        fileNames = names
        let file = names.first ?? ""
        name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        self.summary = summary
        expectedFindings = findings
        self.refusal = refusal
        self.make = make
    }
}
