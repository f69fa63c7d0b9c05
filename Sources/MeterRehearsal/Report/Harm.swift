/// What a repair can do to a meter that the same day without it does not.
enum Harm: CaseIterable {
    /// The meter has no record left.
    case gone
    /// Something that the user typed is lost.
    case lost
    /// The meter has several records.
    case several

    /// Whether it is worth a comparison with the day without the repair.
    func isPossible(in outcome: Outcome) -> Bool {
        switch self {
        case .gone: !outcome.metersWithoutRecord.isEmpty
        case .lost: !outcome.lost.isEmpty
        case .several: !outcome.severalRecords.isEmpty || outcome.severalRecordsWhenQuiet?.isEmpty == false
        }
    }

    /// The meters it happens to.
    /// - Parameter idle: the same day without the repair.
    func meters(in outcome: Outcome, _ idle: Outcome, _ procedure: Procedure) -> [Int] {
        switch self {
        case .gone: return outcome.metersWithoutRecord.filter { !idle.metersWithoutRecord.contains($0) }
        case .lost: return Set(outcome.lost).subtracting(idle.lost).map(\.meter).sorted()
        case .several:
            let added = outcome.severalRecords.filter { !idle.severalRecords.contains($0) }
            guard procedure.promisesOneRecord else { return added }
            return Set(added + (outcome.severalRecordsWhenQuiet ?? outcome.severalRecords)).sorted()
        }
    }
}
