package import CoreDataStore
package import JSON
internal import MeterModel

extension PastState {
    /// Which state it is, as a sentence without a full stop.
    var remark: Sentence {
        let place =
            commit == 0 ? "before the first commit in its -wal" : "after commit \(commit) of \(commitCount) in its -wal"
        guard let transaction else { return "this is the store as it was \(place)" }
        let when: Sentence = time.map { " of \(Timestamp(secondsSince2001: $0))" } ?? ""
        return "this is the store as it was \(place), the last transaction being \(transaction)\(when)"
    }

    package var json: JSONValue {
        [
            "commit": commit, "commits": commitCount, "transaction": transaction,
            "time": time.map(Timestamp.init(secondsSince2001:)),
        ]
    }
}
