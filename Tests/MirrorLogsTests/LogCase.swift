import CoreDataStore
import Foundation
import JSON
import MeterTestSupport
import Testing

@testable import MirrorLogs

/// A log that was made for these tests, and what there is to say about it: `Tests/Logs`.
struct LogCase: CustomTestStringConvertible {
    let name: String
    let wanted: JSONValue

    var testDescription: String { name }
    var path: String { "\(Self.folder)/\(name)" }

    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Logs"

    static let all: [LogCase] = {
        let bytes = (try? FileBytes.read("\(folder)/expected.json")) ?? []
        guard let document = try? JSONValue(parsing: bytes), case .object(let inputs)? = document["inputs"] else {
            return []
        }
        return inputs.map { LogCase(name: $0.key, wanted: $0.value) }
    }()

    static func named(_ start: String) -> LogCase? { all.first { $0.name.hasPrefix(start) } }

    func bytes() throws -> [UInt8] { try FileBytes.read(path) }
}

/// What an answer says of a log, to be compared.
struct LogSummary: Equatable {
    struct Entry: Equatable {
        let id: String
        let count: Int
        let isOvercome: Bool
    }

    var entries: [Entry]
    var cause: String?
    var container: String?
    /// How many events of each kind ended how: `export failed`.
    var events: [String: Int]

    init(_ log: MirrorLog) {
        entries = log.entries.map { Entry(id: $0.error.fault.id, count: $0.count, isOvercome: $0.isOvercome) }
        cause = log.cause?.error.fault.id
        container = log.story.container
        events = Dictionary(
            log.events.compactMap { event in event.kind.map { ("\($0) \(event.outcome?.rawValue ?? "")", 1) } },
            uniquingKeysWith: +)
    }

    init(wanted: JSONValue) {
        func elements(_ value: JSONValue?) -> [JSONValue] {
            if case .array(let elements)? = value { elements } else { [] }
        }
        func members(_ value: JSONValue?) -> [JSONValue.Member] {
            if case .object(let members)? = value { members } else { [] }
        }
        entries = elements(wanted["errors"]).map { entry in
            Entry(
                id: entry["id"]?.string ?? "", count: Int(entry["count"]?.number ?? 0),
                isOvercome: entry["overcome"] == .bool(true))
        }
        cause = wanted["cause"]?.string
        container = wanted["container"]?.string
        events = Dictionary(
            members(wanted["events"]).flatMap { kind in
                members(kind.value).map { ("\(kind.key) \($0.key)", Int($0.value.number ?? 0)) }
            }, uniquingKeysWith: +)
    }
}
