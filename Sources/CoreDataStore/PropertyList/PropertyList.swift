/// A property list as a value: what a binary property list can hold, keyed-archive references included.
package indirect enum PropertyList: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// From 2^63 on, which `integer` cannot hold: the numbers of a property list go to 2^64 − 1.
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference into `$objects` of a keyed archive.
    case uid(UInt64)
    case array([PropertyList])
    case dictionary([String: PropertyList])
}

extension PropertyList {
    /// Whether bytes begin as a property list in one of the formats that Foundation reads back, binary or XML.
    package static func isBeginning(of bytes: [UInt8]) -> Bool {
        bytes.starts(with: "bplist".utf8)
            || ["<?xml", "<plist", "<!DOCTYPE plist"].contains { bytes.starts(with: $0.utf8) }
    }

    /// A whole number, as the case that holds it.
    package static func number(_ value: UInt64) -> PropertyList {
        Int64(exactly: value).map(PropertyList.integer) ?? .unsigned(value)
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    package var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    package var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }
    package var uid: UInt64? { if case .uid(let value) = self { value } else { nil } }
}
