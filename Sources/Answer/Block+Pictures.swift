/// Pictures. What is drawn can be read, too: each renderer that draws nothing writes it.
extension Block {
    /// Things of which there are several where there should be one, before and after.
    package struct Towers: Sendable {
        package struct Group: Sendable {
            /// What it is, in a few words.
            package let caption: String
            /// How many there are of each thing.
            package let heights: [Int]

            package init(_ caption: String, _ heights: [Int]) {
                self.caption = caption
                self.heights = heights
            }
        }

        package let before: Group
        package let after: Group
        /// The same in a sentence.
        package let text: String

        package init(_ before: Group, _ after: Group, text: String) {
            self.before = before
            self.after = after
            self.text = text
        }
    }

    /// Places that something passes through, one after the other, and whether it does.
    package struct Flow: Sendable {
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
            package enum State: String, Sendable {
                case works, stopped, waits
                /// It cannot be known from here.
                case unknown
            }

            package struct Way: Sendable {
                package let state: State
                package let title: String
                package let text: Inline

                package init(_ state: State, _ title: String, _ text: Inline) {
                    self.state = state
                    self.title = title
                    self.text = text
                }
            }

            /// To the next station; and back from it, where that is another matter.
            package let there: Way
            package let back: Way?

            package init(_ there: Way, back: Way? = nil) {
                self.there = there
                self.back = back
            }
        }

        package let stations: [Station]
        /// One less than stations.
        package let hops: [Hop]

        package init(_ stations: [Station], _ hops: [Hop]) {
            self.stations = stations
            self.hops = hops
        }
    }

    /// What happened when, a lane for each who did it.
    package struct Lanes: Sendable {
        /// Each has a shape of its own, always the same.
        package enum Author: String, Sendable {
            case app, cloud, meterfix, other
            /// No author: when a device was last seen, and what it had reserved.
            case device
        }

        package struct Mark: Sendable {
            /// From 0, the beginning, to 1, the end.
            package let place: Double
            package let count: Int
            /// When, in a few words.
            package let label: String

            package init(at place: Double, _ count: Int, _ label: String) {
                self.place = place
                self.count = count
                self.label = label
            }
        }

        package struct Lane: Sendable {
            package let author: Author
            package let name: Inline
            package let remark: String
            package let marks: [Mark]
            /// What a device had reserved.
            package var span: ClosedRange<Double>?

            package init(_ author: Author, _ name: Inline, remark: String, _ marks: [Mark]) {
                self.author = author
                self.name = name
                self.remark = remark
                self.marks = marks
            }
        }

        package struct Event: Sendable {
            package let place: Double
            package let date: String
            package let text: Inline
            package let isAlarming: Bool

            package init(at place: Double, _ date: String, _ text: Inline, isAlarming: Bool = false) {
                self.place = place
                self.date = date
                self.text = text
                self.isAlarming = isAlarming
            }
        }

        package let title: String
        package let lanes: [Lane]
        /// In the order in which they happened.
        package let events: [Event]
        /// What is written below the lanes, and where.
        package let axis: [(place: Double, label: String)]

        package init(
            _ title: String, lanes: [Lane], events: [Event], axis: [(place: Double, label: String)]
        ) {
            self.title = title
            self.lanes = lanes
            self.events = events
            self.axis = axis
        }

        /// The lanes in words.
        var table: Table {
            var table = Table(["who", "what", "when"])
            for lane in lanes {
                let marks = lane.marks.map { $0.count > 1 ? "\($0.label) (\($0.count))" : $0.label }
                table.add([.text(lane.name.text), .text(lane.remark), .text(marks.joined(separator: ", "))])
            }
            return table
        }
    }
}
