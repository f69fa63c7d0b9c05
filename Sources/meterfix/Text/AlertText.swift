internal import Answer
internal import MeterInspect
internal import MeterModel

extension KnownAccounts {
    /// Of several stores, that they belong to different accounts.
    /// - Parameter stores: what they are called, in their order.
    func blocks(of stores: [String]) -> [Block] { warning(stores).map { [.note(.warning, "\($0)")] } ?? [] }
}

extension StoreAlert {
    /// Checks whose findings are said before anything else.
    static let checks: Set = [
        Check.deleteStorm.id, Check.mirrorDeletesHere.id, Check.mirrorTokenLost.id, Check.massDelete.id,
        Check.recoveredStore.id, Check.walMissing.id,
    ]
}

extension [StoreAlert] {
    /// What an answer about a store says before anything else.
    /// - Parameter name: what the store is called where the answer is about several; nil where it is about one.
    func blocks(of name: String? = nil, _ times: ShownTimes) -> [Block] {
        let start = name.map { "\($0): " } ?? ""
        return flatMap { alert -> [Block] in
            switch alert {
            case .past(let remark): [.note(.note, "\(start)\(times.sentence(remark))")]
            case .storm(let finding), .deletion(let finding), .vanished(let finding), .recovered(let finding),
                .damaged(let finding):
                [
                    .note(Tone(finding.severity), "\(start)\(times.sentence(finding.message))"),
                    .list([NextStep.text(finding.cure)], marker: .arrow),
                ]
            case .missingLog(let finding): [.note(.warning, "\(start)\(finding.message); \(finding.cure)")]
            case .otherNames(let remark): [.note(.warning, "\(start)\(remark)")]
            }
        }
    }
}
