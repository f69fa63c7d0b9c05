internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The locks of a store as text: which device holds which meter.
struct LocksText {
    private let list: LockList
    private let style: Style
    private let showsAll: Bool
    /// Locks that are shown without `--verbose`.
    private static let most = 40

    init(_ list: LockList, _ style: Style, showsAll: Bool) {
        self.list = list
        self.style = style
        self.showsAll = showsAll
    }

    var lines: [String] {
        let store = Escaped.text(list.store)
        let locks = list.locks
        guard !locks.isEmpty else { return [style.good("\(store): no meter is locked")] }
        let counts = [
            Phrase.count(locks.count, "lock"), "\(locks.count(where: \.isExpired)) expired",
            "\(locks.count(where: \.isTorn)) torn", "\(locks.count(where: \.isClockAhead)) of a clock in the future",
        ]
        var table = TextTable(widest: 40)
        table.add(["meter", "row", "held by", "since", "until", "state"])
        for lock in showsAll ? locks[...] : locks.prefix(Self.most) { table.add(cells(lock), remark: state(lock)) }
        var lines = [style.bold("\(store): \(counts.joined(separator: ", "))")] + table.lines(indent: "  ", style)
        if !showsAll && locks.count > Self.most {
            lines.append("  … and \(locks.count - Self.most) more, see --verbose or --json")
        }
        return lines + ["to clear a meter's lock: meterfix unlock MAC \(ShellWord.quoted(list.store))"]
    }

    private func cells(_ recorded: RecordedLock) -> [String] {
        let mac = recorded.address?.text(in: list.letterCase) ?? Escaped.value(recorded.storedAddress, .text)
        guard case .lock(let lock) = recorded.content else { return [mac, "row \(recorded.row)", "–", "–", "–"] }
        return [
            mac, "row \(recorded.row)", (lock.deviceName ?? lock.deviceID).map { Escaped.text($0) } ?? "–",
            lock.connectedAt?.description ?? "–", lock.expiresAt?.description ?? "–",
        ]
    }

    private func state(_ recorded: RecordedLock) -> String {
        var words: [String]
        switch recorded.content {
        case .malformed(let reason): words = ["connectionMetadata cannot be read: \(Escaped.text(reason))"]
        case .lock(let lock):
            words = [recorded.isExpired ? "expired" : "held"]
            if recorded.isTorn { words.append("torn") }
            if recorded.isClockAhead { words.append("clock in the future") }
            if lock.spelling == .blob { words.append("in connectionMetadata") }
        }
        return words.joined(separator: ", ")
    }
}
