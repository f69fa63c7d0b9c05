/// Which record of a meter is kept.
package enum WinnerPolicy: String, Sendable, CaseIterable {
    /// The most user data first, then the latest `updatedAt`.
    case mostComplete = "most-complete"
    /// The latest `updatedAt` first, then the most user data, as in the app's own code.
    case newest
}
