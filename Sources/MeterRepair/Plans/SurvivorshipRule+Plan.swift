internal import MeterModel

extension SurvivorshipRule {
    /// Whether a planner decides this field by it.
    func decides(_ field: RecordLayout.Field) -> Bool {
        switch self {
        case .fillNull, .newestNonEmpty, .canonicalText, .latestLock, .latestDiscovery, .earliest, .now:
            field.survivorship.rule == self
        case .legacyFill, .legacyReplace: LegacyDictionary.allCases.contains { $0.field == field.known }
        case .newRecord: [SettingsField.id, .macAddress, .createdAt, .updatedAt].contains { $0 == field.known }
        case .restored: true
        case .unlocked: field.survivorship == .lock
        case .byHand: [.macAddress, .meterName, .tc66TemperatureUnit].contains { $0 == field.known }
        case .newIdentity: field.known == .id
        case .unreadable: field.known == .connectionMetadata || field.known == .discoveryMetadata
        case .understood: field.known == .tc66TemperatureUnit
        }
    }

    /// Whether the value is one that a record has, not one that meterfix makes.
    var hasDonor: Bool {
        switch self {
        case .newestNonEmpty, .fillNull, .canonicalText, .latestLock, .latestDiscovery, .earliest, .restored: true
        case .now, .legacyFill, .legacyReplace, .newRecord, .unlocked, .byHand, .newIdentity, .unreadable, .understood:
            false
        }
    }
}

extension FieldValue {
    /// Whether `set` gives a field this value: a name that is not mere white space, or none; a unit the app knows; the
    /// address of a meter.
    func isAcceptable(as field: RecordLayout.Field) -> Bool {
        switch field.known {
        case .meterName: isNull || (text != nil && !isEmpty)
        case .tc66TemperatureUnit: text.flatMap(TemperatureUnit.init(rawValue:)) != nil
        case .macAddress: if case .usable = DeviceSettings.Address(self) { true } else { false }
        default: false
        }
    }
}
