package import CoreDataStore
package import MeterModel

/// A redacted copy that nobody keeps: it goes with the value.
package struct RedactedScratchCopy: Sendable {
    package let report: RedactionReport
    /// What the copy is called: the name of a customer's file may be personal too.
    package let name = "redacted.sqlite"
    private let privateFolder: PrivateFolder

    /// Where the copy is, and nothing else.
    package var folder: String { privateFolder.path }
    package var path: String { "\(folder)/\(name)" }

    /// - Throws: `StoreError`.
    package init(of store: String, now: Timestamp) throws(StoreError) {
        do {
            privateFolder = try PrivateFolder(.temporary)
        } catch {
            throw error.storeError(at: PrivateFolder.temporary)
        }
        report = try Redaction.run(store, to: "\(privateFolder.path)/\(name)", RedactionOptions(now: now))
    }
}
