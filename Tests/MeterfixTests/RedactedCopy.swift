import Foundation
import JSON
import MeterTestSupport
import Testing

/// A store and what `redact` made of it.
struct RedactedCopy: Sendable {
    enum Manner: Hashable, Sendable {
        /// With the key that all tests share.
        case shared
        case keepingDates
        /// With another key: a text that is in both copies is there for a reason.
        case otherKey
        case withoutKey
    }

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

    init(of store: RedactStore, _ manner: Manner = .shared) throws {
        self.store = store
        folder = try ScratchFolder()
        try store.make(folder)
        let before = try folder.snapshot
        try folder.makeFolder("out")
        var words = ["redact", store.file, "out/" + store.file, "--now", SampleSession.now]
        switch manner {
        case .shared: words += ["--key", try RedactKeys.shared.get()]
        case .keepingDates: words += ["--keep-dates", "--key", try RedactKeys.shared.get()]
        case .otherKey: words += ["--key", try RedactKeys.other.get()]
        case .withoutKey: break
        }
        answer = try folder.meterfix(arguments: words)
        trace = try folder.snapshot.differences(from: before, withFolder: false).filter { !$0.hasPrefix("out") }
    }

    /// A copy of every store, made with the shared key, once.
    static let all: Result<[String: RedactedCopy], any Error> = Result {
        let stores = RedactStore.all
        let box = Box()
        DispatchQueue.concurrentPerform(iterations: stores.count) { index in
            box.add(Result { try RedactedCopy(of: stores[index]) })
        }
        return try box.copies()
    }

    static func of(_ store: RedactStore) throws -> RedactedCopy {
        let copy = try #require(try all.get()[store.name])
        try #require(
            copy.answer.code == 0, "\(copy.answer.code): \(copy.answer.stderr)\(copy.answer.stdout.suffix(2_000))")
        return copy
    }

    private final class Box: @unchecked Sendable {
        private let lock = NSLock()
        private var results: [Result<RedactedCopy, any Error>] = []

        func add(_ result: Result<RedactedCopy, any Error>) { lock.withLock { results.append(result) } }

        func copies() throws -> [String: RedactedCopy] {
            try lock.withLock {
                var copies: [String: RedactedCopy] = [:]
                for result in results {
                    let copy = try result.get()
                    copies[copy.store.name] = copy
                }
                return copies
            }
        }
    }
}

/// Keys of the tests: always the same, so that what fails can be tried again.
enum RedactKeys {
    static let shared = Result { try write("shared", "5eed") }
    static let other = Result { try write("other", "0dd5") }

    private static let folder = Result { try ScratchFolder() }

    private static func write(_ name: String, _ digits: String) throws -> String {
        let folder = try folder.get()
        try folder.write(
            "meterfix redaction key 1\n\(String(repeating: digits, count: 16))\n", to: "\(name).key")
        return "\(folder.path)/\(name).key"
    }
}
