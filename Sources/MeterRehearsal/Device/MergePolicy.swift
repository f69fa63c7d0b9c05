/// What a device does when a record comes from CloudKit that it has changed itself and not uploaded yet. The app's
/// documentation names the first three in different places. A record without such a change always takes the server's
/// version, and a record that was deleted on the server goes, whatever the policy (inferred, not confirmed on a device).
package enum MergePolicy: String, Sendable, CaseIterable {
    /// The server's version wins; the change made here is given up.
    case storeTrump = "store-trump"
    /// The version here wins, whole, and is uploaded over the server's.
    case objectTrump = "object-trump"
    /// The version with the later `updatedAt` wins, whole; the server's if they are equal.
    case lastWriteWins = "last-write-wins"
    /// Fields changed here and not uploaded yet stay; all others take the server's values.
    case fieldwise
}
