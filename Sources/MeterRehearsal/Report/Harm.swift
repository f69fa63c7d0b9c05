/// What a repair can do to a meter that the same day without it does not.
package enum Harm: Hashable, Sendable, CaseIterable {
    /// Something that the user typed is lost.
    case lost
    /// The meter has no record left.
    case gone
    /// The meter has several records.
    case several

    /// Whether it is worth a comparison with the day without the repair.
    func isPossible(in outcome: Outcome) -> Bool {
        switch self {
        case .lost: !outcome.lost.isEmpty
        case .gone: !outcome.metersWithoutRecord.isEmpty
        case .several: !outcome.severalRecords.isEmpty || outcome.severalRecordsWhenQuiet?.isEmpty == false
        }
    }

    /// The meters it happens to, in ascending order; none if the user deletes everything after the repair.
    /// - Parameters:
    ///   - idle: the same day without the repair.
    ///   - promisesOneRecord: whether every meter was to have one record when the repair had reached every device.
    package func meters(in outcome: Outcome, _ idle: Outcome, promisesOneRecord: Bool) -> [Int] {
        // Several records that were there before the deletion still count.
        if outcome.isDeletedByUserAfterRepair {
            return self == .several && promisesOneRecord ? outcome.severalRecordsWhenQuiet ?? [] : []
        }
        switch self {
        case .lost: return Set(Set(outcome.lost).subtracting(idle.lost).map(\.meter)).sorted()
        case .gone: return outcome.metersWithoutRecord.filter { !idle.metersWithoutRecord.contains($0) }
        case .several:
            let added = outcome.severalRecords.filter { !idle.severalRecords.contains($0) }
            guard promisesOneRecord else { return added }
            return Set(added + (outcome.severalRecordsWhenQuiet ?? outcome.severalRecords)).sorted()
        }
    }
}
