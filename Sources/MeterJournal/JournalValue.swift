internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import Texts

/// A line of a backup's changes is not one that meterfix writes, or does not fit those before it.
package struct JournalError: Error {}

/// A value of a backup's changes. Nobody edits these: what is not as it was written is damage.
struct JournalValue {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    subscript(key: String) -> JournalValue {
        get throws(JournalError) {
            guard let value = json[key] else { throw JournalError() }
            return JournalValue(value)
        }
    }

    /// Nil for null.
    var ifPresent: JournalValue? { json == .null ? nil : self }

    /// The members of an object whose keys are names of the store.
    var members: [(name: String, value: JournalValue)] {
        get throws(JournalError) {
            guard case .object(let members) = json else { throw JournalError() }
            return members.map { ($0.key, JournalValue($0.value)) }
        }
    }

    var elements: [JournalValue] {
        get throws(JournalError) {
            guard case .array(let elements) = json else { throw JournalError() }
            return elements.map(JournalValue.init)
        }
    }

    /// The one member of an object that says by its key what it is.
    var tagged: (key: String, value: JournalValue) {
        get throws(JournalError) {
            let members = try members
            guard members.count == 1 else { throw JournalError() }
            return (members[0].name, members[0].value)
        }
    }

    var text: String {
        get throws(JournalError) { try json.string.orDamage }
    }

    var integer: Int64 {
        get throws(JournalError) {
            guard case .integer(let number) = json else { throw JournalError() }
            return number
        }
    }

    /// A row number.
    var row: Int64 {
        get throws(JournalError) {
            let number = try integer
            guard number > 0 else { throw JournalError() }
            return number
        }
    }

    /// One of the words of an enumeration.
    func word<Value: RawRepresentable<String>>(_ type: Value.Type = Value.self) throws(JournalError) -> Value {
        try Value(rawValue: text).orDamage
    }

    var bytes: [UInt8] {
        get throws(JournalError) { try Hexadecimal.bytes(of: text).orDamage }
    }

    /// An address as six pairs with colons.
    var address: MACAddress {
        get throws(JournalError) {
            guard let (address, notation) = MACAddress.parse(try text), !address.isPlaceholder,
                LetterCase.allCases.contains(where: notation.isCanonical)
            else { throw JournalError() }
            return address
        }
    }

    /// A name that needs no quotes in SQL: nothing but letters, digits and underscores of ASCII.
    var identifier: String {
        get throws(JournalError) {
            let text = try text
            guard text.isPlainIdentifier, text.utf8.first.map({ !(0x30...0x39).contains($0) }) == true else {
                throw JournalError()
            }
            return text
        }
    }

    /// One of the types that Core Data declares columns with.
    var declaredType: String {
        get throws(JournalError) {
            let text = try text
            guard ["INTEGER", "TIMESTAMP", "FLOAT", "DECIMAL", "VARCHAR", "BLOB"].contains(text) else {
                throw JournalError()
            }
            return text
        }
    }
}

extension Optional {
    /// What was read.
    var orDamage: Wrapped {
        get throws(JournalError) {
            guard let self else { throw JournalError() }
            return self
        }
    }
}
