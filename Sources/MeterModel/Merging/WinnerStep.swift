/// A step of the total order of winners; the first one in which two records differ decides.
package enum WinnerStep: String, CaseIterable, Hashable, Sendable {
    /// Most user data.
    case completeness
    /// Latest `updatedAt`.
    case updatedAt
    /// In CloudKit before not in CloudKit.
    case cloudRecord
    /// Smallest CloudKit record name.
    case recordName
    /// Earliest `createdAt`.
    case createdAt
    /// Smallest `id`.
    case id
    /// Smallest row number.
    case row

    static func inOrder(of policy: WinnerPolicy) -> [WinnerStep] {
        switch policy {
        case .mostComplete: mostComplete
        case .newest: newest
        }
    }

    private static let mostComplete: [WinnerStep] = [.completeness, .updatedAt] + rest
    private static let newest: [WinnerStep] = [.updatedAt, .completeness] + rest
    private static let rest: [WinnerStep] = [.cloudRecord, .recordName, .createdAt, .id, .row]
}
