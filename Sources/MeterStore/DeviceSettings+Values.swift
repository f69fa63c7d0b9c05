package import MeterModel

extension DeviceSettings {
    /// A record of these values, its lock and discovery read from them.
    package init(row: Int64, layout: RecordLayout, readingBlobsOf values: [FieldValue], cloudRecord: CloudRecord?) {
        func value(_ field: SettingsField) -> FieldValue { layout.position(of: field).map { values[$0] } ?? .null }
        self.init(
            row: row, layout: layout, values: values, cloudRecord: cloudRecord,
            lockBlob: MetadataBlob.lock(value(.connectionMetadata)),
            discoveryBlob: MetadataBlob.discovery(value(.discoveryMetadata)))
    }
}
