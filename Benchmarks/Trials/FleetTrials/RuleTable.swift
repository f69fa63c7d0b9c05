internal import FleetSimulation
internal import MeterModel

/// In how many random fleets first aid on one device in use would lose something typed, by the rule that says what it
/// fills in, and in how many it would fill in anything.
package struct RuleTable: Sendable {
    private let lost: CountTable
    private let filled: CountTable

    /// - Parameter fleets: how many; their seeds are the numbers from 0 on.
    package init(fleets: UInt64) async {
        let rows = Rule.allCases.map(\.rawValue)
        let title = "rules for first aid on one device, in use: something typed was lost"
        let empty = [CountTable(title, rows: rows), CountTable("filled", rows: rows)]
        let tables = await CountTable.count(fleets: fleets, empty) { fleet, policy, tables in
            let idle = fleet.outcome(of: fleet.schedule(.inUse), policy)
            for rule in Rule.allCases {
                let trial = Trial(.firstAid, isTogether: false, .inUse)
                let harm = FleetHarm(trial, fleet, policy, rule.rule, idle: idle)
                if !harm.meters(.lost).isEmpty { tables[0].add(fleet, to: rule.rawValue, policy) }
                if harm.outcome.repairedRecords > 0 { tables[1].add(fleet, to: rule.rawValue, policy) }
            }
        }
        (lost, filled) = (tables[0], tables[1])
    }

    /// In Markdown.
    package var text: String {
        lost.text { "\($0) (fills in \(filled.seeds($0, .ofTheApp).count))" }
    }
}

/// What is built, and what was not, for the table shows it to be worse.
private enum Rule: String, CaseIterable {
    case built = "name and unit of the record that the app finds first"
    case stamped = "the same with a new `updatedAt`"
    case withModelType = "the same and the model type"
    case everyRecord = "name and unit of every record"
    case winner = "name and unit of the record that a rebuild would keep"
    case nothingWaits = "as the first, only if nothing is pending"
    case unchangedForADay = "as the first, only if no record of the meter has changed for a day"
    case notUploaded = "as the first, only in a record that CloudKit does not have"

    var rule: FirstAidRule {
        switch self {
        case .built: .built
        case .stamped: FirstAidRule(stamps: true) { $0.found }
        case .withModelType:
            FirstAidRule { $0.fills(SettingsField.typed + [.modelType], of: $0.aid.found.map { [$0] } ?? []) }
        case .everyRecord: FirstAidRule { $0.fills(SettingsField.typed, of: $0.records) }
        case .winner:
            FirstAidRule { group in
                let winner = group.records.map { WinnerKey($0, policy: .mostComplete) }.min()!.record
                return group.fills(SettingsField.typed, of: [winner])
            }
        case .nothingWaits: FirstAidRule { $0.nothingWaits ? $0.found : [] }
        case .unchangedForADay: FirstAidRule { $0.isUnchangedForADay ? $0.found : [] }
        case .notUploaded: FirstAidRule { $0.found.filter { $0.record.cloudRecord == nil } }
        }
    }
}

extension FirstAidRule.Group {
    /// The newest values of other records for the empty fields of some.
    fileprivate func fills(_ fields: [SettingsField], of some: [DeviceSettings]) -> FirstAidRule.Fills {
        some.map { record in
            let empty = fields.filter(record.isEmpty)
            return (
                record,
                empty.compactMap { field in FirstAid.donor(of: field, among: records).map { (field, $0[field]) } }
            )
        }
    }
}
