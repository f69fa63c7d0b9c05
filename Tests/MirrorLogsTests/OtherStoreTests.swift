import CoreDataStore
import Testing

@testable import MirrorLogs

@Suite("a success of another store in a log")
struct OtherStoreTests {
    private static let stores = ["3E7C1D40-1111-4222-8333-6F5A4B3C2D1E", "9B0D2A77-5555-4666-8777-0F1E2D3C4B5A"]

    private func line(_ second: Int, _ process: String, _ words: String) -> String {
        """
        2026-11-20 08:14:0\(second).000000+0100  localhost \(process): (CoreData) [com.apple.coredata:CloudKit] \
        CoreData+CloudKit: -[X y:](1): \(words)

        """
    }

    private func finished(_ second: Int, _ process: String, store: Int? = nil, isGood: Bool) -> String {
        let name = store.map { "storeIdentifier: \(Self.stores[$0]) " } ?? ""
        return line(
            second, process,
            """
            Finished request: <NSCloudKitMirroringExportRequest: 0x1> 00000000-AAAA-4BBB-8CCC-00000000000\(second) with \
            result: <NSCloudKitMirroringResult: 0x1> \(name)success: \(isGood ? 1 : 0) error: \
            \(isGood ? "(null)" : "Error Domain=CKErrorDomain Code=25 \"x\"")
            """)
    }

    private func isOvercome(_ text: String) throws -> Bool {
        let log = try MirrorLog(bytes: Array(text.utf8), name: "console.log")
        #expect(log.entries.map(\.error.fault.id) == ["quota-exceeded"])
        return log.cause == nil
    }

    @Test("does not overcome a failure, whoever wrote it")
    func stores() throws {
        let failed = finished(1, "USB Meter[523]", store: 0, isGood: false)
        #expect(try !isOvercome(failed + finished(2, "USB Meter[523]", store: 1, isGood: true)))
        #expect(try !isOvercome(failed + finished(2, "USB Meter[777]", store: 1, isGood: true)))
        #expect(try isOvercome(failed + finished(2, "USB Meter[523]", store: 0, isGood: true)))
        #expect(try isOvercome(failed + finished(2, "USB Meter[777]", store: 0, isGood: true)))
    }

    @Test("or of another process does not overcome it where no store is named")
    func processes() throws {
        let failed = finished(1, "USB Meter[523]", isGood: false)
        #expect(try isOvercome(failed + finished(2, "USB Meter[523]", isGood: true)))
        #expect(try !isOvercome(failed + finished(2, "USB Meter[777]", isGood: true)))
        #expect(try !isOvercome(failed + finished(2, "USB Meter[777]", store: 0, isGood: true)))
        let named = line(
            0, "USB Meter[523]", "Successfully set up CloudKit integration for store (\(Self.stores[0])): <X>")
        #expect(try isOvercome(named + failed + finished(2, "USB Meter[777]", store: 0, isGood: true)))
        #expect(try !isOvercome(named + failed + finished(2, "USB Meter[777]", store: 1, isGood: true)))
    }

    @Test("does not hide its failure behind that of another one which was overcome")
    func both() throws {
        let first = finished(1, "USB Meter[523]", store: 0, isGood: false)
        let second = finished(2, "USB Meter[777]", store: 1, isGood: false)
        let good = finished(3, "USB Meter[777]", store: 1, isGood: true)
        #expect(try !isOvercome(first + second + good))
        #expect(try isOvercome(first + second + good + finished(4, "USB Meter[523]", store: 0, isGood: true)))
    }

    @Test("is none of what the daemon told where the log has several stores")
    func daemon() throws {
        let told = """
            2026-11-20 08:14:00.000000+0100  localhost cloudd[90]: (CloudKit) [com.apple.cloudkit:CK] Finished operation \
            <CKFetchRecordZonesOperation: 0x1> with error: <CKError 0x1: "Quota Exceeded" (25/2035)>

            """
        let good = finished(2, "USB Meter[523]", store: 0, isGood: true)
        #expect(try isOvercome(told + good))
        #expect(try !isOvercome(told + good + finished(3, "USB Meter[777]", store: 1, isGood: true)))
    }

    @Test("that the scheduler lets work does not overcome that it made this one wait")
    func scheduler() throws {
        func decision(_ second: Int, _ store: Int, _ decision: String) -> String {
            """
            2026-11-20 08:14:0\(second).000000+0100  localhost dasd[99]: 501:com.apple.coredata.cloudkit.activity.export.\
            \(Self.stores[store]):3FA21C:[ {name: Low Power Mode Policy} ], FinalDecision: \(decision)}

            """
        }
        func isOpen(_ store: Int) throws -> Bool {
            let text = decision(1, 0, "Must Not Proceed") + decision(2, store, "Can Proceed")
            return try MirrorLog(bytes: Array(text.utf8), name: "console.log").cause != nil
        }
        #expect(try !isOpen(0))
        #expect(try isOpen(1))
    }
}
