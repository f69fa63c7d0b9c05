internal import CoreDataStore
package import JSON
internal import MeterJournal
internal import MeterModel

/// The document of `explain` in Documentation/json.md: a log, and the store beside it.
package struct ExplainedLog: JSONWritable {
    let log: MirrorLog
    let store: StoreOfLog?

    package init(log: MirrorLog, store: StoreOfLog?) {
        self.log = log
        self.store = store
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "explain", store: store?.path) + log.members)
            if let store { writer.member("beside", json(store)) }
        }
    }

    private func json(_ store: StoreOfLog) -> JSONValue {
        [
            "sameStore": store.isOf(log).map { .bool($0) } ?? .null,
            "contradictions": .array(store.contradictions(to: log).map { .string($0.description) }),
            "events": .array(store.events.map { LastMirrorEvent(event: $0, cure: nil).json }),
        ]
    }
}

extension MirrorLog {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("lines", JSONValue(lines)),
            .init("recognised", JSONValue(story.recognised)), .init("span", span),
            .init("container", JSONValue(story.container)),
            .init("events", .array(events.filter { $0.kind != nil }.map(json))),
            .init("errors", .array(entries.map(Self.json))), .init("cause", JSONValue(cause?.error.fault.id)),
            .init("next", .array(next.map { .string($0.description) })),
        ]
    }

    private var span: JSONValue {
        guard let first = story.first?.iso8601, let last = story.last?.iso8601 else { return .null }
        return ["from": .string(first), "to": .string(last)]
    }

    private func json(_ event: LogOccasion) -> JSONValue {
        [
            "kind": JSONValue(event.kind), "id": JSONValue(event.id), "from": JSONValue(event.from?.iso8601),
            "to": JSONValue(event.to?.iso8601), "outcome": JSONValue(event.outcome?.rawValue),
            "errors": .array(story.listed(event).map { .string($0.fault.id) }),
        ]
    }

    private static func json(_ entry: LogEntry) -> JSONValue {
        let (error, fault) = (entry.error, entry.error.fault)
        return [
            "domain": error.domain.isEmpty ? .null : .string(error.domain),
            "code": error.domain.isEmpty ? .null : JSONValue(error.code), "name": JSONValue(fault.name),
            "count": JSONValue(entry.count), "first": JSONValue(entry.first?.iso8601),
            "last": JSONValue(entry.last?.iso8601), "meaning": .string(fault.meaning),
            "mirror": .string(fault.whatTheMirrorDoes), "advice": .string(fault.advice), "id": .string(fault.id),
            "overcome": .bool(entry.isOvercome),
        ]
    }
}
