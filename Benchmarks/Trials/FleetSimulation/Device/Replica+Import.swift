internal import MeterModel

extension Replica {
    /// Who imports, and when, for the log.
    struct ChangeContext {
        let device: Int
        /// Seconds since the beginning.
        let time: Double
    }

    /// Imports what has changed in the zone. A record of a newer version of the app stops the import: the token stays
    /// before it, so that nothing is lost.
    /// - Returns: whether the whole page was imported.
    func take(_ page: CloudZone.Page, on context: ChangeContext, _ journal: inout Journal) -> Bool {
        isWaitingForUpgrade = false
        if olderApps == .stopSync, page.isOfNewerVersion, !unknownFields.isEmpty {
            isWaitingForUpgrade = true
            return false
        }
        for (number, tag, change) in page.changes {
            switch change {
            case .deleted: if tag > deletionsKnownFrom { takeDeletion(of: number, &journal) }
            case .saved(let server):
                guard take(server, as: number, on: context, &journal) else { return false }
            }
            token = tag
        }
        token = page.token
        if !page.moreComing { skippedFields = [] }
        return true
    }

    private func canRead(_ values: [FieldValue]) -> Bool {
        if unknownFields.isEmpty || olderApps.skipsFields { return true }
        return values.indices.allSatisfy { values[$0].isNull || !unknownFields.contains(position: $0) }
    }

    private func takeDeletion(of number: RecordNumber, _ journal: inout Journal) {
        pending[number] = nil
        guard self[number] != nil else { return }
        remove(number)
        journal.note(register.meter(of: number), "receives the deletion of record \(shortName(number))")
    }

    /// Imports the server's version of a record, from the zone's changes or from the answer to an upload.
    /// - Returns: false if it is of a newer version of the app; then nothing is done.
    func take(
        _ server: CloudZone.Record, as number: RecordNumber, on context: ChangeContext, _ journal: inout Journal
    ) -> Bool {
        guard canRead(server.values) else {
            isWaitingForUpgrade = true
            return false
        }
        let server = CloudZone.Record(values: readable(server.values), tag: server.tag)
        merge(server, as: number, on: context, &journal)
        return true
    }

    private func merge(
        _ server: CloudZone.Record, as number: RecordNumber, on context: ChangeContext, _ journal: inout Journal
    ) {
        let meter = register.meter(of: number)
        guard let own = self[number] else {
            // What was deleted on the device stays deleted: the deletion is uploaded.
            if pending[number]?.isDeletion == true { return }
            put(server.values, tag: server.tag, as: number)
            journal.note(meter, "receives record \(shortName(number))")
            return
        }
        // Another device has uploaded it again first.
        if uploadsAgain.remove(number) != nil, own.tag != server.tag { journal.isMirrorReset = true }
        // Its own change, coming back.
        guard own.tag != server.tag else { return fillSkippedFields(of: number, from: server) }
        guard let change = pending[number] else {
            records[number.index]!.values = server.values
            records[number.index]!.tag = server.tag
            journal.note(meter, "receives a change of record \(shortName(number))")
            return
        }
        resolve(own, change, server, number, on: context, &journal)
    }

    /// The app was updated since it fetched this version.
    private func fillSkippedFields(of number: RecordNumber, from server: CloudZone.Record) {
        guard !skippedFields.isEmpty else { return }
        let changed = pending[number]?.unconfirmed ?? []
        for position in server.values.indices
        where skippedFields.contains(position: position) && !changed.contains(position: position) {
            records[number.index]!.values[position] = server.values[position]
        }
    }

    /// The server no longer has the records: they were deleted by another device.
    func takeDeletions(of numbers: [RecordNumber], _ journal: inout Journal) {
        for number in numbers { takeDeletion(of: number, &journal) }
    }

    private func resolve(
        _ own: Record, _ change: PendingChange, _ server: CloudZone.Record, _ number: RecordNumber,
        on context: ChangeContext, _ journal: inout Journal
    ) {
        let (merged, differing) = policy.merged(
            own.values, changed: change.unconfirmed, since: change.base, with: server.values,
            updatedAt: updatedAtPosition)
        log(own.values, server.values, merged, number, on: context, &journal)
        records[number.index]!.values = merged
        records[number.index]!.tag = server.tag
        if differing.isEmpty {
            pending[number] = nil
        } else {
            pending[number]!.fields = differing
            pending[number]!.sent = []
            pending[number]!.base = CommonVersion(values: server.values)
        }
    }

    private func log(
        _ own: [FieldValue], _ server: [FieldValue], _ merged: [FieldValue], _ number: RecordNumber,
        on context: ChangeContext, _ journal: inout Journal
    ) {
        let meter = register.meter(of: number)
        var losing: [String] = []
        for field in SettingsField.userData {
            guard let meter, let position = layout.position(of: field), own[position] != server[position] else {
                continue
            }
            let givenUp = merged[position] == own[position] ? server[position] : own[position]
            journal.userConflicts.append(
                SyncConflict(
                    time: context.time, device: context.device, meter: meter, field: field,
                    kept: merged[position], givenUp: givenUp))
            losing.append("\(field.rawValue) \(givenUp.text ?? "NULL")")
        }
        let outcome = losing.isEmpty ? "" : ", giving up \(losing.joined(separator: ", "))"
        journal.note(meter, "merges two versions of record \(shortName(number)) by \(policy.rawValue)\(outcome)")
    }

    /// Enough of a record's name to distinguish it from the others.
    func shortName(_ number: RecordNumber) -> String { String(register.name(of: number).prefix(8)) }
}
