package dev.sluice.cli.rehearse;

import dev.sluice.internal.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Renders a report as a single page that contains its own styles, scripts and data. A content security policy allows
 * the browser to run only the page's two scripts, and prevents it from loading anything.
 */
final class HtmlReport {

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src %s %s">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>Rehearsal</title>
            <style>%s</style>
            </head>
            <body>
            <header><div class="who"><div><h1 id="file">Rehearsal</h1><p id="of"></p></div></div></header>
            <main id="main"><p>This page needs JavaScript, which is turned off in your browser.</p></main>
            <script type="application/json" id="data">%s</script>
            <script>%s</script>
            <script type="module">%s</script>
            </body>
            </html>
            """;

    private HtmlReport() {}

    static String of(RehearsalReport report) {
        String library = resource("/dev/sluice/page/uPlot.iife.min.js");
        String script = resource("/dev/sluice/page/elements.js")
                + resource("/dev/sluice/page/format.js")
                + resource("/dev/sluice/page/plot.js")
                + resource("report/report.js");
        String styles = resource("/dev/sluice/page/uPlot.min.css")
                + resource("/dev/sluice/page/page.css")
                + resource("report/report.css");
        return PAGE.formatted(allowed(library), allowed(script), styles, JsonReport.inScript(report), library, script);
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + name + "; build it with Maven");
            }
            // Browsers normalize line endings before they verify the hash of a script.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the entry in the content security policy that allows a script. */
    private static String allowed(String script) {
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(script)) + "'";
    }
}
