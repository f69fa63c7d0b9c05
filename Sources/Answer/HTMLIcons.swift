/// Pictures of one colour, 24 by 24, that are drawn beside words.
extension Block.Icon {
    /// - Parameter size: the class of the element, in the style sheet.
    func svg(_ size: String = "i") -> String {
        "<svg class=\"\(size)\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }

    private static let ring = "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0"

    private var path: String {
        switch self {
        case .check: Self.ring + "M8 12.4l2.7 2.7L16 9.6"
        case .triangle: "M12 4.2 21 19.5H3zM12 10v4M12 16.8v.01"
        case .octagon: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 8v5M12 16v.01"
        case .circle: Self.ring + "M12 11v5M12 8v.01"
        case .question: Self.ring + "M9.6 9.6a2.5 2.5 0 1 1 3.7 2.2c-.9.5-1.3 1-1.3 1.9M12 16.6v.01"
        case .letter: "M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM3.5 7.5l8.5 6 8.5-6"
        case .cloud: "M7 18.5h10a4 4 0 0 0 .6-7.95A6 6 0 0 0 6 11a3.8 3.8 0 0 0 1 7.5z"
        case .device: "M4.5 6.5h15v9h-15zM2.5 19h19"
        case .devices: "M3 4h12v16H3zM18 9h3.5v11H18M8 17h2"
        case .back: "M9 14.5 4 9.5l5-5M4 9.5h10.5a5.5 5.5 0 0 1 0 11H11"
        case .copy: "M8.5 8.5h12v12h-12zM5.5 15.5H3.5v-12h12v2"
        case .eye:
            "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9.2 12a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0"
        case .list: "M4 7h10M4 12h10M4 17h6M17.5 15.5l1.5 1.5 3-3.5"
        case .kept: Self.ring + "M9.5 12a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0"
        case .discarded: Self.ring + "M8.5 8.5l7 7M15.5 8.5l-7 7"
        }
    }
}
