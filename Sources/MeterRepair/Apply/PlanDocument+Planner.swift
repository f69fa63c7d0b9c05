internal import CoreDataStore
internal import MeterInspect
package import MeterModel

extension PlanDocument {
    /// The planner that made the plan, with the options that decided it and what it was made of.
    /// - Parameter model: the app's own, where the user names it.
    /// - Throws: `PlanError` where no command plans by such options.
    func planner(model: ModelFile?) throws(PlanError) -> any Planner {
        let planner: any Planner
        switch command {
        case .rebuild where has(.inUse): planner = FirstAidPlanner()
        case .rebuild:
            planner = RebuildPlanner(policy: try word("winner"), choosing: ChosenValues(manifest.options))
        case .importKV:
            planner = ImportPlanner(
                LegacyValues(entries), sha256: try value("dump"), policy: try word("onConflict"))
        case .migrate:
            guard option(MigrationPlanner.modelKey) == nil || model != nil else {
                throw flaw(
                    "the plan was made with a model, which is in no plan", hint: "name it again: apply --model MODEL")
            }
            planner = MigrationPlanner(model: migrationModel(model), restoresMetadata: has(.restoreMetadata))
        case .unlock:
            let device = option(UnlockPlanner.deviceKey)
            let subject: UnlockPlanner.Subject = if let device { .heldBy(device) } else { .meter(try address("mac")) }
            planner = UnlockPlanner(subject, force: has(.force))
        case .set:
            let unit: TemperatureUnit? = if option("unit") != nil { try word("unit") } else { nil }
            planner = SetPlanner(
                try option("row") != nil ? .row(row) : .meter(address("mac")), name: option("name"), unit: unit,
                address: option("address") != nil ? try address("address") : nil)
        case .fix:
            planner =
                has(.all)
                ? FixPlanner.all(force: has(.force)) : FixPlanner(try namedCures, force: has(.force))
        case .delete: planner = DeletePlanner(row: try row, force: has(.force))
        case .apply, .restoreRecord: throw flaw("`\(command.rawValue)` writes no plans")
        }
        try check(planner.options)
        return planner
    }

    /// The cures that the plan carries out, if it is one of `fix`.
    package var cures: [FixableCheck] { (try? namedCures) ?? [] }

    /// What to migrate to: a model that is named for another reason is only compared with the store.
    func migrationModel(_ model: ModelFile?) -> ModelFile? { option(MigrationPlanner.modelKey) == nil ? nil : model }

    /// The dump, as far as the plan needs it.
    private var entries: [DumpEntry] {
        lines.compactMap { line in
            switch line {
            case .entry(let entry): entry
            case .reject(let reject): reject.entry
            case .record, .change, .deletion, .conflict: nil
            }
        }
    }

    /// - Throws: `PlanError` where the file has other options than the command would write.
    private func check(_ options: [PlanOption]) throws(PlanError) {
        // A model can be named by its path, which differs from one computer to another.
        func comparable(_ options: [PlanOption]) -> [String: String] {
            Dictionary(options.map { ($0.key, $0.key == MigrationPlanner.modelKey ? "" : $0.value) }) { $1 }
        }
        let (there, expected) = (comparable(manifest.options), comparable(options))
        guard there["entries"] == expected["entries"] else {
            throw flaw("the lines of the kinds `entry` and `reject` are not those that the plan was made with")
        }
        guard let key = Set(there.keys).union(expected.keys).sorted().first(where: { there[$0] != expected[$0] }) else {
            return
        }
        throw flaw(
            "`\(key)` is \(there[key].map { "`\($0)`" } ?? "missing"), which `\(command.rawValue)` does not write")
    }

    // MARK: - Options

    private func flaw(_ message: String, hint: String? = nil) -> PlanError {
        PlanError(at: .member(.line(1), "options"), message, hint: hint)
    }

    private func has(_ option: PlanOption) -> Bool { manifest.options.contains(option) }

    private func option(_ key: String) -> String? { manifest.options.first { $0.key == key }?.value }

    private func value(_ key: String) throws(PlanError) -> String {
        guard let value = option(key) else { throw flaw("`\(key)` is missing") }
        return value
    }

    private func word<Value: RawRepresentable<String>>(_ key: String) throws(PlanError) -> Value {
        let text = try value(key)
        guard let value = Value(rawValue: text) else { throw flaw("`\(key)` cannot be `\(text)`") }
        return value
    }

    private func address(_ key: String) throws(PlanError) -> MACAddress {
        let text = try value(key)
        guard let (address, _) = MACAddress.parse(text) else { throw flaw("`\(key)` cannot be `\(text)`") }
        return address
    }

    private var row: Int64 {
        get throws(PlanError) {
            let text = try value("row")
            guard let row = Int64(text) else { throw flaw("`row` cannot be `\(text)`") }
            return row
        }
    }

    private var namedCures: [FixableCheck] {
        get throws(PlanError) {
            var cures: [FixableCheck] = []
            for id in try value(FixPlanner.idsKey).split(separator: " ") {
                guard let cure = FixableCheck(rawValue: String(id)) else {
                    throw flaw("`\(id)` is no finding that fix knows")
                }
                cures.append(cure)
            }
            return cures
        }
    }
}

extension PlanDocument {
    /// Whether the plan that was carried out from a file, or would be, is another than the same command makes now.
    package static func isEdited(_ plan: Plan) -> Bool { PlanRevision.isEdited(plan) }
}
