internal import Answer
internal import MeterInspect
internal import MeterModel

/// The locks of a store: which device holds which meter.
extension LockList {
    func blocks(_ times: ShownTimes) -> [Block] {
        let start = alerts.blocks(times)
        guard !locks.isEmpty else { return start + [.heading(.tone(.good, "\(store): no meter is locked"))] }
        let counts = [
            Phrase.count(locks.count, "lock"), "\(locks.count(where: \.isExpired)) expired",
            "\(locks.count(where: \.isTorn)) torn", "\(locks.count(where: \.isClockAhead)) with a clock in the future",
        ]
        let shown = ShownPart(of: locks, most: 40, showsAll: times.showsAll)
        let table = Block.Table(
            ["meter", "row", "held by", "since", "until", "state"], widest: 40,
            rows: shown.elements.map { cells($0, times) + [.remark(state($0))] })
        return start + [.heading("\(store): \(counts.joined(separator: ", "))"), .table(table)] + shown.remark + [
            "to clear a lock: \(NextStep.text(clearing))"
        ]
    }

    private func cells(_ recorded: RecordedLock, _ times: ShownTimes) -> [Block.Cell] {
        let meter = Block.Cell.meter(
            recorded.address?.text(in: letterCase) ?? FieldText.value(recorded.storedAddress), recorded.name)
        let start = [meter, "row \(recorded.row)"]
        guard let lock = recorded.lock else { return start + ["–", "–", "–"] }
        return start + [.text(lock.holder ?? "–"), times.cell(lock.connectedAt), times.cell(lock.expiresAt)]
    }

    private func state(_ recorded: RecordedLock) -> String {
        guard let lock = recorded.lock else {
            return "connectionMetadata cannot be read: \(recorded.malformation ?? "")"
        }
        var words = [recorded.isExpired ? "expired" : "held"]
        if recorded.isTorn { words.append("torn") }
        if recorded.isClockAhead { words.append("clock in the future") }
        if lock.encoding == .blob { words.append("in connectionMetadata") }
        return words.joined(separator: ", ")
    }
}
