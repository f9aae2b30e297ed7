package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of refusals, as defined in the file. The encoding is UTF-8. Immutable and thread-safe.
 *
 * @param contentType the value of {@code Content-Type}
 * @param syntax the syntax, which determines how inserted values are escaped
 * @param pieces the parts of the body, in order
 */
public record RefusalBody(String contentType, Syntax syntax, List<Piece> pieces) {

    /**
     * A plain HTML page with the status and the detail of a problem document. The page has no scripts, loads no
     * resources, and supports dark mode. If a content security policy forbids its styles, the page is still readable.
     */
    public static final RefusalBody PLAIN_PAGE = new RefusalBody(
            "text/html;charset=utf-8",
            Syntax.MARKUP,
            List.of(
                    new Piece("""
                            <!DOCTYPE html>
                            <html lang="en">
                            <head>
                            <meta charset="utf-8">
                            <meta name="viewport" content="width=device-width, initial-scale=1">
                            <meta name="color-scheme" content="light dark">
                            <meta name="robots" content="noindex">
                            <title>Too many requests</title>
                            <style>
                            body { font: 1.125rem/1.5 system-ui, sans-serif; margin: 15vh auto 0; max-width: 36rem; padding: 0 1.5rem }
                            h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem }
                            small { opacity: .7 }
                            </style>
                            </head>
                            <body>
                            <h1>Too many requests</h1>
                            <p>""", Placeholder.DETAIL, false),
                    new Piece("</p>\n<p><small>Status ", Placeholder.STATUS, false),
                    new Piece("</small></p>\n</body>\n</html>\n", null, false)));

    public RefusalBody {
        pieces = List.copyOf(pieces);
    }

    /** The page to send if the file defines a body but no page; {@code null} if the body itself is a page. */
    public static @Nullable RefusalBody defaultPage(@Nullable RefusalBody body) {
        return body != null && body.contentType.startsWith("text/html") ? null : PLAIN_PAGE;
    }

    /** The syntax of a body. It determines how inserted values are escaped. */
    public enum Syntax {
        JSON,
        /** The body is HTML or XML. */
        MARKUP,
        PLAIN
    }

    /** The values that can be inserted into a body. */
    public enum Placeholder {
        /** The status of the response, as a number. */
        STATUS("status", true),
        /** The number of seconds in {@code Retry-After}; missing if no retry can pass. */
        RETRY_AFTER("retryAfter", true),
        /** The threshold of the refusing limit, as a number; missing if no limit refused the call. */
        LIMIT("limit", true),
        /** The id of the refusing endpoint. */
        ENDPOINT("endpoint", false),
        /** The path of the call, as the caller sent it. */
        PATH("path", false),
        /** An English sentence with the reason and the time to wait before a retry. */
        DETAIL("detail", false);

        private final String word;
        private final boolean isNumber;

        Placeholder(String word, boolean isNumber) {
            this.word = word;
            this.isNumber = isNumber;
        }

        /** The word between braces in the file. */
        public String word() {
            return word;
        }

        /** Whether the value is a number. JSON numbers have no quotes. */
        public boolean isNumber() {
            return isNumber;
        }
    }

    /**
     * Fixed text, followed by an inserted value.
     *
     * @param text the fixed text
     * @param value the value to insert after the fixed text; {@code null} for no value
     * @param isWholeValue whether the placeholder stands for a complete JSON value, outside any string. If so, the
     *     value needs its own quotes
     */
    public record Piece(String text, @Nullable Placeholder value, boolean isWholeValue) {}
}
