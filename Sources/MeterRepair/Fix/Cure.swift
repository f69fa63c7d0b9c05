/// The cures that `fix` carries out, by the ids of the findings. One more is a case here; the compiler shows where it has
/// to be planned and told of.
package enum Cure: String, CaseIterable, Sendable {
    /// A delete in the history for record metadata whose object is gone. Only by its name, because it deletes records on
    /// all of the user's devices that may be the last copies.
    case mirrorOrphan = "mirror-orphan"

    /// What to say where a store does not need it.
    package var absence: String {
        switch self {
        case .mirrorOrphan: "no CloudKit record metadata is an orphan"
        }
    }
}
