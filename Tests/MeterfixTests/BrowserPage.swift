import Foundation
import JSON

/// A file that is open in the browser.
struct BrowserPage {
    /// What a page is shown on.
    enum Appearance: String, CaseIterable {
        case light, dark
        /// By somebody whose screen is dark.
        case printed
    }

    struct View: CustomStringConvertible {
        /// In CSS pixels; below 500 the screen is a telephone's.
        let width: Int
        let appearance: Appearance

        var description: String { "\(width), \(appearance)" }
    }

    private let browser: BrowserProcess
    private let target: JSONValue
    private let session: String

    /// A page like that of a new tab.
    init(in browser: BrowserProcess) throws {
        self.browser = browser
        target = try browser.call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? .null
        let answer = try browser.call("Target.attachToTarget", ["targetId": target, "flatten": true])
        session = answer["sessionId"]?.string ?? ""
        for domain in ["Page", "Runtime", "Log", "Network", "Audits"] {
            try browser.call(domain + ".enable", session: session)
        }
    }

    /// Opens a file, on a telephone, and waits until it is there.
    static func open(_ path: String, in browser: BrowserProcess) throws -> BrowserPage {
        let page = try BrowserPage(in: browser)
        try page.show(View(width: 390, appearance: .light))
        browser.events = []
        try page.call("Page.navigate", ["url": URL(fileURLWithPath: path).absoluteString])
        try browser.wait(for: "Page.loadEventFired", session: page.session)
        return page
    }

    func close() { _ = try? browser.call("Target.closeTarget", ["targetId": target]) }

    func show(_ view: View) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": view.width, "height": 844, "deviceScaleFactor": 1, "mobile": view.width < 500])
        let scheme: JSONValue = ["name": "prefers-color-scheme", "value": view.appearance == .light ? "light" : "dark"]
        try call(
            "Emulation.setEmulatedMedia",
            ["media": view.appearance == .printed ? "print" : "screen", "features": [scheme]])
    }

    /// Errors, warnings and whatever else the browser finds fault with: what its console would show, what the page's
    /// policy forbade, and what its audit says.
    var complaints: [String] {
        browser.events.filter { $0.session == session }.compactMap { event in
            switch event.method {
            case "Log.entryAdded": event.parameters["entry"]?["text"]?.string
            case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Page.javascriptDialogOpening":
                event.parameters.text(pretty: false)
            case "Audits.issueAdded": event.parameters["issue"]?["code"]?.string
            default: nil
            }
        }
    }

    /// The addresses of what was asked for, the page's own among them.
    var requests: [String] {
        browser.events.filter { $0.session == session && $0.method == "Network.requestWillBeSent" }
            .compactMap { $0.parameters["request"]?["url"]?.string }
    }

    /// What an expression of JavaScript comes to. The browser runs it, whatever the page's policy is.
    func evaluate(_ expression: String) throws -> JSONValue {
        let answer = try call("Runtime.evaluate", ["expression": expression, "returnByValue": true])
        if let details = answer["exceptionDetails"] {
            throw MeterfixProcess.Failure(description: details["exception"]?["description"]?.string ?? "\(details)")
        }
        return answer["result"]?["value"] ?? .null
    }

    /// What a screen reader is told of the page, from its beginning to its end.
    func accessibleNodes() throws -> [AccessibleNode] {
        guard case .array(let nodes) = try call("Accessibility.getFullAXTree")["nodes"] else { return [] }
        return nodes.filter { $0["ignored"] != .bool(true) }.map(AccessibleNode.init)
    }

    /// The page as a PNG, or a part of it.
    /// - Parameters:
    ///   - top: where it begins, in CSS pixels.
    ///   - height: at most, in CSS pixels.
    ///   - scale: pixels of the picture for each of those.
    func screenshot(from top: Int = 0, height: Int = 3_000, scale: Double = 1) throws -> [UInt8] {
        let size = try evaluate("[innerWidth, document.documentElement.scrollHeight]")
        guard case .array(let numbers) = size, let width = numbers.first?.number, let whole = numbers.last?.number
        else { return [] }
        let clip: JSONValue = [
            "x": 0, "y": top, "width": width, "height": min(whole - Double(top), Double(height)), "scale": scale,
        ]
        return try file(
            call("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true, "clip": clip]))
    }

    /// The page on paper, A4.
    func pdf() throws -> [UInt8] {
        try file(call("Page.printToPDF", ["paperWidth": 8.27, "paperHeight": 11.69]))
    }

    private func file(_ answer: JSONValue) throws -> [UInt8] {
        guard let text = answer["data"]?.string, let data = Data(base64Encoded: text) else {
            throw MeterfixProcess.Failure(description: "the browser made no file")
        }
        return [UInt8](data)
    }

    @discardableResult
    func call(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        try browser.call(method, parameters, session: session)
    }
}

/// A thing with a meaning, such as a heading or a cell of a table.
struct AccessibleNode {
    let role: String
    let name: String
    /// Of a heading, from 1; otherwise 0.
    let level: Int

    init(_ node: JSONValue) {
        role = node["role"]?["value"]?.string ?? ""
        name = node["name"]?["value"]?.string ?? ""
        guard case .array(let properties) = node["properties"] else {
            level = 0
            return
        }
        level = Int(properties.first { $0["name"] == "level" }?["value"]?["value"]?.number ?? 0)
    }
}
