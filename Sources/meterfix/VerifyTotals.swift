internal import Answer
internal import MeterInspect
internal import MeterModel

/// What several stores come to.
struct VerifyTotals {
    private var stores = 0
    private var failed = 0
    /// Stores by the worst of their findings; nil for those without any.
    private var worst: [Severity?: Int] = [:]
    /// In how many stores each check fired.
    private var ids: [String: Int] = [:]
    /// Checks that are named.
    private static let most = 5

    mutating func add(_ store: VerifiedStore) {
        stores += 1
        guard store.error == nil else {
            failed += 1
            return
        }
        worst[store.worst, default: 0] += 1
        for id in store.ids { ids[id, default: 0] += 1 }
    }

    var blocks: [Block] {
        var list = Block.Table()
        for (id, count) in frequent { list.add([.code(id), .text("in \(Phrase.count(count, "store"))")]) }
        let rest = ids.count - list.rows.count
        let checks: [Block] =
            list.rows.isEmpty
            ? [] : [.table(list)] + (rest > 0 ? [.remark("… and \(Phrase.count(rest, "other check"))")] : [])
        return [.heading("\(Phrase.count(stores, "store")): \(counts)")] + checks + [
            .paragraph("for many stores, several hosts, and one table of all findings: \(.code("Scripts/fleet"))")
        ]
    }

    /// Every store counts once, by the worst that was found in it.
    private var counts: String {
        func number(_ severity: Severity?) -> Int { worst[severity, default: 0] }
        var parts = ["\(number(nil)) clean"]
        for (severity, words) in [
            (Severity.error, "with errors"), (.warning, "with warnings"), (.note, "with notes only"),
        ]
        where number(severity) > 0 {
            parts.append("\(number(severity)) \(words)")
        }
        if failed > 0 { parts.append("\(failed) not verified") }
        return parts.joined(separator: ", ")
    }

    /// The checks that fired in most stores; of several with one count those that are worse, then by their ids.
    private var frequent: ArraySlice<(id: String, count: Int)> {
        let severities = Dictionary(
            CheckCatalogue.descriptions.map { ($0.id, $0.severity) }, uniquingKeysWith: { first, _ in first })
        func severity(_ id: String) -> Severity { severities[id] ?? .note }
        return ids.map { (id: $0.key, count: $0.value) }.sorted { left, right in
            if left.count != right.count { return left.count > right.count }
            if severity(left.id) != severity(right.id) { return severity(left.id) > severity(right.id) }
            return left.id < right.id
        }.prefix(Self.most)
    }
}
