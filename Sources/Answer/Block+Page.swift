/// Blocks of a page that is read by several people: who is in a hurry reads its beginning, who has to know opens the rest.
extension Block {
    /// What is to be known first, in a word or two, and whether something must not be done until somebody has read on.
    package struct Verdict: Sendable {
        package let tone: Tone
        package let word: String
        package let title: Inline
        package let lead: Inline
        package let isUrgent: Bool

        package init(tone: Tone, word: String, title: Inline, lead: Inline, isUrgent: Bool) {
            self.tone = tone
            self.word = word
            self.title = title
            self.lead = lead
            self.isUrgent = isUrgent
        }
    }

    /// Blocks in a frame of their own.
    package struct Card {
        package enum Role: String, Sendable {
            /// To be read from beginning to end.
            case letter
            /// The one thing in a letter that must not be overlooked.
            case request
            /// What happens, one thing after the other.
            case steps
            /// Beside what is read, where there is room.
            case aside
            /// What must not be done.
            case warning
            case plain
        }

        package let role: Role
        package let heading: Inline
        package let icon: Icon?
        package let place: Place?
        package let blocks: [Block]

        package init(_ role: Role, _ heading: Inline, icon: Icon? = nil, place: Place? = nil, _ blocks: [Block]) {
            self.role = role
            self.heading = heading
            self.icon = icon
            self.place = place
            self.blocks = blocks
        }
    }

    /// One of several things of a kind: a line that says what it is, and what there is to say of it.
    package struct Part {
        package let title: Inline
        /// Beside the title.
        package let details: [Inline]
        package let state: State?
        /// Whether it is shown without being asked for.
        package let isOpen: Bool
        package let blocks: [Block]

        package struct State: Hashable, Sendable {
            package let icon: Icon
            package let tone: Tone
            package let text: String

            package init(_ icon: Icon, _ tone: Tone, _ text: String) {
                self.icon = icon
                self.tone = tone
                self.text = text
            }
        }

        package init(
            _ title: Inline, details: [Inline] = [], state: State? = nil, isOpen: Bool = false, _ blocks: [Block]
        ) {
            (self.title, self.details, self.blocks) = (title, details, blocks)
            (self.state, self.isOpen) = (state, isOpen)
        }
    }

    /// A question that is answered by the label of one of its answers.
    package struct Question: Sendable {
        package let text: Inline
        package let answers: [Answer]

        package init(text: Inline, answers: [Answer]) {
            self.text = text
            self.answers = answers
        }
    }

    package struct Answer: Sendable {
        package let label: String
        /// What follows from it.
        package let text: Inline

        package init(label: String, text: Inline) {
            self.label = label
            self.text = text
        }
    }

    /// One thing that happens after another.
    package struct Step: Sendable {
        package let state: StepState
        package let title: Inline
        package let text: Inline

        package init(_ state: StepState, _ title: Inline, _ text: Inline) {
            self.state = state
            self.title = title
            self.text = text
        }
    }

    package enum StepState: String, Sendable { case past, now, later }

    /// A short sentence and another one that explains it.
    package struct Point: Sendable {
        package let icon: Icon
        package let tone: Tone
        package let title: Inline
        package let text: Inline

        package init(_ icon: Icon, _ tone: Tone, _ title: Inline, _ text: Inline) {
            self.icon = icon
            self.tone = tone
            self.title = title
            self.text = text
        }
    }

    /// A line of a table of contents.
    package struct Entry: Hashable, Sendable {
        package let place: Place
        package let title: String
        /// How many things are there; nil where they are not counted.
        package let count: Int?

        package init(_ place: Place, _ title: String, _ count: Int? = nil) {
            self.place = place
            self.title = title
            self.count = count
        }
    }

    package static func part(_ title: Inline, _ blocks: [Block]) -> Block { .part(Part(title, blocks)) }

    /// What a table of contents leads to. Nothing of a customer's is in an anchor.
    package enum Place: String, CaseIterable, Sendable {
        case letter, warnings, next, safety, repair, former, cloud, history, findings, meters, technical
    }

    /// Pictures in a line of text. Each has a shape of its own, for colour alone would not be seen by everyone.
    package enum Icon: CaseIterable, Sendable {
        case check, triangle, octagon, circle, question, letter, cloud, device, devices, back, copy, eye, list
        case kept, discarded
    }
}

extension Tone {
    /// What a page shows beside a word.
    package var icon: Block.Icon {
        switch self {
        case .good: .check
        case .note: .circle
        case .warning: .triangle
        case .error: .octagon
        }
    }
}
