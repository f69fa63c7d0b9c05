internal import MeterModel

extension SurvivorshipRule {
    /// Whether a planner decides this field by it.
    func decides(_ field: RecordLayout.Field) -> Bool {
        switch self {
        case .fillNull: field.known == nil
        case .newestNonEmpty: field.known.map(SettingsField.userData.contains) ?? false
        case .canonicalText: field.known == .macAddress
        case .latestLock: field.known.map(SettingsField.lock.contains) ?? false
        case .latestDiscovery: field.known.map(SettingsField.discovery.contains) ?? false
        case .earliest: field.known == .createdAt
        case .now: field.known == .updatedAt
        case .legacyFill, .legacyReplace: LegacyDictionary.allCases.contains { $0.field == field.known }
        case .newRecord: [SettingsField.id, .macAddress, .createdAt, .updatedAt].contains { $0 == field.known }
        case .restored: true
        case .unlocked: field.known.map(SettingsField.lock.contains) ?? false
        case .byHand: field.known == .meterName || field.known == .tc66TemperatureUnit
        }
    }

    /// Whether the value is one that a record has, not one that meterfix makes.
    var hasDonor: Bool {
        switch self {
        case .newestNonEmpty, .fillNull, .canonicalText, .latestLock, .latestDiscovery, .earliest, .restored: true
        case .now, .legacyFill, .legacyReplace, .newRecord, .unlocked, .byHand: false
        }
    }
}

extension FieldValue {
    /// Whether `set` gives a field this value: a name that is not mere white space, or none; a unit the app knows.
    func isAcceptable(as field: RecordLayout.Field) -> Bool {
        switch field.known {
        case .meterName: isNull || (text != nil && !isEmpty)
        case .tc66TemperatureUnit: text.flatMap(TemperatureUnit.init(rawValue:)) != nil
        default: false
        }
    }
}
