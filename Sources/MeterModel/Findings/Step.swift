/// One step of what to do about a store. All steps of an answer are one list, in order, and stand at its end.
package struct Step: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Something that nobody may do.
        case stop
        /// For the files again, or for what only a person knows.
        case ask
        /// The app, on all devices.
        case update
        /// Let the app sync, and close it; or only close it.
        case syncAndClose
        /// The store, since the step before changed it.
        case copyAgain
        /// A command.
        case run
        /// The files, to the device.
        case giveBack
        /// On the repaired device, until all is uploaded.
        case openHereFirst
        case thenOthers
    }

    package let kind: Kind
    /// The names of those that it is about, as far as they are known.
    package let devices: [String]
    /// What is run; nil where nothing is.
    package let command: StoreCommand?
    /// For a person, without a full stop. It has the command.
    package let text: Sentence

    package init(_ kind: Kind, on devices: [String] = [], _ text: Sentence) {
        self.kind = kind
        self.devices = devices
        command = nil
        self.text = text
    }

    /// - Parameter remark: what has to be known of the command.
    package init(running command: StoreCommand, _ remark: Sentence = "") {
        kind = .run
        devices = []
        self.command = command
        text = "\(command)\(remark)"
    }
}

/// What is the matter with a store, in one word.
package enum Verdict: String, Sendable, CaseIterable {
    /// Everything was read and asked, and nothing is to be done.
    case clean
    /// Something is to be done, or to be looked at by a person.
    case repair
    /// Nobody may open the app before it is dealt with: data would be lost.
    case stop
    /// A part of the store is missing or cannot be read, or not all was asked.
    case unknown
}
