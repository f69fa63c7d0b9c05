import Foundation
import JSON
import MeterTestSupport
import Testing

/// A store and what `redact` made of it.
struct RedactedCopy: Sendable {
    let store: RedactStore
    /// The store as it was, and `out` with its copy under the same name.
    let folder: ScratchFolder
    let answer: MeterfixProcess.Answer
    /// How the store's files differ from before.
    let trace: [String]

    var originalPath: String { folder.path + "/" + store.file }
    /// From the folder.
    var copy: String { "out/" + store.file }
    var path: String { folder.path + "/" + copy }

    /// - Parameter map: a map to go on with.
    init(of store: RedactStore, continuing map: String? = nil) throws {
        self.store = store
        folder = try ScratchFolder()
        try store.make(folder)
        let before = try folder.snapshot
        try folder.makeFolder("out")
        var words = ["redact", store.file, "out/" + store.file, "--now", SampleSession.now]
        if let map {
            try folder.write(map, to: "map.json")
            words += ["--map", "map.json"]
        }
        answer = try folder.meterfix(arguments: words)
        trace = try folder.snapshot.differences(from: before, withFolder: false).filter {
            !$0.hasPrefix("out") && !$0.hasPrefix("map.json")
        }
    }

    /// A copy of every store, made once.
    static let all: Result<[String: RedactedCopy], any Error> = Result {
        let copies = try ConcurrentResults.of(RedactStore.all) { try RedactedCopy(of: $0) }
        return Dictionary(copies.map { ($0.store.name, $0) }) { $1 }
    }

    static func of(_ store: RedactStore) throws -> RedactedCopy {
        let copy = try #require(try all.get()[store.name])
        // Where names are kept that no model gives, somebody has to read them.
        let code: Int32 =
            [
                "unknown-model", "made-everywhere", "made-schema", "check-foreign-index", "check-foreign-trigger",
                "check-foreign-column",
            ].contains(store.name) ? 2 : 0
        try #require(
            copy.answer.code == code && copy.answer.stdout.contains("give the same answers for both"),
            "\(copy.answer.code): \(copy.answer.stderr)\(copy.answer.stdout.suffix(2_000))")
        return copy
    }
}

extension RedactedCopy {
    /// A map after which everything gets other numbers: a text that is in a copy made with it and in one made without is
    /// there for a reason.
    static var otherNumbers: String {
        let values = ["address", "id", "meter", "device", "text"].map { kind in
            """
            {"kind": "\(kind)", "number": 70707, "original": "nobody's \(kind)", "replacement": "", "place": ""}
            """
        }
        return #"{"command": "redact", "values": ["# + values.joined(separator: ", ") + "]}"
    }
}
