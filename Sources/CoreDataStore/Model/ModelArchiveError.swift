/// Why bytes are not a managed object model, or not one that can be revised as asked.
package enum ModelArchiveError: Error, Hashable, CustomStringConvertible {
    case notInflated(RawDeflate.DeflateError)
    case notPropertyList(BinaryPropertyListError)
    /// A property list, but not the archive of a model.
    case malformed(String)
    /// A model, but the revision asked for does not fit it.
    case notRevised(String)

    package var description: String {
        switch self {
        case .notInflated(let failure): "the model cannot be read: \(failure)"
        case .notPropertyList(let error): "the model cannot be read: \(error)"
        case .malformed(let reason): "the model cannot be read: \(reason)"
        case .notRevised(let reason): "the model cannot be revised: \(reason)"
        }
    }
}
