internal import CoreDataStore
internal import MeterModel

/// What prevents single records of a store from being written as intended.
package struct RowObstacles {
    package typealias Write = SettingsOperation.Write

    private let settings: SettingsTable
    /// Positions in the layout whose columns would convert some values.
    private let converting: [Int]
    private let fillsNewRows: Bool

    package init(in settings: SettingsTable) {
        self.settings = settings
        converting = settings.convertingPositions
        fillsNewRows = settings.table.columns.contains(where: \.fillsNewRows)
    }

    /// What prevents an update or a delete of a record.
    /// - Parameter writes: by their places in the layout.
    package func ofUpdate(of row: Int64, _ writes: some Sequence<Write>) -> WriteObstacle? {
        row < 1 ? .rowNumber(row, in: settings.table.name) : ofValues(writes)
    }

    /// What prevents a new record.
    /// - Parameter writes: by their places in the layout; the other fields are left empty.
    package func ofInsertion(_ writes: some Sequence<Write>) -> WriteObstacle? {
        if fillsNewRows, let column = settings.unfilledColumn(of: writes.map { settings.layout.fields[$0.position] }) {
            return .unfilled(column, of: settings.table.name)
        }
        return ofValues(writes)
    }

    private func ofValues(_ writes: some Sequence<Write>) -> WriteObstacle? {
        guard !converting.isEmpty else { return nil }
        let lost = writes.first { converting.contains($0.position) && settings.converts($0.value, at: $0.position) }
        return lost.map { .converting(settings.columns[$0.position], of: settings.table.name) }
    }
}
