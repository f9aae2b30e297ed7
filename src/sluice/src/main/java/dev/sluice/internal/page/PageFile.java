package dev.sluice.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A static file of the page, read from the jar. Immutable. */
final class PageFile {

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final String type;
    private final byte[] content;
    private final String tag;

    private PageFile(String type, byte[] content, String tag) {
        this.type = type;
        this.content = content;
        this.tag = tag;
    }

    /** Returns all files of the page, by name. */
    static Map<String, PageFile> all() {
        return Stream.of(
                        "index.html",
                        "page.css",
                        "icon.svg",
                        "page.js",
                        "change.js",
                        "charts.js",
                        "clients.js",
                        "details.js",
                        "elements.js",
                        "format.js",
                        "limit-lines.js",
                        "live-table.js",
                        "live.js",
                        "model.js",
                        "overview.js",
                        "plot.js",
                        "uPlot.iife.min.js",
                        "uPlot.min.css")
                .collect(Collectors.toUnmodifiableMap(name -> name, PageFile::read));
    }

    private static PageFile read(String name) {
        try (InputStream in = PageFile.class.getResourceAsStream("/dev/sluice/page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks the file " + name + " of the page; build it with Maven");
            }
            byte[] content = in.readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new PageFile(
                    type == null ? "application/octet-stream" : type,
                    content,
                    '"' + Integer.toHexString(Arrays.hashCode(content)) + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the file, or status 304 if the browser's copy is current.
     *
     * @param known the entity tag of the browser's copy; {@code null} if the browser has no copy
     */
    PageAnswer answer(@Nullable String known) {
        PageAnswer answer = tag.equals(known) ? PageAnswer.empty(304) : PageAnswer.ok(type, content);
        return answer.with("ETag", tag).with("Cache-Control", "no-cache");
    }
}
