/// The style sheet of each page: one column, two where there is room, black on white in print.
extension HTMLRenderer {
    /// Text has a contrast of at least 4.5 to 1 on each ground it may be on, and lines that mean something 3 to 1.
    static let styleSheet = """
        :root { color-scheme: light dark; --paper: #f4f5f7; --card: #fff; --ink: #15181c; --faint: #515861; --line: #dadee3;
          --edge: #7d858e; --good: #0b6072; --goodtint: #e4f1f4; --alert: #a33a06; --alerttint: #fdf0e7; --on: #fff; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #101215; --card: #1a1d21; --ink: #eceef0; --faint: #a9b1ba; --line: #31363c;
            --edge: #7b848d; --good: #74cbdd; --goodtint: #12303a; --alert: #ffa768; --alerttint: #3a2214; --on: #101215; }
        }
        @media (prefers-contrast: more) { html { --faint: var(--ink); --line: var(--edge); } }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
        body { margin: 0; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
        main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1.5rem 3rem; overflow-x: clip; }
        main > header { color: var(--faint); font-size: 0.875rem; padding-bottom: 1rem; }
        article + article { margin-top: 2.5rem; border-top: 3px solid var(--line); }
        h1 { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0.5em 0; }
        h2 { font-size: 1.5rem; line-height: 2rem; letter-spacing: -0.012em; margin: 1.5em 0 0.4em; }
        h3 { font-size: 1.0625rem; line-height: 1.5rem; margin: 1.2em 0 0.3em; }
        h4, h5, h6 { font-size: 0.9375rem; line-height: 1.4rem; margin: 1em 0 0.3em; }
        header, h1, h2, h3, h4, h5, h6, p, li, dt, dd, pre, figcaption { overflow-wrap: anywhere; }
        p, ul, ol, dl, pre, .table { margin: 0.5em 0; }
        b, dt { font-weight: 650; }
        a { color: var(--good); text-underline-offset: 0.2em; }
        a:focus-visible, summary:focus-visible { outline: 3px solid var(--good); outline-offset: 2px; border-radius: 4px; }
        .group { margin: 1.2em 0; }
        .prose { max-width: 44rem; }
        article:not(.paged) > p, section > p { max-width: 60rem; }
        article:not(.paged) > h1 { font-size: 1.5rem; line-height: 1.3; } article:not(.paged) h2 { font-size: 1.125rem; line-height: 1.5rem; }
        h1 code, h2 code { font-size: 0.85em; font-weight: inherit; }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.8125rem; }
        code { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
        .whole { white-space: nowrap; overflow-wrap: normal; }
        pre { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.75rem;
          white-space: pre-wrap; user-select: all; }
        article:not(.paged) pre { background: var(--card); }
        .table { overflow-x: auto; background:
            linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
            linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
        .card .table { background: none; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.8125rem; line-height: 1.25rem; }
        th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; }
        th, td { overflow-wrap: break-word; max-width: 36rem; }
        thead th { color: var(--faint); font-weight: 600; border-bottom-color: var(--edge); }
        tbody tr:last-child > * { border-bottom: 0; }
        td { min-width: 2em; } td:first-child { min-width: 3.5em; } .number { text-align: right; } .moment { min-width: 6.5em; }
        table.stacked { width: 100%; } .stacked td, .stacked th { overflow-wrap: anywhere; min-width: 5.25rem; }
        dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 0.2em 1.2em; }
        dt { grid-column: 1; } dd { grid-column: 2; margin: 0; }
        ul.next { list-style-type: "→ "; }
        mark { background: var(--goodtint); color: inherit; padding: 0.1em 0.3em; border-bottom: 2px solid var(--good);
          -webkit-box-decoration-break: clone; box-decoration-break: clone; }
        .faint, .remark { color: var(--faint); }
        .good { color: var(--good); } .note { color: var(--faint); }
        .warning, .error { color: var(--alert); font-weight: 650; }
        .banner { border-left: 4px solid currentColor; padding: 0.3em 0.8em; font-weight: inherit; }
        figure { margin: 0.8em 0; } summary { cursor: pointer; }
        svg { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
        .i { width: 1.25rem; height: 1.25rem; flex: none; vertical-align: -0.3em; margin-right: 0.4rem; }
        svg text { fill: var(--ink); stroke: none; font-size: 11px; font-variant-numeric: tabular-nums; }

        .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.5rem; }
        .verdict { border-radius: 16px; padding: 2rem; background: var(--tint); }
        .verdict.bad { --tone: var(--alert); --tint: var(--alerttint); } .verdict.ok { --tone: var(--good); --tint: var(--goodtint); }
        .verdict p { max-width: 44rem; margin: 0.75rem 0 0; font-size: 1.0625rem; line-height: 1.625rem; }
        .verdict h1 { margin: 0; text-wrap: balance; }
        .verdict .word { display: inline-flex; align-items: center; margin: 0 0 1rem; padding: 0.25rem 1rem 0.25rem 0.5rem;
          border-radius: 999px; background: var(--tone); color: var(--on); font-weight: 650; font-size: 1rem; line-height: 1.5rem; }
        .verdict.stop { border: 4px solid var(--alert); }
        .top { display: grid; gap: 1.5rem; margin-top: 1.5rem; }
        .card > h2, .card > h3 { margin-top: 0.25rem; } h2:has(> .warning) .i, h2:has(> .error) .i, h3:has(> .warning) .i, h3:has(> .error) .i { color: var(--alert); }
        .letter { padding: 1.5rem 2rem 2rem; font-size: 1.0625rem; line-height: 1.75rem; }
        .letter > * { max-width: 38rem; } .letter > p { margin: 1rem 0 0; }
        .letter > h2 { font-size: 0.8125rem; line-height: 1.25rem; letter-spacing: 0; color: var(--faint); }
        .letter > h2 + p { font-size: 1.25rem; font-weight: 700; }
        .card.request { background: var(--goodtint); border: 0; border-radius: 8px; margin-top: 1rem; padding: 0.75rem 1.25rem 1rem; }
        .bad ~ .top .request { background: var(--alerttint); }
        .request h3 { margin: 0; line-height: 1.75rem; } .request p { margin: 0; }
        .asks { list-style: none; padding: 0; counter-reset: ask; display: grid; gap: 1.25rem; margin: 1rem 0 0; }
        .asks > li { position: relative; padding-left: 2rem; counter-increment: ask; }
        .asks > li::before { content: counter(ask); position: absolute; left: 0; font-weight: 650; }
        .asks p { margin: 0; } .asks ul { list-style: none; padding: 0; display: grid; gap: 0.25rem; font-size: 1rem; line-height: 1.5rem; }
        .asks ul li { display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); gap: 0.75rem; align-items: baseline; }
        .letter .group { margin: 1rem 0 0; } .letter .group p { margin: 0; }
        .say { border: 1px solid var(--edge); border-radius: 6px;
          padding: 0 0.25rem; text-align: center; white-space: nowrap; font-size: 0.875rem; }
        .path { list-style: none; padding: 0; margin: 1rem 0 0; }
        .path li { position: relative; padding: 0.25rem 0 1.25rem 3rem; } .path li:last-child { padding-bottom: 0; }
        .path li::before { content: counter(list-item); position: absolute; left: 0; top: 0; width: 2rem; height: 2rem; line-height: 1.875rem;
          border: 1px solid var(--edge); border-radius: 50%; text-align: center; font-weight: 650; font-size: 0.875rem; background: var(--card); }
        .path li:not(:last-child)::after { content: ""; position: absolute; left: 1rem; top: 2.25rem; bottom: 0.25rem; border-left: 1px solid var(--edge); }
        .path .now::before { background: var(--ink); color: var(--card); border-color: var(--ink); }
        .path .past::before { content: "✓"; background: var(--good); color: var(--on); border-color: var(--good); }
        .path p { margin: 0; color: var(--faint); }
        .rail { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 1.5rem; align-content: start; align-items: start; }
        .aside h2 { font-size: 1.0625rem; line-height: 1.5rem; letter-spacing: 0; }
        .points { list-style: none; padding: 0; display: grid; gap: 0.75rem; margin: 0.75rem 0 0; }
        .points li { display: grid; grid-template-columns: 1.75rem minmax(0, 1fr); font-size: 0.875rem; line-height: 1.25rem; align-content: start; }
        .points .i { grid-row: span 2; } .points p { color: var(--faint); margin: 0; grid-column: 2; }
        .card.warning { border: 2px solid var(--alert); color: inherit; font-weight: inherit; }
        .card.warning .points { grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem 2rem; }
        .figures { display: block; margin: 0.5rem 0 0; }
        .figures > div { display: grid; grid-template-columns: minmax(4.75rem, max-content) 1fr; gap: 0.75rem; align-items: baseline; padding: 0.5rem 0; border-top: 1px solid var(--line); }
        .figures dt { font-size: 1.25rem; font-weight: 700; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .figures dd { grid-column: 2; font-size: 0.875rem; line-height: 1.25rem; }
        .towers { display: flex; gap: 0.75rem; align-items: center; margin-top: 0.75rem; } .towers > .tip { flex: none; }
        .towers figure { margin: 0; min-width: 0; } .towers svg { max-width: 100%; height: auto; }
        .towers figcaption { font-size: 0.75rem; border-top: 1px solid var(--edge); padding-top: 0.25rem; }
        .box { fill: var(--good); stroke: var(--good); } .extra { fill: var(--alerttint); stroke: var(--alert); }
        .none { stroke: var(--edge); stroke-dasharray: 3 3; }
        svg.tip { width: 0.75rem; height: 0.75rem; color: var(--good); stroke-width: 2; }
        .contents p { font-size: 0.8125rem; font-weight: 600; color: var(--faint); margin: 0; }
        .contents { margin: 2rem 0 0; } .contents ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; }
        .contents a { display: flex; gap: 0.5rem; justify-content: space-between; padding: 0.25rem 0.75rem; border: 1px solid var(--line);
          border-radius: 999px; background: var(--card); color: inherit; text-decoration: none; font-size: 0.875rem; }
        .contents a:hover { text-decoration: underline; }
        .paged > section { margin-top: 3.5rem; } .paged > .verdict { margin-top: 0; }
        .paged > section > h2 { margin-top: 0; }
        .paged > .card { margin-top: 1.5rem; } .part + p { margin-top: 1rem; } section > .card + .card { margin-top: 0.75rem; }
        .card > .part > .line > :is(h3, h4, h5)::first-letter { text-transform: uppercase; }

        .part { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.5rem; margin-top: 0.75rem; }
        .line { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; }
        .line h3, .line h4, .line h5, .line h6 { margin: 0; min-width: 0; max-width: calc(100% - 1.5rem); font-size: 1.0625rem; line-height: 1.5rem; }
        .line .state { margin-left: auto; font-size: 0.8125rem; font-weight: 600; } .state .i { width: 1rem; height: 1rem; }
        details.part { padding: 0; } details.part > summary { padding: 0.75rem 1.5rem; list-style: none; }
        details.part > :not(summary) { margin-left: 1.5rem; margin-right: 1.5rem; } details.part > :last-child { margin-bottom: 1rem; }
        summary::-webkit-details-marker { display: none; }
        details.part > summary::before { content: ""; flex: none; width: 0.4375rem; height: 0.4375rem; border: solid var(--faint);
          border-width: 0 2px 2px 0; transform: rotate(-45deg); align-self: center; }
        details.part[open] > summary::before { transform: rotate(45deg); }
        .card > .part { border: 0; border-top: 1px solid var(--line); border-radius: 0; margin: 0; background: none; padding: 0.75rem 0; }
        .card > details.part { padding: 0; } .card > details.part > summary { padding: 0.75rem 0; }
        .part .part .line > :is(h3, h4, h5, h6), .card > .part .line > :is(h3, h4, h5) { font-size: 0.9375rem; font-weight: 500; }
        .card > details.part > :not(summary) { margin-left: 1.25rem; margin-right: 0; }
        .part p, .part li, .part dl { font-size: 0.9375rem; line-height: 1.4rem; }

        .pick { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0.75rem; margin-top: 0.5rem; }
        .pick > div { border: 2px solid var(--good); border-radius: 8px; padding: 0.75rem 1rem; } .pick > .no { border: 2px dashed var(--alert); }
        .pick b { display: block; font-size: 1.0625rem; overflow-wrap: anywhere; } .pick p { margin: 0; }
        .fate { font-size: 0.8125rem; font-weight: 650; white-space: nowrap; } .pick .fate { white-space: normal; }
        .merge { display: grid; grid-template-columns: minmax(0, 1fr) 5rem minmax(0, 1fr); margin-top: 0.75rem; }
        .from { display: grid; grid-auto-rows: 1fr; gap: 0.5rem; }
        .source, .result { border: 1px solid var(--edge); border-radius: 8px; padding: 0.5rem 1rem; }
        .source { border-style: dashed; } .source.left { border-style: solid; } .result { border: 2px solid var(--good); align-self: center; }
        .merge dl { grid-template-columns: 7rem minmax(0, 1fr); gap: 0 0.75rem; margin: 0.25rem 0; font-size: 0.8125rem; line-height: 1.25rem; }
        .merge dt, .merge summary { font-weight: inherit; color: var(--faint); font-size: 0.8125rem; }
        .link { position: relative; color: var(--edge); } .link .across { position: absolute; inset: 0; width: 100%; height: 100%; stroke-width: 1.5; }
        .wire { vector-effect: non-scaling-stroke; stroke-dasharray: 4 4; } .wire.left { stroke: var(--good); stroke-dasharray: none; }
        .link .tip { position: absolute; right: 0; top: calc(50% - 0.375rem); }

        .flow { display: grid; grid-template-columns: minmax(0, 1fr) 11rem minmax(0, 1fr) 11rem minmax(0, 1fr); align-items: start; list-style: none; padding: 1.5rem; }
        .station { text-align: center; } .station > .i { width: 2.5rem; height: 2.5rem; stroke-width: 1.25; display: block; margin: 0 auto 0.25rem; }
        .flow p { font-size: 0.8125rem; line-height: 1.25rem; color: var(--faint); margin: 0; }
        .hop { text-align: center; padding: 0 0.75rem; font-size: 0.8125rem; line-height: 1.25rem; }
        .way + .way { margin-top: 0.5rem; } .way .wire { display: block; position: relative; height: 1.25rem; color: var(--good); }
        .way .wire::before { content: ""; position: absolute; left: 0; right: 0; top: 50%; border-top: 2px solid currentColor; }
        .way.stopped .wire { color: var(--alert); } .way.stopped .wire::before { border-top-style: dashed; } .way.stopped b { color: var(--alert); }
        .way.waits .wire { color: var(--ink); } .way.waits .wire::before { border-top-style: dashed; }
        .way.unknown .wire { color: var(--edge); } .way.unknown .wire::before { border-top-style: dotted; }
        .way .tip { position: absolute; right: 0; top: 0.25rem; color: inherit; } .way.back .tip { right: auto; left: 0; }
        .cross { position: absolute; left: calc(50% - 0.6rem); top: 0.025rem; width: 1.2rem; height: 1.2rem; background: var(--card); border-radius: 50%; stroke-width: 2; }

        .lane { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); align-items: center; }
        .lane + .lane { border-top: 1px solid var(--line); } .lane.axis { border-top-color: var(--edge); }
        .track { display: block; width: 100%; overflow: visible; } .track svg { overflow: visible; }
        .who { display: flex; gap: 0.5rem; align-items: center; font-size: 0.8125rem; line-height: 1.125rem; margin: 0; padding: 0.25rem 0.5rem 0.25rem 0; }
        .who .faint { display: block; } .sample { width: 1.25rem; height: 1.25rem; flex: none; }
        .grid { stroke: var(--line); stroke-width: 1; } text.label, text.count, text.event { text-anchor: middle; }
        text.label { fill: var(--faint); } text.count { fill: var(--card); font-weight: 700; } svg text.many { font-size: 8px; } text.count.cloud, text.count.other { fill: var(--ink); }
        .mark.app { fill: var(--ink); stroke: var(--ink); } .mark.cloud { fill: var(--card); stroke: var(--ink); }
        .mark.meterfix { fill: var(--good); stroke: var(--good); } .mark.other { fill: var(--alerttint); stroke: var(--alert); } .mark.device { stroke: var(--ink); stroke-width: 2; }
        path.event { fill: var(--card); stroke: var(--edge); } path.hot { stroke: var(--alert); stroke-width: 2; } text.hot { fill: var(--alert); font-weight: 700; }
        .span { stroke: var(--alert); stroke-width: 12; stroke-dasharray: 3 3; stroke-linecap: butt; }
        .events { padding: 0; list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0.5rem 2rem; font-size: 0.875rem; line-height: 1.25rem; }
        .events li { display: grid; grid-template-columns: 1.5rem 6rem minmax(0, 1fr); gap: 0.5rem; align-items: baseline; }
        .events b { width: 1.25rem; height: 1.25rem; border: 1px solid var(--edge); border-radius: 50%; text-align: center; font-size: 0.6875rem; line-height: 1.125rem; }
        .events .hot b { border: 2px solid var(--alert); color: var(--alert); line-height: 1rem; }

        @media print, (min-width: 60rem) {
          .path { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 1.5rem; }
          .path li { padding: 2.75rem 0 0; } .path b { line-height: 1.375rem; display: block; }
          .path li:not(:last-child)::after { left: 2.5rem; right: -1rem; top: 1rem; bottom: auto; border: 0; border-top: 1px solid var(--edge); }
          .path p { font-size: 0.875rem; line-height: 1.25rem; margin-top: 0.25rem; }
        }
        @media screen and (min-width: 60rem) {
          .top:has(> .rail) { grid-template-columns: minmax(0, 1fr) 20rem; } .rail { grid-area: 1 / 2; }
          .steps, .card.warning { grid-column: 1 / -1; }
        }
        @media screen and (min-width: 74rem) {
          .paged { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr); column-gap: 3rem; }
          .paged > * { grid-column: 2; min-width: 0; }
          .paged > .contents { grid-column: 1; grid-row: 1 / span 40; margin: 0; align-self: start; position: sticky; top: 2rem; }
          .contents ul { display: grid; gap: 0; border-left: 1px solid var(--line); }
          .contents a { border: 0; background: none; border-radius: 0; padding: 0.25rem 0 0.25rem 1rem; }
        }
        @media screen and (max-width: 40rem) {
          main { padding: 1rem 1rem 2rem; } .paged > section { margin-top: 2.5rem; } h2 { font-size: 1.25rem; line-height: 1.75rem; }
          .verdict, .letter { padding: 1.25rem; } .card, .part { padding: 1rem; } details.part > summary { padding: 0.75rem 1rem; }
          details.part > :not(summary) { margin-left: 1rem; margin-right: 1rem; } .line .state { margin-left: 0; width: 100%; }
          ul, ol { padding-left: 1.5em; } dl { column-gap: 0.8em; } th, td { max-width: 15rem; }
          .table th:first-child, .table td:first-child { position: sticky; left: 0; max-width: 12rem; background: var(--paper); }
          .card .table th:first-child, .card .table td:first-child, .part .table th:first-child, .part .table td:first-child { background: var(--card); }
          .merge, .flow { grid-template-columns: minmax(0, 1fr); } .from { grid-auto-rows: auto; }
          .link { height: 2rem; } .link .across { display: none; } .link .tip { right: auto; left: 50%; transform: rotate(90deg); }
          .station { text-align: left; display: grid; grid-template-columns: 3rem 1fr; } .station > .i { grid-row: span 6; margin: 0; } .station p { grid-column: 2; }
          .hop { text-align: left; padding: 0.75rem 0 0.75rem 3rem; } .way .wire { width: 6rem; }
          .lane { grid-template-columns: minmax(0, 1fr); } .label.odd { display: none; }
          .events li { grid-template-columns: 1.5rem minmax(0, 1fr); } .events li > :last-child { grid-column: 2; }
          .stacked, .stacked tbody, .stacked tr, .stacked th, .stacked td { display: block; max-width: none; } .stacked thead { display: none; }
          .stacked tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); } .stacked tr:last-child { border: 0; }
          .stacked th, .stacked td { border: 0; padding: 0; } .stacked td { position: relative; padding-left: 6.75rem; min-height: 1.25rem; }
          .stacked td::before { content: attr(data-head); position: absolute; left: 0; color: var(--faint); } .stacked td:empty { display: none; }
        }
        @media print {
          :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --faint: #3d434a; --line: #c4c9cf; --edge: #6b737c;
            --good: #0b6072; --goodtint: #eef6f8; --alert: #8f3205; --alerttint: #fdf4ed; --on: #fff; }
          html { font-size: 10pt; } main { max-width: none; padding: 0 1px; } .contents { display: none; }
          .verdict, .word, .request, .path li::before, svg, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          .verdict { padding: 0.75rem 1.25rem; } .verdict p { margin-top: 0.5rem; font-size: 1rem; line-height: 1.5rem; max-width: none; } h1 { font-size: 1.75rem; }
          .verdict .word { margin-bottom: 0.5rem; } .top { display: block; margin: 0; } .top > * { margin-top: 0.75rem; }
          .card { padding: 0.75rem 1.25rem; } .letter { font-size: 1rem; line-height: 1.5rem; } .letter > * { max-width: none; }
          .letter > p, .asks, .card.request { margin-top: 0.5rem; } .asks { gap: 0.5rem; } .say::before { content: "☐ "; }
          .rail { grid-template-columns: 1fr 1fr; } .figures > div { padding: 0.125rem 0; } .paged > section { margin-top: 1.5rem; }
          .table { overflow: visible; background: none; } thead { display: table-header-group; }
          table { font-size: 0.75rem; } td + td { overflow-wrap: anywhere; min-width: 5em; } th, td:first-child { max-width: 9.5rem; }
          details::details-content { content-visibility: visible; display: block; block-size: auto; } details.part > summary::before { display: none; }
          a { color: inherit; text-decoration: none; }
          /* What only a developer reads is for the screen. */
          #technical, #cloud > details { display: none; }
          .paged > section { margin-top: 1.25rem; } h2 { font-size: 1.25rem; line-height: 1.5rem; }
          .verdict, .request, .steps, .aside, .part .merge, .source, .result, .lane, .flow, .pick, tr, li, dd, p { break-inside: avoid; }
          h1, h2, h3, h4, summary, figcaption, .line { break-after: avoid; }
        }
        """
}
