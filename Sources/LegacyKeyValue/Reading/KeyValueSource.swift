internal import CoreDataStore

/// Where a dump comes from.
package enum KeyValueSource: Hashable, Sendable {
    /// A file, or anything else that can be opened and read to the end.
    case file(String)
    case standardInput
    /// Bytes that were already read, and their name in messages.
    case bytes([UInt8], name: String)

    /// `-` is standard input.
    package init(argument: String) { self = argument == "-" ? .standardInput : .file(argument) }

    /// Its name in messages.
    package var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .bytes(_, let name): name
        }
    }
}
