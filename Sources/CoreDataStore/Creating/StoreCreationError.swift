/// Why a new store was not created. Nothing is left on disk.
package enum StoreCreationError: Error, Equatable, CustomStringConvertible {
    case alreadyExists(path: String)
    /// The system's error number says why.
    case cannotCreate(path: String, errno: Int32)
    /// The model has something this package cannot lay out.
    case unsupportedModel(String)

    package var description: String {
        switch self {
        case .alreadyExists(let path): "\(path) exists already; a new store never replaces a file"
        case .cannotCreate(let path, let errno): "cannot create \(path): system error \(errno)"
        case .unsupportedModel(let reason): "cannot lay out a store for this model: \(reason)"
        }
    }
}
