package import CoreDataStore

/// A step from one version of the app's model to the next, as a value: what becomes of the model. What becomes of the
/// file follows from that. A migration that has shipped never changes again; a test notices.
package struct Migration: Hashable, Sendable {
    /// A stable word.
    package let id: String
    package let summary: String
    /// The version of the model it applies to.
    package let from: Int
    package let to: Int
    package let revisions: [ModelRevision]

    package init(id: String, summary: String, from: Int, to: Int, revisions: [ModelRevision]) {
        self.id = id
        self.summary = summary
        self.from = from
        self.to = to
        self.revisions = revisions
    }

    /// Every migration there is, oldest first; each begins where the one before it ends.
    package static let all: [Migration] = [.v1ToV2]
}
