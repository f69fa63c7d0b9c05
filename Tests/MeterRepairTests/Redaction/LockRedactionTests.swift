import Foundation
import MeterModel
import Testing

@testable import MeterRepair

@Suite("A lock in JSON, in a redacted copy,")
struct LockRedactionTests {
    @Test("lasts as long as before, also where only its start is moved, and names another device")
    func expiry() throws {
        let key = RedactionKey.random()
        let (start, now) = (700_000_000.0, 800_000_000.0)
        // No date from the start of the pair on is moved.
        let dates = DateShift(key, now: now, inseparable: [start...now])
        let values = ValueRedaction(
            pseudonyms: Pseudonyms(key, keepsMap: false), dates: dates, now: now,
            words: HarmlessWords(entities: [], names: []))
        let lock = #"{"deviceName": "iPad de Chloé", "timestamp": 699999990, "expiry": 700000005}"#
        let json = try #require(Array(lock.utf8).withUnsafeBufferPointer { values.json($0, in: "lock") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        #expect(object.count == 3)
        #expect(object["timestamp"] as? Double == 699_999_990 - dates.amount)
        #expect(object["expiry"] as? Double == 700_000_005 - dates.amount)
        let name = try #require(object["deviceName"] as? String)
        #expect(!name.isEmpty && !name.contains("Chloé"))
    }
}
