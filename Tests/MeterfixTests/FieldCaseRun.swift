import JSON
import MeterTestSupport

/// The files of a field case, and the program's answers about them by the clock of the cases.
struct FieldCaseRun {
    let copy: FieldCases.Copy
    let folder: ScratchFolder

    init(_ name: String) throws {
        copy = try FieldCases.Copy(of: name)
        folder = try ScratchFolder()
    }

    func run(_ words: [String]) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: words + ["--now", FieldCases.now])
    }

    func run(_ words: String...) throws -> MeterfixProcess.Answer { try run(words) }

    func json(_ words: String..., file: String = "CKModel.sqlite") throws -> JSONValue {
        try json(words, file)
    }

    private func json(_ words: [String], _ file: String) throws -> JSONValue {
        try run(words + ["--json", copy.path(file)]).json
    }

    /// What `verify` finds, as `severity id`.
    func findings(_ options: String..., file: String = "CKModel.sqlite") throws -> [String] {
        try (json(["verify"] + options, file)["findings"]?.elements ?? []).map {
            "\($0["severity"]?.string ?? "") \($0["id"]?.string ?? "")"
        }
    }
}
