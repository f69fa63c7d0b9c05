import CoreDataStore
import Foundation
import MeterModel

extension FieldValue {
    /// The value that SQLite holds for an attribute of an object.
    /// - Parameters:
    ///   - object: the attribute's value as Core Data hands it out.
    ///   - type: the attribute's type.
    /// - Returns: nil where the value is of no class that the type can have.
    init?(object: Any?, type: AttributeType) {
        guard let object else {
            self = .null
            return
        }
        switch (type, object) {
        case (.string, let text as String): self = .text(text)
        case (.uri, let url as URL): self = .text(url.absoluteString)
        case (.date, let date as Date): self = .real(date.timeIntervalSinceReferenceDate)
        case (.uuid, let uuid as UUID): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
        case (.binary, let data as Data): self = .blob(Array(data))
        case (.integer16, let number as NSNumber), (.integer32, let number as NSNumber),
            (.integer64, let number as NSNumber), (.boolean, let number as NSNumber):
            self = .integer(number.int64Value)
        case (.double, let number as NSNumber), (.float, let number as NSNumber), (.decimal, let number as NSNumber):
            self = .real(number.doubleValue)
        default: return nil
        }
    }
}
