package import CoreDataStore

/// How a text is kept in a keyed archive. Apple's archives have more than one form.
package enum ArchivedText: CaseIterable, Sendable {
    /// The text is an object of the archive.
    case plain
    /// An object of class `NSString`, with the text in it under `NS.string`.
    case object
    /// An object of class `NSMutableString` whose `NS.string` refers to the text.
    case reference

    /// The keyed archive with every text that its objects refer to in this form, dictionary keys included. Names of
    /// classes are not texts of the archive.
    package func rewriting(_ archive: PropertyList) -> PropertyList {
        guard var top = archive.dictionary, var objects = top["$objects"]?.array else { return archive }
        let texts = objects.indices.dropFirst().filter { objects[$0].string != nil }
        for index in texts {
            guard let text = objects[index].string else { continue }
            switch self {
            case .plain: break
            case .object: objects[index] = Self.object(.string(text), of: "NSString", in: &objects)
            case .reference:
                objects.append(.string(text))
                let inner = PropertyList.uid(UInt64(objects.count - 1))
                objects[index] = Self.object(inner, of: "NSMutableString", in: &objects)
            }
        }
        top["$objects"] = .array(objects)
        return .dictionary(top)
    }

    private static func object(
        _ text: PropertyList, of className: String, in objects: inout [PropertyList]
    ) -> PropertyList {
        let described = PropertyList.dictionary([
            "$classname": .string(className), "$classes": .array([.string(className), .string("NSObject")]),
        ])
        let index = objects.firstIndex(of: described) ?? objects.endIndex
        if index == objects.endIndex { objects.append(described) }
        return .dictionary(["$class": .uid(UInt64(index)), "NS.string": text])
    }
}
