import CoreDataStore
import Foundation
import Testing

@Suite("stores that are read at a time")
struct ResourcesTests {
    @Test(
        "are as many as files may be open for, one where hardly any may be, and a bound where no limit is set",
        arguments: [(0, 1), (24, 1), (40, 2), (256, 29), (1_024, 125), (-1, 1_277)])
    func number(openFiles: Int, stores: Int) {
        #expect(Resources.concurrentStores(openFiles: openFiles) == stores)
    }
}
