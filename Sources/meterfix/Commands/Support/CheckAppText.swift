internal import Answer
internal import AppChecks
internal import MeterInspect
internal import MeterModel

/// What an app lacks: for each group what is right, what is not and how to fix it; then what was not handed over, what no
/// file shows, and what to do next.
extension AppCheck {
    var blocks: [Block] {
        let about = [
            Block.Pair(
                platforms.count > 1 ? "platforms" : "platform",
                Inline(platforms.isEmpty ? "not known" : Phrase.list(platforms.sorted().map(\.rawValue)))),
            .init("container", Inline(container)),
        ]
        return [.heading(heading), .pairs(about)] + section("files", nil)
            + AppRequirement.Group.allCases.flatMap { section($0.rawValue.replacing("-", with: " "), $0) } + missing
            + [
                .section("what no file shows", [.list(Self.outOfSight + [storeOptions], marker: .dash)]),
                .section("next", [.list([next], marker: .arrow)]),
            ]
    }

    private var heading: Inline {
        let counts = Severity.allCases.sorted(by: >).compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : Phrase.count(count, severity.rawValue)
        }
        let inputs = Phrase.start(of: inputs)
        if !counts.isEmpty { return "\(inputs): \(Phrase.list(counts))" }
        guard gaps.isEmpty else { return "\(inputs): no fault was found, but not everything could be looked at" }
        return "\(inputs): \(.tone(.good, "nothing is wrong in what was handed over"))"
    }

    private func section(_ title: String, _ group: AppRequirement.Group?) -> [Block] {
        let right = right.filter { $0.group == group }.compactMap { $0.right.map { Inline($0) } }
        let wrong = findings.filter { $0.requirement.group == group }.map { finding in
            let subject = finding.subject.map { " (\($0))" } ?? ""
            return Block.Pair(
                finding.severity.rawValue,
                "\(.tone(Tone(finding.severity), finding.requirement.id))\(subject): \(finding.message)",
                "→ \(finding.requirement.cure)")
        }
        let pairs = Block.Pair.some("right", right) + wrong
        return pairs.isEmpty ? [] : [.section(Inline(title), [.pairs(pairs)])]
    }

    private var missing: [Block] {
        let groups: [Inline] = unknown.map { group in
            switch group {
            case .entitlements: "entitlements: hand over the .app, .ipa or .xcarchive, or the .entitlements file"
            case .backgroundModes: "background modes: hand over the app, its Info.plist or its build settings"
            case .model: "model: hand over the .xcdatamodeld, or the app with its .momd"
            case .store: "store: name one with --store"
            }
        }
        let others: [Inline] = gaps.map { gap in
            switch gap {
            case .file(let path, let why, let command?):
                "\(path): \(why); hand over what this writes: \(.code(command))"
            case .file(let path, let why, nil): "\(path): \(why)"
            case .item(let key, let value, let why): "\(key) (\(value)): \(why)"
            }
        }
        let lines = groups + others
        return lines.isEmpty ? [] : [.section("not looked at", [.list(lines, marker: .dash)])]
    }

    private static let outOfSight: [Inline] = [
        "whether the production schema of the container is deployed (CloudKit Console)",
        "whether the container and the App ID are connected in the developer portal",
        "whether the user's iCloud account has room",
    ]

    /// What the app does where it loads the store, which its code alone says.
    private var storeOptions: Inline {
        let all = "whether the app sets a merge policy, history tracking, the remote-change option and the container"
        guard let options, !options.isEmpty else { return "\(all) where it loads the store" }
        let names = StoreOption.allCases.filter(options.contains).map(\.rawValue)
        return "\(all) where it loads the store; its executable names \(Phrase.list(names))"
    }

    private var next: Inline {
        if findings.contains(where: { $0.severity > .note }) {
            return "fix what is listed, build again, and run meterfix check-app on the archive that goes to customers"
        }
        guard !gaps.isEmpty || unknown.contains(where: { $0 != .store }) else {
            return "let the app sync, and run meterfix explain on its log: only that shows the rest"
        }
        return "hand over what was not looked at, too"
    }
}
