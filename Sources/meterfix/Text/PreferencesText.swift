internal import Answer
internal import MeterInspect
internal import MeterModel

/// What the app's preferences say of its rebuild, beside what the store says.
enum PreferencesText {
    static func blocks(_ compared: ComparedPreferences) -> [Block] {
        let app = "the app's preferences \(said(compared.marker))"
        let store = "the store's metadata \(said(compared.storeMarker))"
        return [.paragraph(compared.agrees ? .tone(.good, "\(app), and \(store)") : "\(app), but \(store)")]
            + consequence(compared).map { .paragraph("\($0)") }
    }

    private static func said(_ marker: Int64?) -> String {
        marker.map { "say that rebuild \($0) was done" } ?? "have no rebuild marker"
    }

    private static func consequence(_ compared: ComparedPreferences) -> [String] {
        switch (compared.isDone, compared.isDoneInStore) {
        case (true, _) where compared.groups > 0:
            return [
                "the app does not rebuild this store again by itself, although "
                    + "\(Phrase.count(compared.groups, "meter")) \(compared.groups == 1 ? "has" : "have") several records"
            ]
        case (true, false): return ["that is no harm: no meter has several records, and a rebuild goes by the data"]
        case (false, true): return ["the app rebuilds this store once more when it opens it, and finds nothing to do"]
        case (true, true), (false, false): return []
        }
    }
}
