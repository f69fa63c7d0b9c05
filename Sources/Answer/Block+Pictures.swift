/// Pictures. What is drawn can be read, too: each renderer that draws nothing writes it.
extension Block {
    /// Things of which there are several where there should be one: what they are, and how many there are of each.
    package typealias Towers = (caption: String, heights: [Int])

    /// A place that something passes through.
    package typealias Station = (icon: Icon, name: String, lines: [Inline])

    /// Between a station and the next one; and back, where that is another matter.
    package typealias Hop = (there: Way, back: Way?)

    package typealias Way = (state: Passage, title: String, text: Inline)

    /// Whether something passes.
    package enum Passage: String, Sendable {
        case works, stopped, waits
        /// It cannot be known from here.
        case unknown
    }

    /// What happened when, a lane for each who did it. Places are from 0, the beginning, to 1, the end.
    /// - events: in the order in which they happened.
    /// - axis: what is written below the lanes, and where.
    package typealias Lanes = (title: String, lanes: [Lane], events: [Event], axis: [(place: Double, label: String)])

    /// - span: what a device had reserved.
    package typealias Lane = (
        author: LaneAuthor, name: Inline, remark: String, marks: [Mark], span: ClosedRange<Double>?
    )

    /// - label: when, in a few words.
    package typealias Mark = (place: Double, count: Int, label: String)

    package typealias Event = (place: Double, date: String, text: Inline, isAlarming: Bool)

    /// Each has a shape of its own, always the same.
    package enum LaneAuthor: String, Sendable {
        case app, cloud, meterfix, other
        /// No author: when a device was last seen, and what it had reserved.
        case device
    }
}
