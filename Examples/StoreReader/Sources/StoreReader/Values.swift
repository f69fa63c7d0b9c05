import CoreDataStore
import Foundation

func text(_ value: StoredValue) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .date(let date): text(date)
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): "\(data.count) bytes"
    case .object(let entity, let number): "\(entity) \(number)"
    }
}

func text(_ date: Date) -> String { date.formatted(.iso8601) }

func text(_ kind: PersistentHistory.ChangeType) -> String {
    switch kind {
    case .insert: "inserted"
    case .update: "updated"
    case .delete: "deleted"
    }
}
