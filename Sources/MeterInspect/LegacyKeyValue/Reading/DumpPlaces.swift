internal import Texts

/// Where in a dump there is what is looked for, below its root: preferences keep dictionaries in dictionaries, in lists, and
/// as documents among their data and texts.
struct DumpPlaces<Node: DumpNode> {
    struct Place {
        /// The keys from the root on; a list's are the numbers of its elements, from 1.
        let path: [String]
        let node: Node
    }

    /// In the byte order of the keys. What is in a place that was found is not looked at.
    private(set) var found: [Place] = []
    var names: [String] { found.map { $0.path.joined(separator: "/") } }
    private let isWanted: (Node) -> Bool
    private let excluded: [String]

    /// - Parameter excluded: keys of the root under which is not looked.
    init(in root: Node, besides excluded: [String] = [], where isWanted: @escaping (Node) -> Bool) {
        self.isWanted = isWanted
        self.excluded = excluded
        look(below: root, path: [], documents: 0)
    }

    private mutating func look(below node: Node, path: [String], documents: Int) {
        guard path.count <= DumpLimits.depth else { return }
        if let elements = node.elements {
            for (index, element) in elements.enumerated() {
                visit(element, path: path + ["\(index + 1)"], documents: documents)
            }
        } else if node.isDictionary {
            // A million names are not sorted.
            var members: [(key: String, value: Node)] = []
            node.forEachMember { key, value in
                let isLeaf = !value.isDictionary && value.elements == nil && value.document == nil
                if !isLeaf, !path.isEmpty || !excluded.contains(key) { members.append((key, value)) }
            }
            for (key, value) in members.sorted(byBytesOf: \.key) {
                visit(value, path: path + [key], documents: documents)
            }
        }
    }

    private mutating func visit(_ node: Node, path: [String], documents: Int) {
        if documents < DumpLimits.documents, let document = node.document {
            visit(document, path: path, documents: documents + 1)
        } else if isWanted(node) {
            found.append(Place(path: path, node: node))
        } else {
            look(below: node, path: path, documents: documents)
        }
    }

    /// What is said where a person has chosen one of several places.
    func leftOut(besides chosen: Place) -> [String] {
        let others = found.filter { $0.path != chosen.path }.map { $0.path.joined(separator: "/") }
        return others.isEmpty ? [] : ["other places in it were left out: \(others.listed)"]
    }

    /// The one place that is meant; nil where there is none.
    /// - Parameter identifier: its path, or its last key; nil where nobody chose one.
    /// - Throws: `DumpError` where it is not clear which.
    func only(_ identifier: String?) throws(DumpError) -> Place? {
        guard !found.isEmpty else { return nil }
        let all = names
        var chosen = found
        if let identifier {
            chosen = found.filter { $0.path.joined(separator: "/").utf8.elementsEqual(identifier.utf8) }
            if chosen.isEmpty {
                chosen = found.filter { $0.path.last?.utf8.elementsEqual(identifier.utf8) ?? false }
            }
            guard !chosen.isEmpty else { throw .noSuchApp(identifier, among: all) }
        }
        guard chosen.count == 1 else { throw .severalPlaces(chosen.map { $0.path.joined(separator: "/") }) }
        return chosen[0]
    }
}
