internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What several stores come to. However many there are, no more is kept of them than is shown.
struct VerifyTotals {
    /// A check, and where it fired.
    private struct Check {
        let id: String
        var severity: Severity
        var stores = 0
        var findings = 0
        /// The store in which it has the most findings.
        var worst = ""
        var most = 0
    }

    private var stores = 0
    private var failed = 0
    private var failures: [(path: String, message: String)] = []
    private var alerted = 0
    private var alerts: [(path: String, message: String)] = []
    /// Stores by the worst of their findings; nil for those without any.
    private var worst: [Severity?: Int] = [:]
    private var checks: [String: Check] = [:]
    /// With their errors, warnings and notes.
    private var worstStores: [(path: String, counts: [Int], records: Int)] = []
    /// Stores that are named in a list.
    private static let most = 10
    private static let severities = [Severity.error, .warning, .note]

    mutating func add(_ store: VerifiedStore) {
        stores += 1
        if let error = store.error {
            failed += 1
            if failures.count < Self.most { failures.append((store.path, error.message)) }
            return
        }
        if let alert = store.alert {
            alerted += 1
            if alerts.count < Self.most { alerts.append((store.path, alert)) }
        }
        let severities = store.findings.map(\.severity) + (store.alert == nil ? [] : [.warning])
        worst[severities.max(), default: 0] += 1
        for found in store.findings {
            var check = checks[found.id] ?? Check(id: found.id, severity: found.severity)
            check.severity = max(check.severity, found.severity)
            check.stores += 1
            check.findings += found.count
            if found.count > check.most { (check.worst, check.most) = (store.path, found.count) }
            checks[found.id] = check
        }
        let counts = Self.severities.map { severity in
            store.findings.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
        }
        guard counts[0] + counts[1] > 0 else { return }
        let place = worstStores.firstIndex { $0.counts.lexicographicallyPrecedes(counts) } ?? worstStores.endIndex
        worstStores.insert((store.path, counts, store.records), at: place)
        if worstStores.count > Self.most { worstStores.removeLast() }
    }

    var blocks: [Block] {
        var blocks: [Block] = [.heading("\(Phrase.count(stores, "store")): \(counts)")]
        if alerted > 0 {
            let rest = alerted - alerts.count
            blocks.append(
                .group(
                    alerts.map { .note(.warning, "\($0.path): \($0.message)") }
                        + (rest > 0 ? [.remark("… and \(Phrase.count(rest, "other store"))")] : [])))
        }
        if !checks.isEmpty { blocks.append(.table(tableOfChecks)) }
        if !worstStores.isEmpty { blocks.append(.section("the worst stores", [.table(tableOfStores)])) }
        if failed > 0 {
            let rest = failed - failures.count
            blocks.append(
                .section(
                    "not verified",
                    [.list(failures.map { "\(.code(ShellWord.quoted($0.path)))  \($0.message)" })]
                        + (rest > 0 ? [.remark("… and \(Phrase.count(rest, "other store"))")] : [])))
        }
        return blocks + [.list(next, marker: .arrow)]
    }

    /// Every store counts once, by the worst that was found in it.
    private var counts: String {
        func number(_ severity: Severity?) -> Int { worst[severity, default: 0] }
        var parts = ["\(number(nil)) clean"]
        for (severity, words) in [
            (Severity.error, "with errors"), (.warning, "with warnings"), (.note, "with notes only"),
        ]
        where number(severity) > 0 { parts.append("\(number(severity)) \(words)") }
        if failed > 0 { parts.append("\(failed) not verified") }
        return parts.joined(separator: ", ")
    }

    /// The worse ones first; of one severity those that fired in more stores, then by their ids.
    private var sortedChecks: [Check] {
        checks.values.sorted { left, right in
            if left.severity != right.severity { return left.severity > right.severity }
            return left.stores != right.stores ? left.stores > right.stores : left.id < right.id
        }
    }

    private var tableOfChecks: Block.Table {
        Block.Table(
            ["", "check", .number("stores"), .number("findings"), "most in"],
            rows: sortedChecks.map {
                [
                    "\($0.severity.rawValue)", .code($0.id), .number("\($0.stores)"), .number("\($0.findings)"),
                    .code($0.worst),
                ]
            })
    }

    private var tableOfStores: Block.Table {
        Block.Table(
            ["store", .number("errors"), .number("warnings"), .number("notes"), .number("records")],
            rows: worstStores.map { store in
                [.code(store.path)] + store.counts.map { .number("\($0)") } + [.number("\(store.records)")]
            })
    }

    private var next: [Inline] {
        var next: [Inline] = []
        if let store = worstStores.first { next.append("all about one store: \(.command("verify", on: store.path))") }
        if let check = sortedChecks.first {
            next.append("the stores with a finding: \(.code("meterfix verify --with \(check.id) STORE …"))")
        }
        return next + ["for many stores, several hosts, and one table of all findings: \(.code("Scripts/fleet"))"]
    }
}
