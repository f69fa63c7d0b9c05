internal import JSON
internal import MeterModel
internal import MeterStore

/// What the changes of a plan have in common, written once in its document.
struct PlanContext {
    let layout: RecordLayout
    /// Of the addresses.
    let letterCase: LetterCase
    /// The records that deletions are merged into, as they are before the plan; by row number.
    var survivors: [Int64: DeviceSettings] = [:]
    /// The records of deletions that the document leaves out, as they are before the plan, by row number; nil where it
    /// may leave none out.
    var saved: [Int64: DeviceSettings]?

    func field(_ node: PlanNode) throws(PlanError) -> RecordLayout.Field {
        let name = try node.text
        guard let position = layout.position(named: name) else { throw node.flaw("the store has no field `\(name)`") }
        return layout.fields[position]
    }

    func record(
        row: Int64, cloudRecord: DeviceSettings.CloudRecord?, _ node: PlanNode
    ) throws(PlanError) -> DeviceSettings {
        let members = try node.members(layout.fields.map(\.name))
        var values: [FieldValue] = []
        for field in layout.fields { values.append(try FieldValue(members[field.name]!, as: field.kind)) }
        return DeviceSettings(row: row, layout: layout, readingBlobsOf: values, cloudRecord: cloudRecord)
    }
}

extension DeviceSettings.CloudRecord {
    init(_ node: PlanNode) throws(PlanError) {
        guard case .object = node.value else {
            self.init(name: try node.text)
            return
        }
        let name = try node.members(["name"])["name"]!
        guard name.isNull else { throw name.flaw("a name stands without an object around it") }
        self.init(name: nil)
    }
}

extension Change {
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        guard let kind = node.value["kind"] else {
            _ = try node.members(["kind"])
            throw node.flaw("`kind` is missing")
        }
        switch kind {
        case "update": self = .update(try Self.update(node, context))
        case "delete": self = .delete(try Self.deletion(node, context))
        case "insert": self = .insert(try Self.insertion(node, context))
        case "schema": self = .schema(try SchemaChange(node))
        case "metadata":
            let members = try node.members(["kind", "key", "before", "after"])
            self = .metadata(
                MetadataChange(
                    key: try members["key"]!.text, before: try members["before"]!.ifPresent(MetadataChange.Value.init),
                    after: try MetadataChange.Value(members["after"]!)))
        default:
            throw PlanNode(kind, at: .member(node.place, "kind")).flaw(
                "`\(kind.string ?? kind.text(pretty: false))` is no kind of change")
        }
    }

    private static func checkEntity(_ node: PlanNode) throws(PlanError) {
        guard try node.text == SettingsTable.entityName else {
            throw node.flaw("records of \(SettingsTable.entityName) are all that a plan changes")
        }
    }

    private static func update(_ node: PlanNode, _ context: PlanContext) throws(PlanError) -> RecordUpdate {
        let members = try node.members(["kind", "entity", "row", "mac", "cloudRecord", "fields"])
        try checkEntity(members["entity"]!)
        return RecordUpdate(
            row: try members["row"]!.row, address: try members["mac"]!.address,
            cloudRecord: try members["cloudRecord"]!.ifPresent { node throws(PlanError) in try node.text },
            fields: try members["fields"]!.map { node throws(PlanError) in try FieldChange(node, context) })
    }

    private static func deletion(_ node: PlanNode, _ context: PlanContext) throws(PlanError) -> RecordDeletion {
        let isWhole = context.saved == nil
        let members = try node.members(
            ["kind", "entity", "row", "mac", "cloudRecord", "mergedInto", "advantage"] + (isWhole ? ["record"] : []),
            optional: isWhole ? [] : ["record"])
        try checkEntity(members["entity"]!)
        let survivor = try members["mergedInto"]!.row
        guard let survivor = context.survivors[survivor] else {
            throw members["mergedInto"]!.flaw("row \(survivor) is not among `survivors`")
        }
        let row = try members["row"]!.row
        let record = try members["record"].map { node throws(PlanError) in
            try context.record(
                row: row, cloudRecord: try members["cloudRecord"]!.ifPresent(DeviceSettings.CloudRecord.init), node)
        }
        guard let record = record ?? context.saved?[row] else {
            throw members["row"]!.flaw("row \(row) is not among the records that were saved")
        }
        return RecordDeletion(
            record: record, address: try members["mac"]!.address, survivor: survivor,
            advantage: try members["advantage"]!.word(WinnerStep.self, "step of the winners' order"))
    }

    private static func insertion(_ node: PlanNode, _ context: PlanContext) throws(PlanError) -> RecordInsertion {
        let members = try node.members(["kind", "entity", "row", "mac", "cloudRecord", "fields"])
        try checkEntity(members["entity"]!)
        guard members["cloudRecord"]!.isNull else {
            throw members["cloudRecord"]!.flaw("CloudKit does not know a new record")
        }
        return RecordInsertion(
            row: try members["row"]!.row, address: try members["mac"]!.address,
            fields: try members["fields"]!.map { node throws(PlanError) in
                // What is written there otherwise would be lost without a word.
                let change = try FieldChange(node, context)
                guard change.before.isNull, !change.after.isNull else {
                    throw node.flaw("a field of a new record was NULL before and has a value after")
                }
                guard change.donor == nil || change.rule == .restored else {
                    throw node.flaw("a new record takes no row's value")
                }
                return change
            })
    }
}

extension FieldChange {
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let members = try node.members(["name", "before", "after", "fromRow", "rule"])
        let field = try context.field(members["name"]!)
        self.init(
            field: field, before: try FieldValue(members["before"]!, as: field.kind),
            after: try FieldValue(members["after"]!, as: field.kind),
            donor: try members["fromRow"]!.ifPresent { node throws(PlanError) in try node.row },
            rule: try members["rule"]!.word(SurvivorshipRule.self, "rule"))
    }
}

extension Conflict {
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let members = try node.members(["mac", "field", "kept", "keptFromRow", "dropped"])
        let field = try context.field(members["field"]!)
        self.init(
            address: try members["mac"]!.address, field: field,
            kept: try FieldValue(members["kept"]!, as: field.kind),
            keptFrom: try members["keptFromRow"]!.ifPresent { node throws(PlanError) in try node.row },
            dropped: try members["dropped"]!.map { node throws(PlanError) in
                let members = try node.members(["value", "row"])
                return Dropped(
                    value: try FieldValue(members["value"]!, as: field.kind),
                    row: try members["row"]!.ifPresent { node throws(PlanError) in try node.row })
            })
    }
}
