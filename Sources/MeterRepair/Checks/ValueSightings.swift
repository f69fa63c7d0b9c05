/// Where values were seen, in 24 bytes a sighting whatever the value is: enough to say which rows may have a value that
/// another owner has too. They are then read again.
struct ValueSightings {
    private var sightings: [Sighting] = []

    private struct Sighting {
        /// Of the value's bytes.
        let hash: UInt64
        let owner: UInt64
        let row: Int64
    }

    mutating func add(_ value: UnsafeRawBufferPointer, of owner: UInt64, row: Int64) {
        var hasher = Hasher()
        hasher.combine(bytes: value)
        sightings.append(
            Sighting(hash: UInt64(truncatingIfNeeded: hasher.finalize()), owner: owner, row: row))
    }

    /// The rows whose value may be that of another owner, in ascending order. Every row with such a value is among them.
    mutating func suspects() -> [Int64] {
        sightings.sort { $0.hash < $1.hash }
        var rows: [Int64] = []
        var start = 0
        while start < sightings.count {
            var end = start + 1
            while end < sightings.count, sightings[end].hash == sightings[start].hash { end += 1 }
            if sightings[start..<end].contains(where: { $0.owner != sightings[start].owner }) {
                rows += sightings[start..<end].map(\.row)
            }
            start = end
        }
        return rows.sorted()
    }
}
