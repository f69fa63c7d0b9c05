internal import Answer
internal import MeterInspect
internal import MeterModel

/// What an app lacks: for each group what is right, what is not and how to fix it; then what was not handed over, what no
/// file shows, and what to do next.
extension AppCheck {
    var blocks: [Block] {
        let about = [
            Block.Pair("platform", Inline(platform?.rawValue ?? "not known")), .init("container", Inline(container)),
        ]
        return [.heading(heading), .pairs(about)] + section("files", nil)
            + AppRequirement.Group.allCases.flatMap { section($0.rawValue.replacing("-", with: " "), $0) } + missing
            + [
                .section("what no file shows", [.list(Self.outOfSight, marker: .dash)]),
                .section("next", [.list([next], marker: .arrow)]),
            ]
    }

    private var heading: Inline {
        let counts = Severity.allCases.sorted(by: >).compactMap { severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : Phrase.count(count, severity.rawValue)
        }
        let inputs = Phrase.start(of: inputs)
        guard !counts.isEmpty else { return "\(inputs): \(.tone(.good, "nothing is wrong in what was handed over"))" }
        return "\(inputs): \(Phrase.list(counts))"
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
            case .backgroundModes: "background modes: hand over the app, its Info.plist or the .xcodeproj"
            case .model: "model: hand over the .xcdatamodeld, or the app with its .momd"
            case .store: "store: name one with --store"
            }
        }
        let others: [Inline] =
            cut.map { "\($0): not all that is in it could be looked at" }
            + ignored.map { "\($0): neither an app nor part of one" }
        let lines = groups + others
        return lines.isEmpty ? [] : [.section("not looked at", [.list(lines, marker: .dash)])]
    }

    private static let outOfSight: [Inline] = [
        "whether the production schema of the container is deployed (CloudKit Console)",
        "whether the container and the App ID are connected in the developer portal",
        "whether the user's iCloud account has room",
        "whether the app turns on history tracking, and names the container, where it loads the store",
    ]

    private var next: Inline {
        if findings.contains(where: { $0.severity > .note }) {
            return "fix what is listed, build again, and run meterfix check-app on the archive that goes to customers"
        }
        guard unknown.contains(where: { $0 != .store }) else {
            return "let the app sync, and run meterfix explain on its log: only that shows the rest"
        }
        return "hand over what was not looked at, too"
    }
}
