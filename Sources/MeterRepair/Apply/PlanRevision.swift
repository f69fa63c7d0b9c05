internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel

/// What a reviewer made of a plan: which meters were left out, and which values replaced. In nothing else may the file
/// differ from the plan as it is made now.
struct PlanRevision {
    /// A name, a unit or an address that was put in the place of another one.
    struct Replacement {
        /// The line's.
        let subject: PlanSubject
        /// As it was planned.
        let planned: FieldChange
        let value: FieldValue
    }

    private let draft: PlanDraft
    private let document: PlanDocument
    private let store: InspectedStore
    /// In the order of the plan.
    private var leftOut: [PlanSubject] = []
    private var leftOutSubjects: Set<PlanSubject> = []
    private var leftOutRows: Set<Int64> = []
    private(set) var replacements: [Replacement] = []
    /// By row number.
    private var replacedChanges: [Int64: Change] = [:]

    /// - Parameters:
    ///   - draft: the plan as it is made now.
    ///   - document: the plan as it was read.
    ///   - store: for which it was made.
    /// - Throws: `PlanError` for the first line that is not the plan's.
    init(of draft: PlanDraft, by document: PlanDocument, in store: InspectedStore) throws(PlanError) {
        self.draft = draft
        self.document = document
        self.store = store
        try checkContext()
        var (next, missing) = (0, [PlanLine]())
        try draft.forEachLine { line throws(PlanError) in
            if next < document.lines.count, document.lines[next].identity == line.identity {
                try take(document.lines[next], for: line, at: PlanDocument.place(ofLine: next))
                next += 1
            } else if let subject = line.subject {
                leaveOut(subject, line)
            } else {
                missing.append(line)
            }
        }
        guard next == document.lines.count else { throw foreignLine(next) }
        try checkWholeMeters()
        let kept = plan
        for line in missing {
            // Whether a store is marked follows from what is left.
            if case .change(.metadata) = line, case .change(let change) = line, !kept.changes.contains(change) {
                continue
            }
            throw PlanError(
                at: .file,
                "a line of the plan is missing, and it is not of one meter: "
                    + Self.shown(try line.json(draft.context)))
        }
    }

    /// The plan without what was left out, and with what was put in the place of its values.
    var plan: Plan {
        var plan = draft.plan
        guard !leftOut.isEmpty || !replacements.isEmpty else { return plan }
        plan.changes = plan.changes.compactMap { change in
            let line = PlanLine(change)
            if let subject = line.subject, leftOutSubjects.contains(subject) { return nil }
            return line.rows.last.flatMap { replacedChanges[$0] } ?? insertedRow(of: change).flatMap {
                replacedChanges[$0]
            } ?? change
        }
        if !isStillMarked(plan) {
            plan.changes.removeAll { if case .metadata = $0 { true } else { false } }
        }
        plan.conflicts = plan.conflicts.filter { !leftOutSubjects.contains(.meter($0.address)) }.map(revised)
        plan.notes = plan.isEmpty ? [] : plan.notes.filter { !isAboutLeftOut($0) }
        return noted(on: plan)
    }

    private static let leftOutNote = "left out of the edited plan: "
    private static let replacedNote = "replaced in the edited plan: "

    /// Whether a plan says that somebody edited it.
    static func isEdited(_ plan: Plan) -> Bool {
        plan.notes.contains { $0.hasPrefix(leftOutNote) || $0.hasPrefix(replacedNote) }
    }

    /// A plan that also says how it differs from the one that was made.
    func noted(on plan: Plan) -> Plan {
        var plan = plan
        if !leftOut.isEmpty {
            let names = Phrase.start(of: leftOut.map(name(of:)), limit: 10)
            let isUnmarked = !draft.plan.metadataChanges.isEmpty && plan.metadataChanges.isEmpty
            plan.notes.append(
                "\(Self.leftOutNote)\(names)" + (isUnmarked ? "; so the store is not marked as done" : ""))
        }
        if !replacements.isEmpty {
            let values = replacements.map { replacement in
                "\(replacement.planned.field.name) \(replacement.value.shown) instead of "
                    + "\(replacement.planned.after.shown) (\(name(of: replacement.subject)))"
            }
            plan.notes.append("\(Self.replacedNote)\(Phrase.start(of: values, limit: 10))")
        }
        return plan
    }
}

