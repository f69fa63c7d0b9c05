import CoreDataStore
import GRDB
import Testing

@Suite("an interrupted statement")
struct InterruptedStatementTests {
    @Test(
        "ends the command as interrupted, also where SQLite ran it inside another one",
        arguments: [ResultCode.SQLITE_INTERRUPT, .SQLITE_ERROR])
    func kind(_ code: ResultCode) {
        let error = StoreError(DatabaseError(resultCode: code, message: "interrupted"), at: "store")
        #expect(error.kind == .interrupted)
        let other = StoreError(DatabaseError(resultCode: .SQLITE_ERROR, message: "no such function: f"), at: "store")
        #expect(other.kind == .unsuitable)
    }
}
