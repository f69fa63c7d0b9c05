internal import CoreDataStore
internal import MeterModel

/// What the app did with single records on this device, as far as the history tells; gathered transaction by
/// transaction.
struct AppBehaviour: Sendable {
    /// Sightings of one meter that were all saved: so many, between two moments in seconds since 2001.
    typealias Flood = (row: Int64, count: Int, first: Double, last: Double)

    /// A field of a record that never changes and was changed, in seconds since 2001; nil where the history does not say.
    typealias IdentityChange = (row: Int64, field: SettingsField, time: Double?)

    /// In the order in which they began.
    private(set) var floods: [Flood] = []
    /// In the order of the history.
    private(set) var identityChanges: [IdentityChange] = []
    /// When the user's values of a record were changed last without its `updatedAt`, in seconds since 2001, by row.
    private(set) var unstamped: [Int64: Double] = [:]

    /// The last sightings of a meter that were saved, at most two, with no disconnect between them, and the place of the
    /// flood that they belong to.
    private var sightings: [Int64: (times: [Double], flood: Int?)] = [:]

    /// As many sightings within `span` are a flood; the app saves one in this time.
    private static let many = 3
    private static let span: Double = 120

    /// - Parameters:
    ///   - saved: of the transaction after all that were added before.
    ///   - records: how many the store has.
    mutating func add(_ saved: SavedRecords, records: Int) {
        for row in saved.deleted {
            sightings[row] = nil
            unstamped[row] = nil
        }
        let isOfTheApp = saved.isOfTheApp
        for (row, fields) in saved.updated {
            if fields.contains(.updatedAt) {
                unstamped[row] = nil
            } else if isOfTheApp, fields.contains(.userData), let time = saved.save.time {
                unstamped[row] = time
            }
            guard isOfTheApp else { continue }
            if fields.contains(.holder) {
                sightings[row] = nil
            } else if fields.contains(.discovery), let time = saved.save.time {
                see(row, at: time)
            }
        }
        guard isOfTheApp else { return }
        for (touched, field) in [(TouchedFields.id, SettingsField.id), (.createdAt, .createdAt)] {
            let rows = saved.updated.filter { $0.fields.contains(touched) }.map(\.row)
            // A version of the app that fills in what was missing does it with most records at once.
            guard rows.count == 1 || rows.count * 2 <= records else { continue }
            identityChanges += rows.map { ($0, field, saved.save.time) }
        }
    }

    private mutating func see(_ row: Int64, at time: Double) {
        guard var known = sightings[row] else {
            sightings[row] = ([time], nil)
            return
        }
        let first = known.times[0]
        known.times.append(time)
        if known.times.count >= Self.many, (0...Self.span).contains(time - first) {
            if let flood = known.flood {
                floods[flood].count += 1
                floods[flood].last = time
            } else {
                known.flood = floods.count
                floods.append((row, Self.many, first, time))
            }
        } else if known.times.count >= Self.many {
            known.flood = nil
        }
        known.times = Array(known.times.suffix(Self.many - 1))
        sightings[row] = known
    }
}
