/// What first aid does to the store.
extension FirstAid {
    /// The update of the record that the app finds first; nil where it stays as it is.
    package var update: RecordUpdate? {
        guard let found, !changes.isEmpty else { return nil }
        return RecordUpdate(
            row: found.row, address: address, cloudRecord: found.cloudRecord?.name, layout: found.layout,
            fields: changes)
    }
}
