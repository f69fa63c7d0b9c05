import CoreDataStore

/// What CloudKit's mirror knows, and what it has still to do.
func printMirror(of store: StoreSnapshot) throws(StoreError) {
    guard let mirror = try store.mirror() else {
        print("\nnot mirrored")
        return
    }
    print("\nmirror: \(mirror.records.count) records, \(mirror.pending.count) pending; \(text(mirror.token))")
    for record in mirror.records.prefix(2) { print("  \(name(record))") }
    for pending in mirror.pending { print("  to be \(text(pending.kind)): \(name(pending.record))") }
    for work in mirror.work {
        print("  \(work.name): last \(work.lastSuccess.map(text) ?? "never"), failed since: \(work.failures)")
        guard let error = work.lastError else { continue }
        print("    \(error.domain) \(error.code): \(error.meaning); \(error.whatTheMirrorDoes)")
    }
}

private func name(_ record: MirrorState.Record) -> String {
    "\(record.entity ?? "unknown entity") \(record.number), record \(record.recordName ?? "none yet")"
}

private func text(_ token: HistoryToken) -> String {
    switch token {
    case .none: "it has read no history yet"
    case .transaction(let number, exists: true): "it has read the history up to transaction \(number)"
    case .transaction(let number, exists: false): "transaction \(number), up to which it has read, is gone"
    case .otherStore: "its token is another store's"
    case .unreadable: "its token cannot be read"
    }
}
