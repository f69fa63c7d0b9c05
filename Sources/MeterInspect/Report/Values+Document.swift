package import JSON
package import MeterModel

extension Timestamp {
    /// ISO 8601 where that says it exactly, otherwise seconds since 2001.
    package var document: JSONValue {
        exactISO8601.map(JSONValue.string) ?? ["seconds": .string(ExactReal.text(of: secondsSince2001))]
    }
}

extension DeviceSettings.CloudRecord {
    /// Its name; an object for a record that CloudKit knows under no name.
    package var document: JSONValue { name.map(JSONValue.string) ?? ["name": .null] }
}