// MARK: - Line by line

extension PlanRevision {
    private func checkContext() throws(PlanError) {
        let (there, now) = (document.manifest.context, draft.context)
        guard there.layout == now.layout else {
            throw PlanError(at: .member(.line(1), "layout"), "the store has other fields")
        }
        guard there.letterCase == now.letterCase else {
            throw PlanError(
                at: .member(.line(1), "letterCase"),
                "`\(there.letterCase.rawValue)` instead of `\(now.letterCase.rawValue)`")
        }
    }

    private mutating func leaveOut(_ subject: PlanSubject, _ line: PlanLine) {
        if leftOutSubjects.insert(subject).inserted { leftOut.append(subject) }
        leftOutRows.formUnion(line.rows)
    }

    private mutating func take(_ edited: PlanLine, for planned: PlanLine, at place: PlanPlace) throws(PlanError) {
        guard edited != planned else { return }
        switch (edited, planned) {
        case (.change(.update(let edited)), .change(.update(let update))):
            guard let fields = try revised(edited.fields, update.fields, of: planned, at: place) else { break }
            replacedChanges[update.row] = .update(
                RecordUpdate(
                    row: update.row, address: update.address, cloudRecord: update.cloudRecord,
                    layout: draft.context.layout, fields: fields))
            guard edited.address == update.address, edited.cloudRecord == update.cloudRecord else { break }
            return
        case (.change(.insert(let edited)), .change(.insert(let insertion))):
            guard let fields = try revised(edited.fields, insertion.fields, of: planned, at: place) else { break }
            replacedChanges[insertion.row] = .insert(
                RecordInsertion(row: insertion.row, address: insertion.address, fields: fields))
            guard edited.address == insertion.address else { break }
            return
        case (.conflict(let edited), .conflict(let conflict)):
            guard edited.kept == revised(conflict).kept, edited.keptFrom == conflict.keptFrom,
                edited.dropped == conflict.dropped
            else { break }
            return
        default: break
        }
        throw try difference(edited, planned, at: place)
    }

    /// The fields with the values that were put into them; nil where they differ in more.
    private mutating func revised(
        _ edited: [FieldChange], _ planned: [FieldChange], of line: PlanLine, at place: PlanPlace
    ) throws(PlanError) -> [FieldChange]? {
        guard edited.count == planned.count, let subject = line.subject else { return nil }
        var fields = planned
        for (index, (edited, planned)) in zip(edited, planned).enumerated() where edited != planned {
            guard edited.field == planned.field, edited.before == planned.before, edited.donor == planned.donor,
                edited.rule == planned.rule, planned.isReplaceable
            else { return nil }
            let place = PlanPlace.member(.element(.member(place, "fields"), index), "after")
            guard edited.after != planned.before else { throw PlanError(at: place, "the same value as before") }
            guard edited.after.isAcceptable(as: planned.field, in: draft.context.letterCase) else {
                throw PlanError(at: place, "not a value that `set` gives `\(planned.field.name)`")
            }
            fields[index] = FieldChange(
                field: planned.field, before: planned.before, after: edited.after, donor: nil, rule: .byHand)
            replacements.append(Replacement(subject: subject, planned: planned, value: edited.after))
        }
        return fields
    }

    /// A conflict with the value that was put in the place of the one that was to be kept, which is given up then.
    private func revised(_ conflict: Conflict) -> Conflict {
        let replacement = replacements.first {
            $0.subject == .meter(conflict.address) && $0.planned.field == conflict.field
        }
        guard let replacement else { return conflict }
        return Conflict(
            address: conflict.address, field: conflict.field, kept: replacement.value, keptFrom: nil,
            dropped: [.init(value: conflict.kept, row: conflict.keptFrom)]
                + conflict.dropped.filter { $0.value != replacement.value })
    }

    /// All lines of a meter are there, or none.
    private func checkWholeMeters() throws(PlanError) {
        guard !leftOut.isEmpty,
            let index = document.lines.firstIndex(where: { $0.subject.map(leftOutSubjects.contains) ?? false }),
            let subject = document.lines[index].subject
        else { return }
        throw PlanError(
            at: PlanDocument.place(ofLine: index),
            "other lines of \(name(of: subject)) are missing: take out all lines of a meter, or none")
    }

