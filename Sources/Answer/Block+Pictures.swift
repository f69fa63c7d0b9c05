/// Pictures. What is drawn can be read, too: each renderer that draws nothing writes it.
extension Block {
    /// Things of which there are several where there should be one: what they are, and how many there are of each.
    package struct Towers: Hashable, Sendable {
        package let caption: String
        package let heights: [Int]

        package init(caption: String, heights: [Int]) {
            self.caption = caption
            self.heights = heights
        }
    }

    /// A place that something passes through.
    package struct Station: Sendable {
        package let icon: Icon
        package let name: String
        package let lines: [Inline]

        package init(_ icon: Icon, _ name: String, _ lines: [Inline]) {
            self.icon = icon
            self.name = name
            self.lines = lines
        }
    }

    /// Between a station and the next one.
    package struct Hop: Sendable {
        package let there: Way
        /// Nil where the way back is no other matter.
        package let back: Way?

        package init(there: Way, back: Way? = nil) {
            self.there = there
            self.back = back
        }
    }

    package struct Way: Sendable {
        package let state: Passage
        package let title: String
        package let text: Inline

        package init(_ state: Passage, _ title: String, _ text: Inline) {
            self.state = state
            self.title = title
            self.text = text
        }
    }

    /// Whether something passes.
    package enum Passage: String, Sendable {
        case works, stopped, waits
        /// It cannot be known from here.
        case unknown
    }
}

extension Block {
    /// What happened when, a lane for each who did it. Places are from 0, the beginning, to 1, the end.
    package struct Lanes: Sendable {
        package let title: String
        package let lanes: [Lane]
        /// In the order in which they happened.
        package let events: [Event]
        /// What is written below the lanes, and where.
        package let axis: [(place: Double, label: String)]

        package init(title: String, lanes: [Lane], events: [Event], axis: [(place: Double, label: String)]) {
            self.title = title
            self.lanes = lanes
            self.events = events
            self.axis = axis
        }
    }

    package struct Lane: Sendable {
        package let author: LaneAuthor
        package let name: Inline
        package let remark: String
        package let marks: [Mark]
        /// What a device had reserved.
        package let span: ClosedRange<Double>?

        package init(
            author: LaneAuthor, name: Inline, remark: String, marks: [Mark] = [], span: ClosedRange<Double>? = nil
        ) {
            self.author = author
            self.name = name
            self.remark = remark
            self.marks = marks
            self.span = span
        }
    }

    package struct Mark: Hashable, Sendable {
        package let place: Double
        package let count: Int
        /// When, in a few words.
        package let label: String

        package init(place: Double, count: Int, label: String) {
            self.place = place
            self.count = count
            self.label = label
        }
    }

    package struct Event: Sendable {
        package let place: Double
        package let date: String
        package let text: Inline
        package let isAlarming: Bool

        package init(place: Double, date: String, text: Inline, isAlarming: Bool) {
            self.place = place
            self.date = date
            self.text = text
            self.isAlarming = isAlarming
        }
    }

    /// Each has a shape of its own, always the same.
    package enum LaneAuthor: String, Sendable {
        case app, cloud, meterfix, other
        /// No author: when a device was last seen, and what it had reserved.
        case device
    }
}
