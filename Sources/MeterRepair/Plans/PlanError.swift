internal import CoreDataStore

/// What is wrong with a plan's file, and where.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `line 3, fields[0].after`; empty for the file itself.
    package let place: String
    /// Lower case, no full stop.
    package let message: String
    /// What to do about it; nil for what helps against most mistakes.
    let hint: String?

    init(at place: PlanPlace, _ message: String, hint: String? = nil) {
        self.place = place.description
        self.message = message
        self.hint = hint
    }

    package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Where in a plan's file a value is; made into text only for an error.
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

extension StoreError {
    /// - Parameter path: of the plan's file.
    init(_ error: PlanError, at path: String) {
        self.init(
            .damaged, at: path, "not a plan that can be carried out: \(error)",
            hint: error.hint
                ?? "make a new plan with --dry-run --plan; edit only its names, units and addresses, or take out all lines "
                + "of a meter")
    }
}
