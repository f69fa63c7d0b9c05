internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What became of the last setup, import or export, and of a failure what follows and what to do.
enum MirrorEventText {
    static func lines(_ last: LastMirrorEvent, _ times: ShownTimes) -> [Inline] {
        let event = last.event
        let moment = (event.endedAt ?? event.startedAt).map { " \(times.text(Timestamp(secondsSince2001: $0)))" } ?? ""
        let line = "last \(event.kindName)\(moment): "
        guard let error = event.error else {
            let isEnded = event.endedAt != nil
            return ["\(line)\(isEnded ? "succeeded" : "not ended: it is running, or the app ended first")"]
        }
        let next = error.whatTheMirrorDoes
        return [
            "\(line)failed\(error.name.map { " with \($0)" } ?? ""): \(error.meaning)",
            error.deletesRows ?? false ? .tone(.warning, next) : "\(next)",
        ] + (last.cure.map { ["→ \(NextStep.dryRun($0))"] } ?? [])
    }
}