    /// What to say of a line that the plan does not have at this place.
    private func foreignLine(_ index: Int) -> PlanError {
        let (line, place) = (document.lines[index], PlanDocument.place(ofLine: index))
        var planned: PlanLine?
        draft.forEachLine { other in
            if planned == nil, other.isLike(line),
                !document.lines[..<index].contains(where: { $0.identity == other.identity })
            {
                planned = other
            }
        }
        let other = planned.flatMap { try? difference(line, $0, at: place) }
        return other ?? PlanError(at: place, "the plan has no such line, or has it at another place")
    }

    private func difference(
        _ edited: PlanLine, _ planned: PlanLine, at place: PlanPlace
    ) throws(PlanError) -> PlanError {
        let context = draft.context
        return Self.difference(try edited.json(context), try planned.json(context), at: place)
            ?? PlanError(at: place, "not the line of the plan")
    }

    /// The first place at which two values differ.
    private static func difference(_ edited: JSONValue, _ planned: JSONValue, at place: PlanPlace) -> PlanError? {
        guard edited != planned else { return nil }
        switch (edited, planned) {
        case (.object(let members), .object(let others)) where members.map(\.key) == others.map(\.key):
            return zip(members, others).lazy.compactMap { member, other in
                difference(member.value, other.value, at: .member(place, member.key))
            }.first
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            return zip(elements, others).enumerated().lazy.compactMap { index, pair in
                difference(pair.0, pair.1, at: .element(place, index))
            }.first
        default: return PlanError(at: place, "\(shown(edited)) instead of \(shown(planned))")
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.text(pretty: false)
        return text.count <= 80 ? text : text.prefix(79) + "…"
    }
}

// MARK: - What follows

extension PlanRevision {
    /// A rebuild marks a store that needs none any more; an import one into which something was imported.
    private func isStillMarked(_ plan: Plan) -> Bool {
        switch document.command {
        case .rebuild: leftOut.isEmpty
        case .importKV: plan.changesRecords
        case .migrate, .unlock, .set, .fix, .delete, .apply, .restoreRecord: true
        }
    }

    private func insertedRow(of change: Change) -> Int64? {
        if case .insert(let insertion) = change { insertion.row } else { nil }
    }

    private func isAboutLeftOut(_ note: String) -> Bool {
        leftOut.contains {
            if case .meter(let address) = $0 {
                note.contains(address.text(in: draft.context.letterCase))
            } else {
                false
            }
        }
            || leftOutRows.contains { note.hasPrefix("row \($0):") }
    }

    private func name(of subject: PlanSubject) -> String {
        switch subject {
        case .meter(let address): address.text(in: draft.context.letterCase)
        case .row(let row): "row \(row)"
        case .gone(let object): "row \(object.row) of \(store.entityName(object.entityNumber))"
        }
    }
}

extension FieldChange {
    /// Whether a reviewer may put another value in the place of the planned one: what `set` changes.
    fileprivate var isReplaceable: Bool {
        field.known?.settable != nil || field.known == .macAddress && rule == .byHand
    }
}

extension FieldValue {
    /// Whether `set` gives a field this value: a name without white space around it; a unit the app knows; the address of
    /// a meter, as the app writes it.
    fileprivate func isAcceptable(as field: RecordLayout.Field, in letterCase: LetterCase) -> Bool {
        guard let text else { return false }
        switch field.known?.settable {
        case .name: return !isEmpty && WhiteSpace.trimmed(text) == text && !text.utf8.contains(0)
        case .unit: return TemperatureUnit(rawValue: text) != nil
        case nil:
            guard field.known == .macAddress, let (address, _) = MACAddress.parse(text) else { return false }
            return !address.isPlaceholder && text == address.text(in: letterCase)
        }
    }
}

extension SetPlanner {
    /// The same with other values.
    func setting(_ replacements: [PlanRevision.Replacement]) -> SetPlanner {
        func value(_ field: SettingsField) -> String? {
            replacements.first { $0.planned.field.known == field }?.value.text
        }
        return SetPlanner(
            named, name: value(.meterName) ?? name,
            unit: value(.tc66TemperatureUnit).flatMap(TemperatureUnit.init(rawValue:)) ?? unit,
            address: value(.macAddress).flatMap(MACAddress.parse)?.0 ?? address)
    }
}
