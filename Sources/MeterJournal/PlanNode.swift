internal import JSON
internal import MeterModel

/// A value of the changes in a backup, read strictly: what is not expected is refused with its place.
struct PlanNode {
    let value: JSONValue
    let place: PlanPlace

    init(_ value: JSONValue, at place: PlanPlace) {
        self.value = value
        self.place = place
    }

    func flaw(_ message: String) -> PlanError { PlanError(at: place, message) }

    var isNull: Bool { value == .null }

    /// The members of an object with all of these keys, and no more.
    func members(_ keys: [String]) throws(PlanError) -> PlanMembers {
        guard case .object(let members) = value else { throw flaw("not an object") }
        var found = PlanMembers(of: place)
        // The fields of a record can be many.
        let wanted = keys.count > PlanMembers.fewest ? Set(keys) : nil
        for member in members {
            guard wanted?.contains(member.key) ?? keys.contains(member.key) else {
                throw flaw("the key `\(member.key)` has no meaning here")
            }
            guard found.add(member) else {
                throw PlanNode(member.value, at: .member(place, member.key)).flaw("duplicate key")
            }
        }
        if let missing = keys.first(where: { !found.has($0) }) { throw flaw("`\(missing)` is missing") }
        return found
    }

    /// Every member of an object whose keys are names of the store.
    var namedMembers: [(name: String, node: PlanNode)] {
        get throws(PlanError) {
            guard case .object(let members) = value else { throw flaw("not an object") }
            var seen: Set<String> = []
            for member in members where !seen.insert(member.key).inserted {
                throw flaw("duplicate key `\(member.key)`")
            }
            return members.map { ($0.key, PlanNode($0.value, at: .member(place, $0.key))) }
        }
    }

    var elements: [PlanNode] {
        get throws(PlanError) {
            guard case .array(let elements) = value else { throw flaw("not a list") }
            return elements.enumerated().map { PlanNode($1, at: .element(place, $0)) }
        }
    }

    func map<Value>(_ read: (PlanNode) throws(PlanError) -> Value) throws(PlanError) -> [Value] {
        var values: [Value] = []
        for element in try elements { values.append(try read(element)) }
        return values
    }

    /// Nil for null.
    func ifPresent<Value>(_ read: (PlanNode) throws(PlanError) -> Value) throws(PlanError) -> Value? {
        isNull ? nil : try read(self)
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

/// The members of an object, each with its place.
struct PlanMembers {
    private let place: PlanPlace
    private var members: [JSONValue.Member] = []
    /// By their keys, where there are many: a few are found sooner one after the other.
    private var places: [String: Int] = [:]

    /// How many are few.
    static let fewest = 8

    init(of place: PlanPlace) { self.place = place }

    /// - Returns: false where there is one with this key.
    fileprivate mutating func add(_ member: JSONValue.Member) -> Bool {
        guard !has(member.key) else { return false }
        members.append(member)
        if members.count > Self.fewest {
            if places.isEmpty {
                for (index, member) in members.enumerated() { places[member.key] = index }
            } else {
                places[member.key] = members.count - 1
            }
        }
        return true
    }

    fileprivate func has(_ key: String) -> Bool { index(of: key) != nil }

    private func index(of key: String) -> Int? {
        places.isEmpty ? members.firstIndex { $0.key == key } : places[key]
    }

    subscript(key: String) -> PlanNode? {
        index(of: key).map { PlanNode(members[$0].value, at: .member(place, members[$0].key)) }
    }
}
