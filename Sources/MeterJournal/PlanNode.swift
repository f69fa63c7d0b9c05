internal import JSON
internal import MeterModel

/// A value of the changes in a backup, read strictly: what is not expected is refused with its place.
struct PlanNode {
    let value: JSONValue
    let place: PlanPlace

    func flaw(_ message: String) -> PlanError { PlanError(at: place, message) }

    /// Nil for null.
    var ifPresent: PlanNode? { value == .null ? nil : self }

    /// The members of an object with all of these keys, and no more.
    func members(_ keys: [String]) throws(PlanError) -> PlanMembers {
        guard case .object(let members) = value else { throw flaw("not an object") }
        for (index, member) in members.enumerated() {
            guard keys.contains(member.key) else { throw flaw("the key `\(member.key)` has no meaning here") }
            guard !members[..<index].contains(where: { $0.key == member.key }) else {
                throw PlanError(at: .member(place, member.key), "duplicate key")
            }
        }
        if let missing = keys.first(where: { key in !members.contains { $0.key == key } }) {
            throw flaw("`\(missing)` is missing")
        }
        return PlanMembers(place: place, members: members)
    }

    /// Every member of an object whose keys are names of the store.
    var namedMembers: [(name: String, node: PlanNode)] {
        get throws(PlanError) {
            guard case .object(let members) = value else { throw flaw("not an object") }
            var seen: Set<String> = []
            for member in members where !seen.insert(member.key).inserted {
                throw flaw("duplicate key `\(member.key)`")
            }
            return members.map { ($0.key, PlanNode(value: $0.value, place: .member(place, $0.key))) }
        }
    }

    var elements: [PlanNode] {
        get throws(PlanError) {
            guard case .array(let elements) = value else { throw flaw("not a list") }
            return elements.enumerated().map { PlanNode(value: $1, place: .element(place, $0)) }
        }
    }

    var text: String {
        get throws(PlanError) {
            guard let text = value.string else { throw flaw("not text") }
            return text
        }
    }

    var integer: Int64 {
        get throws(PlanError) {
            guard case .integer(let number) = value else { throw flaw("not a whole number") }
            return number
        }
    }

    /// A row number.
    var row: Int64 {
        get throws(PlanError) {
            let number = try integer
            guard number > 0 else { throw flaw("row numbers begin at 1") }
            return number
        }
    }

    /// The one member of an object that says by its key what it is.
    var tagged: (key: String, node: PlanNode) {
        get throws(PlanError) {
            guard case .object(let members) = value, members.count == 1 else {
                throw flaw("not a value: an object with one key is expected")
            }
            return (members[0].key, PlanNode(value: members[0].value, place: .member(place, members[0].key)))
        }
    }

    /// One of the words of an enumeration.
    func word<Value: RawRepresentable<String>>(_ type: Value.Type, _ noun: String) throws(PlanError) -> Value {
        let text = try text
        guard let value = Value(rawValue: text) else { throw flaw("`\(text)` is no \(noun)") }
        return value
    }

    var bytes: [UInt8] {
        get throws(PlanError) {
            guard let bytes = Hexadecimal.bytes(of: try text) else { throw flaw("not hexadecimal digits") }
            return bytes
        }
    }

    /// An address as six pairs with colons.
    var address: MACAddress {
        get throws(PlanError) {
            guard let (address, notation) = MACAddress.parse(try text), !address.isPlaceholder,
                LetterCase.allCases.contains(where: notation.isCanonical)
            else { throw flaw("not the address of a meter") }
            return address
        }
    }
}

/// The members of an object, each with its place. (They are few, and found sooner one after the other than in a dictionary.)
struct PlanMembers {
    fileprivate let place: PlanPlace
    fileprivate let members: [JSONValue.Member]

    /// - Parameter key: one of those that were asked for.
    subscript(key: String) -> PlanNode {
        PlanNode(value: members.first { $0.key == key }!.value, place: .member(place, key))
    }
}
