package import MeterModel

/// Two conflicting versions of a record: a device had changed it, and the server had another version. Logged if they
/// differ in what a user types or chooses; the others are only counted.
package struct SyncConflict: Sendable {
    /// Seconds since the beginning.
    package let time: Double
    package let device: Int
    package let meter: Int
    package let field: SettingsField
    package let kept: FieldValue
    package let givenUp: FieldValue
}
