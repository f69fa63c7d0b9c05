/// Blocks of a page that is read by several people: who is in a hurry reads its beginning, who has to know opens the rest.
extension Block {
    /// What is to be known first, in a word or two, and whether something must not be done until somebody has read on.
    package typealias Verdict = (tone: Tone, word: String, title: Inline, lead: Inline, isUrgent: Bool)

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

        package typealias State = (icon: Icon, tone: Tone, text: String)

        package init(
            _ title: Inline, details: [Inline] = [], state: State? = nil, isOpen: Bool = false, _ blocks: [Block]
        ) {
            (self.title, self.details, self.blocks) = (title, details, blocks)
            (self.state, self.isOpen) = (state, isOpen)
        }
    }

    /// A question that is answered by the label of one of its answers.
    package typealias Question = (text: Inline, answers: [Answer])

    /// - text: what follows from it.
    package typealias Answer = (label: String, text: Inline)

    /// One thing that happens after another.
    package typealias Step = (state: StepState, title: Inline, text: Inline)

    package enum StepState: String, Sendable { case past, now, later }

    /// A short sentence and another one that explains it.
    package typealias Point = (icon: Icon, tone: Tone, title: Inline, text: Inline)

    /// A line of a table of contents, and how many things are there.
    package typealias Entry = (place: Place, title: String, count: Int?)

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
