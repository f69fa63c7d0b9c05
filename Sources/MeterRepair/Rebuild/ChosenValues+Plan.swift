internal import MeterModel

/// Choices in the manifest of a plan: an option for each, with the meter in its key.
extension ChosenValues {
    private static func key(_ field: SettingsField) -> String? {
        switch field.settable {
        case .name: "keep"
        case .unit: "keepUnit"
        case nil: nil
        }
    }

    var options: [PlanOption] {
        all.compactMap { address, field, value in
            guard let key = Self.key(field), let text = value.text else { return nil }
            return PlanOption(key: "\(key) \(address.text(in: .upper))", value: text)
        }
    }

    /// The choices among the options of a plan.
    init(_ options: [PlanOption]) {
        self.init()
        for option in options {
            let words = option.key.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let (address, _) = MACAddress.parse(String(words[1])),
                let field = SettingsField.allCases.first(where: { Self.key($0) == String(words[0]) }),
                !WhiteSpace.trimmed(option.value).isEmpty
            else { continue }
            self[address, field] = .text(option.value)
        }
    }
}
