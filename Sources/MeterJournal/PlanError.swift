/// What is wrong with the changes in a backup, and where.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `line 3, fields[0].after`; empty for the file itself.
    let place: String
    /// Lower case, no full stop.
    let message: String

    init(at place: PlanPlace, _ message: String) {
        self.place = place.description
        self.message = message
    }

    package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Where in the file a value is; made into text only for an error.
indirect enum PlanPlace: CustomStringConvertible, Sendable {
    case file
    /// Counted from 1.
    case line(Int)
    case member(PlanPlace, String)
    case element(PlanPlace, Int)

    var description: String {
        switch self {
        case .file: ""
        case .line(let number): "line \(number)"
        case .member(.file, let key): key
        case .member(.line(let number), let key): "line \(number), \(key)"
        case .member(let parent, let key): "\(parent).\(key)"
        case .element(let parent, let index): "\(parent)[\(index)]"
        }
    }
}
