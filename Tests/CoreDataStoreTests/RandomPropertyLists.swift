import CoreDataStore
import MeterTestSupport

/// Property lists of any shape.
struct RandomPropertyLists {
    var generator: SeededGenerator
    /// Whether there are values that Foundation has no type for: UIDs and null.
    var hasArchiveValues = true

    mutating func next(depth: Int = 4) -> PropertyList {
        let scalars = hasArchiveValues ? 8 : 6
        switch Int.random(in: 0..<(depth > 0 ? scalars + 4 : scalars), using: &generator) {
        case 0: return .bool(Bool.random(using: &generator))
        case 1: return Bool.random(using: &generator) ? .integer(integer()) : .number(generator.next())
        case 2: return .real(Double.random(in: -1e12...1e12, using: &generator))
        case 3: return .date(Double.random(in: -1e9...1e9, using: &generator))
        case 4: return .data((0..<length()).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 5: return .string(string())
        case 6 where hasArchiveValues: return .uid(UInt64(truncatingIfNeeded: integer()))
        case 7 where hasArchiveValues: return .null
        case let kind where kind.isMultiple(of: 2): return .array((0..<length()).map { _ in next(depth: depth - 1) })
        default:
            var entries: [String: PropertyList] = [:]
            for _ in 0..<length() { entries[string()] = next(depth: depth - 1) }
            return .dictionary(entries)
        }
    }

    private mutating func integer() -> Int64 {
        let bits = Int.random(in: 0..<64, using: &generator)
        return Int64(bitPattern: generator.next()) >> Int64(bits)
    }

    private mutating func string() -> String {
        let alphabet = Array("abc XYZ09._-é€ß漢🔌")
        return String((0..<length()).map { _ in alphabet.randomElement(using: &generator) ?? "-" })
    }

    /// Mostly short, at times beyond the 14 that fit a marker.
    private mutating func length() -> Int {
        Int.random(in: 0..<8, using: &generator) == 0
            ? Int.random(in: 0...40, using: &generator) : Int.random(in: 0...5, using: &generator)
    }
}
