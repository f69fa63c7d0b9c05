internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What `status` and `sync` both say of CloudKit's mirror.
enum MirrorText {
    /// How far the mirror has read the history.
    /// - Parameter last: the number of the last transaction.
    static func token(_ token: HistoryToken, last: Int64?) -> Inline {
        let end = last.map { "the history goes up to \($0)" } ?? "the history is empty"
        switch token {
        case .none: return "none yet; \(end)"
        case .transaction(let number, exists: true): return "has read the history up to transaction \(number); \(end)"
        case .transaction(let number, exists: false):
            return .tone(.error, "lost: transaction \(number) is not there; \(end)")
        case .otherStore: return .tone(.error, "of another store; \(end)")
        case .unreadable: return .tone(.error, "cannot be decoded; \(end)")
        }
    }
}
