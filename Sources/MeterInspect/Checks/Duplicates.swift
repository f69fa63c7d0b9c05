internal import GRDB
internal import MeterModel
internal import MeterStore

extension Check {
    package static let duplicateMAC = Check(
        "duplicate-mac", .error, "several records of one meter",
        """
        Two or more records have the same 48-bit address, however it is written. The app finds one of them by chance, \
        so a name or a unit seems to come and go.

        Schema v2 removed the uniqueness constraint, which CloudKit mirroring does not allow. Since then two devices \
        that see a meter for the first time each create a record, and so does a device that was restored.

        The app looks for the exact text of the address and uses the first record it finds, which has the smallest row \
        number (inferred). The finding lists the names and units in which the records differ. If the record that the \
        app finds lacks a name or a unit that another one has, `meterfix rebuild --in-use` fills it at once, even \
        while other devices are in use. It overwrites and deletes nothing: a record with another name keeps it, and \
        only a rebuild decides between them. Row numbers differ between devices, so another device may find another \
        record first.

        Run `meterfix rebuild --dry-run` to see which record is kept and why. When the app is closed on all devices, \
        run `meterfix rebuild`.
        """, .duplicates)
}

extension Session {
    /// The meters with several records, and what the app shows of each, a few thousand at a time.
    var repeatedMeters: Findings.CheckFindings? {
        let check = Check.duplicateMAC
        nonisolated(unsafe) let session = self
        return Findings.CheckFindings(check.id, check.severity, count: store.addresses.groups) { body in
            let (cure, firstAid) = (session.store.repair("rebuild"), session.store.firstAid)
            var meters: [AddressIndex.Meter] = []
            func showMeters() -> Bool {
                defer { meters = [] }
                return session.reading.read {
                    let levels = try session.readableLevels(of: meters)
                    return meters.indices.allSatisfy {
                        body(session.finding(meters[$0], levels?[$0], cure: cure, firstAid: firstAid))
                    }
                }
            }
            for meter in session.store.addresses.metersWithSeveralRecords {
                meters.append(meter)
                if meters.count == 8_192, !showMeters() { return }
            }
            _ = showMeters()
        }
    }

    /// Nil where the records cannot be read, which is a finding itself.
    private func readableLevels(of meters: [AddressIndex.Meter]) throws -> [DisplayStatus]? {
        do {
            return try levels(of: meters, withVersions: true)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return nil
        }
    }

    private func finding(
        _ meter: AddressIndex.Meter, _ level: DisplayStatus?, cure: Cure, firstAid: StoreCommand?
    ) -> Finding {
        let mac = meter.address.text(in: store.letterCase)
        let count: Sentence = "\(meter.rows.count) records of the meter \(value: mac)"
        var finding = Check.duplicateMAC.finding(
            level.map { "\(count); \($0.phrase)" } ?? count, entity: SettingsTable.entityName, rows: meter.rows,
            mac: mac, cure: cure)
        finding.levelled = level?.isLevelled
        finding.firstAid = level?.lacking.isEmpty == false ? firstAid : nil
        return finding
    }
}

/// The owner of a value that no two records may have: no memory is taken for it.
struct EachForItself: Equatable {
    static func == (left: EachForItself, right: EachForItself) -> Bool { false }
}

/// Where values occur, in 16 bytes and the owner for each occurrence, however long the value is: enough to say which rows
/// may have a value that another owner has too. Those rows are then read again.
struct DuplicateCandidates<Owner: Equatable> {
    private var sightings: [Sighting] = []

    private struct Sighting {
        /// Of the value's bytes.
        let hash: UInt64
        let owner: Owner
        let row: Int64
    }

    /// - Parameter count: the expected number; an array that grows by doubling may be twice as large as needed.
    init(expecting count: Int) { sightings.reserveCapacity(count) }

    mutating func add(_ value: UnsafeRawBufferPointer, of owner: Owner, row: Int64) {
        sightings.append(Sighting(hash: Self.hash(value), owner: owner, row: row))
    }

    /// Eight bytes at a time, mixed as in Steele and Vigna's SplitMix64. Values crafted to have the same hash only
    /// cause their rows to be read again.
    private static func hash(_ value: UnsafeRawBufferPointer) -> UInt64 {
        func mixed(_ number: UInt64) -> UInt64 {
            var number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
            return number ^ number >> 31
        }
        var hash = UInt64(value.count)
        var offset = 0
        while offset + 8 <= value.count {
            hash = mixed(hash &+ value.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < value.count {
            rest = rest << 8 | UInt64(value[offset])
            offset += 1
        }
        return mixed(hash &+ rest)
    }

    /// The rows whose value another owner may have too, in ascending order; every row with such a value is among them.
    /// Call once, after `sort`.
    mutating func suspects() -> [Int64] {
        var rows: [Int64] = []
        var start = 0
        while start < sightings.count {
            var end = start + 1
            while end < sightings.count, sightings[end].hash == sightings[start].hash { end += 1 }
            if end - start > 1, sightings[start..<end].contains(where: { $0.owner != sightings[start].owner }) {
                rows += sightings[start..<end].map(\.row)
            }
            start = end
        }
        sightings = []
        return rows.sorted()
    }

    /// Sorts by hash those values that were perhaps seen several times. To sort all of them would take most of the time of a
    /// check.
    mutating func sort() {
        keepRepeated()
        sightings.sort { $0.hash < $1.hash }
    }

    /// Forgets each sighting whose hash begins like no other one's. Of values that are all different at most an eighth stays.
    private mutating func keepRepeated() {
        let bits = max(6, Int.bitWidth - (8 * sightings.count).leadingZeroBitCount)
        var seen = [UInt64](repeating: 0, count: 1 << (bits - 6))
        var repeated = seen
        func place(_ sighting: Sighting) -> (word: Int, bit: UInt64) {
            let place = Int(sighting.hash >> UInt64(64 - bits))
            return (place >> 6, 1 << UInt64(place & 63))
        }
        for sighting in sightings {
            let (word, bit) = place(sighting)
            repeated[word] |= seen[word] & bit
            seen[word] |= bit
        }
        sightings.removeAll { sighting in
            let (word, bit) = place(sighting)
            return repeated[word] & bit == 0
        }
    }
}
