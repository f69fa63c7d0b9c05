package import JSON
package import MeterModel

extension Timestamp {
    /// ISO 8601 if that is exact, otherwise seconds since 2001.
    package var document: JSONValue {
        exactISO8601.map(JSONValue.string) ?? ["seconds": .string(ExactReal.text(of: secondsSince2001))]
    }
}

extension DeviceSettings.CloudRecord {
    /// Its name; an object for a record that has no name in CloudKit.
    package var document: JSONValue { name.map(JSONValue.string) ?? ["name": .null] }
}
