package import MeterModel

/// How to redact a store.
package struct RedactionOptions: Sendable {
    package var now: Timestamp
    /// The key: made if there is no such file; nil for one that nobody keeps.
    package var keyFile: String?
    /// Where to write who is who; nil for nowhere.
    package var mapFile: String?
    package var keepsDates = false

    package init(now: Timestamp) { self.now = now }
}
