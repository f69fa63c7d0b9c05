import JSON

/// What the browser has made of a page, as it is shown at present.
struct BrowserMeasure {
    /// How wide the page is, in CSS pixels.
    let width: Int
    /// How wide it would be if nothing were cut off.
    let wholeWidth: Int
    /// The names of its elements, and of their attributes as `td.class`, each once.
    let elements: Set<String>
    let attributes: Set<String>
    /// Texts on a ground that they do not stand out from by 4.5 : 1, or 3 : 1 if they are large, with the ratio (WCAG 2.2,
    /// 1.4.3).
    let faintTexts: [String]

    init(_ page: BrowserPage) throws {
        let value = try page.evaluate(Self.script)
        func strings(_ key: String) -> [String] {
            guard case .array(let values) = value[key] else { return [] }
            return values.compactMap(\.string)
        }
        width = Int(value["width"]?.number ?? 0)
        wholeWidth = max(width, Int(value["mainWidth"]?.number ?? 0))
        elements = Set(strings("elements"))
        attributes = Set(strings("attributes"))
        faintTexts = strings("faintTexts")
    }

    private static let script = #"""
        (() => {
          const all = [...document.querySelectorAll("*")];
          const channels = color => {
            const numbers = color.startsWith("rgb") && color.match(/[\d.]+/g).map(Number);
            if (!numbers) throw new Error("a colour in another notation: " + color);
            return { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
          };
          const luminance = rgb => rgb.map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
            .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
          const over = (top, ground) => top.rgb.map((value, index) => value * top.alpha + ground[index] * (1 - top.alpha));
          const ground = element => {
            if (!element) return [255, 255, 255];
            return over(channels(getComputedStyle(element).backgroundColor), ground(element.parentElement));
          };
          // A number in a mark has the mark for its ground.
          const markUnder = element => {
            const mark = element instanceof SVGTextElement && element.previousElementSibling;
            const fill = mark && mark.localName === "path" && getComputedStyle(mark).fill;
            return fill && fill !== "none" ? over(channels(fill), ground(element)) : ground(element);
          };
          const faintTexts = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const element = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
            if (!text || !element.getClientRects().length) continue;
            const style = getComputedStyle(element), under = markUnder(element);
            const ink = channels(element instanceof SVGElement ? style.fill : style.color);
            const lights = [luminance(over(ink, under)), luminance(under)].sort((one, other) => other - one);
            const ratio = (lights[0] + 0.05) / (lights[1] + 0.05), size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
            if (ratio < (isLarge ? 3 : 4.5)) faintTexts.push(ratio.toFixed(2) + " " + text);
          }
          return {
            width: document.documentElement.scrollWidth, mainWidth: document.querySelector("main")?.scrollWidth ?? 0,
            elements: [...new Set(all.map(element => element.localName))],
            attributes: [...new Set(all.flatMap(
              element => [...element.attributes].map(item => element.localName + "." + item.name)))],
            faintTexts,
          };
        })()
        """#
}
