/// What is wrong with a plan's document, and where.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `changes[3].fields[0].after`; empty for the document itself.
    package let place: String
    /// Lower case, no full stop.
    package let message: String

    init(at place: PlanPlace, _ message: String) {
        self.place = place.description
        self.message = message
    }

    package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Where in a document a value stands; made into text only for a flaw.
indirect enum PlanPlace: CustomStringConvertible, Sendable {
    case document
    case member(PlanPlace, String)
    case element(PlanPlace, Int)

    var description: String {
        switch self {
        case .document: ""
        case .member(.document, let key): key
        case .member(let parent, let key): "\(parent).\(key)"
        case .element(let parent, let index): "\(parent)[\(index)]"
        }
    }
}
