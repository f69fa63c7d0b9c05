internal import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel

/// The document of `explain` in Documentation/json.md: a log, and the store beside it.
package struct ExplainedLog: JSONWritable {
    package let log: MirrorLog
    package let store: StoreOfLog?

    /// What to do, the first thing first.
    package var next: [Sentence] {
        let stops = store?.stops ?? []
        return stops.isEmpty ? log.next : stops
    }

    /// Whether log or store says that something is wrong, or what was not read may say it.
    package var isAmiss: Bool {
        log.cause != nil || log.unread.mayBeLog || store?.warnings.isEmpty == false
    }

    package init(log: MirrorLog, store: StoreOfLog?) {
        self.log = log
        self.store = store
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(
                JSONDocument.head(command: "explain", store: store?.path) + log.members
                    + [.init("next", next.map(\.description))])
            if let store { writer.member("beside", json(store)) }
        }
    }

    private func json(_ store: StoreOfLog) -> JSONValue {
        [
            "sameStore": store.isOf(log), "contradictions": store.contradictions(to: log).map(\.description),
            "events": store.events.map { LastMirrorEvent(event: $0, cure: nil) },
        ]
    }
}

extension MirrorLog {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("lines", lines), .init("recognised", story.recognised), .init("span", span),
            .init("container", story.container), .init("events", Array(events.filter { $0.kind != nil }.map(json))),
            .init("errors", entries.map(Self.json)), .init("cause", cause?.error.fault.id),
        ]
    }

    private var span: JSONValue {
        guard let first = story.first?.iso8601, let last = story.last?.iso8601 else { return .null }
        return ["from": first, "to": last]
    }

    private func json(_ event: MirrorRequest) -> JSONValue {
        [
            "kind": event.kind, "id": event.id, "from": event.from?.iso8601, "to": event.to?.iso8601,
            "outcome": event.outcome?.rawValue, "errors": story.listed(event).map(\.fault.id),
        ]
    }

    private static func json(_ entry: LogEntry) -> JSONValue {
        let (error, fault) = (entry.error, entry.error.fault)
        return [
            "domain": error.domain.isEmpty ? nil : error.domain, "code": error.domain.isEmpty ? nil : error.code,
            "name": fault.name, "count": entry.count, "first": entry.first?.iso8601, "last": entry.last?.iso8601,
            "meaning": fault.meaning, "mirror": fault.whatTheMirrorDoes, "advice": fault.advice, "id": fault.id,
            "overcome": entry.isOvercome,
        ]
    }
}
