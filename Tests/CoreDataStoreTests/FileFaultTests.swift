import CoreDataStore
import Foundation
import Testing

@Suite("a failed call of the operating system")
struct FileFaultTests {
    @Test(
        "in an app's container, which macOS did not permit, says how to permit it",
        arguments: [
            ("/Users/ana/Library/Containers/ro.xdev.USB-Meter/Data/CKModel.sqlite", EPERM, true),
            ("/Users/ana/Library/Group Containers/meter/CKModel.sqlite", EPERM, true),
            ("/Users/ana/Library/Containers/ro.xdev.USB-Meter/Data/CKModel.sqlite", EACCES, false),
            ("/Users/ana/Desktop/CKModel.sqlite", EPERM, false),
        ])
    func container(path: String, code: Int32, isKeptOut: Bool) {
        let error = FileError(code: code).storeError(at: path)
        #expect(error.kind == .permissionDenied)
        #expect(error.hint?.contains("Full Disk Access") == isKeptOut)
    }
}
