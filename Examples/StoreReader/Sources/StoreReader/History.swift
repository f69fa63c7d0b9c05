import CoreDataStore

/// The last transactions of the persistent history.
func printHistory(of store: StoreSnapshot) throws(StoreError) {
    guard let transactions = try store.transactions(last: 3) else {
        print("\nno history")
        return
    }
    print("\nhistory: the last \(transactions.count) transactions")
    for transaction in transactions {
        let who = [transaction.author, transaction.context, transaction.process, transaction.bundle].compactMap(\.self)
        print("  \(transaction.number) \(transaction.date.map(text) ?? "undated") \(who.joined(separator: ", "))")
        for change in transaction.changes {
            let object = "\(change.entity ?? "unknown entity") \(change.number.map(String.init) ?? "?")"
            let properties = change.properties.map { ": \($0.joined(separator: ", "))" } ?? ""
            print("    \(change.kind.map(text) ?? "changed") \(object)\(properties)")
            for value in change.tombstones { print("      left \"\(value)\"") }
        }
    }
}

/// What the commits in the log changed: values of which the store itself has only the last.
func printPast(of store: StoreSnapshot) throws(StoreError) {
    let commits = try store.past()
    print("\npast: \(commits.count) commits in the log")
    for commit in commits.suffix(2) {
        let transaction = commit.transaction.map { "transaction \($0)" } ?? "no transaction"
        print("  commit \(commit.number), \(transaction), \(commit.date.map(text) ?? "undated")")
        for change in commit.changes.prefix(1) {
            let (before, after) = (change.before?.values ?? [:], change.after?.values ?? [:])
            for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
                print("    \(key): \(before[key].map(text) ?? "none") -> \(after[key].map(text) ?? "none")")
            }
        }
    }
}
