package dev.sluice.cli.compare;

import java.util.List;

/** Renders a comparison as a single HTML file without external resources. */
final class ComparisonPage {

    private static final String HEAD = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Algorithms compared</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; }
            h1 { font-size: 1.4rem; margin-bottom: 0; }
            .of { margin-top: 0; color: #57606a; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #d1d9e0; white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; }
            dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: .9rem; color: #57606a; }
            dd { margin: 0; }
            .course { display: block; width: 100%; height: auto; margin: 1.2rem 0; }
            .key { display: inline-block; width: 1.6rem; height: .7rem; vertical-align: baseline; }
            @media (prefers-color-scheme: dark) {
              body { color: #f0f6fc; background: #0d1117; }
              .of, dl { color: #9198a1; }
              th, td { border-color: #3d444d; }
            }
            """;

    private ComparisonPage() {}

    static String of(Comparison comparison) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append(Chart.STYLE).append("</style>\n<h1>Algorithms compared</h1>\n");
        page.append("<p class=\"of\">")
                .append(escaped(comparison.title()))
                .append("</p>\n<div class=\"wide\"><table>\n");
        row(page, "th", comparison.columns());
        comparison.cells().forEach(cells -> row(page, "td", cells));
        page.append("</table></div>\n<dl>\n");
        for (int i = 0; i < comparison.legend().size(); i++) {
            page.append("<dt>").append(escaped(comparison.columns().get(i + 1)));
            page.append("</dt><dd>").append(escaped(comparison.legend().get(i))).append("</dd>\n");
        }
        page.append("</dl>\n<p>").append(key("passed", "M0 6 H26"));
        page.append(" calls that passed in the preceding period, ").append(key("perfect", "M0 0 H26 V12 H0 Z"));
        page.append(" calls that a perfect window would have admitted, ").append(key("counted", "M0 6 H26"));
        page.append(" calls counted by the algorithm, ")
                .append(key("limit", "M0 6 H26"))
                .append(" the limit.</p>\n");
        comparison.charts().forEach(chart -> page.append(chart.inline()));
        return page.append("</html>\n").toString();
    }

    private static String key(String kind, String path) {
        return "<svg class=\"course key\" viewBox=\"0 0 26 12\" style=\"display:inline-block;width:26px;margin:0\"><path class=\""
                + kind + "\" d=\"" + path + "\"/></svg>";
    }

    private static void row(StringBuilder page, String cell, List<String> cells) {
        page.append("<tr>");
        cells.forEach(text -> page.append('<').append(cell).append('>').append(escaped(text)));
        page.append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
