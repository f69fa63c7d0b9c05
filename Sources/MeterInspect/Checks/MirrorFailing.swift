internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// A setup, import or export that failed last time.
struct MirrorFailing: StoreCheck {
    static let description = CheckDescription(
        "mirror-failing", .warning, "the last CloudKit setup, import or export failed",
        explanation: [
            """
            The mirror logs each setup, import and export. The last one of its kind failed, so changes do not reach \
            the user's other devices, or do not arrive from them.
            """,
            """
            Codes that supporters meet: 134060 the model is not fit for CloudKit (a uniqueness constraint); 134301 the \
            history token expired, the sync starts over; 134400 no iCloud account; 134405 the account changed, rows on \
            the device are wiped; 134407 the store was removed; 134419 deferred, harmless.
            """,
            """
            With 134400 have the user sign in to iCloud; with 134060 run `meterfix migrate`. Most other failures go \
            away by themselves: ask for the store again a day later.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        return try mirror.lastEvents(database).filter(\.failed).map { event in
            let moment = event.endedAt.map { " at \(Timestamp(secondsSince2001: $0))" } ?? ""
            return description.finding(
                "the last \(event.kindName) failed\(moment)\(reason(event))", cure: cure(event, in: store))
        }
    }

    private static func reason(_ event: CloudKitMirror.Event) -> String {
        guard let code = event.errorCode else { return ", no error is given" }
        let error = event.errorDomain.map { "\($0) \(code)" } ?? "error \(code)"
        return ": \(error)"
            + (CloudKitErrorCode.explanation(of: code, domain: event.errorDomain).map { ", \($0)" } ?? "")
    }

    private static func cure(_ event: CloudKitMirror.Event, in store: InspectedStore) -> String? {
        switch event.errorCode {
        case 134_060 where store.settings?.isAddressUnique ?? false: store.command("migrate")
        case 134_400: "have the user sign in to iCloud on the device"
        default: nil
        }
    }
}
