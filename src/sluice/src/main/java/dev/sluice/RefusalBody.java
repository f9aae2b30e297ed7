package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal, as the file defines it; sent in UTF-8. Immutable and thread-safe.
 *
 * @param contentType the value of {@code Content-Type}
 * @param syntax how inserted values are escaped
 * @param pieces the parts of the body, in order
 */
public record RefusalBody(String contentType, Syntax syntax, List<Piece> pieces) {

    public RefusalBody {
        pieces = List.copyOf(pieces);
    }

    /** The syntax of the body, which decides how values are escaped. */
    public enum Syntax {
        JSON,
        /** HTML or XML. */
        MARKUP,
        PLAIN
    }

    /** The values that can be inserted into a body. */
    public enum Placeholder {
        /** The status of the response; a number. */
        STATUS("status", true),
        /** The seconds of {@code Retry-After}; a number, absent if no retry can pass. */
        RETRY_AFTER("retryAfter", true),
        /** The threshold of the limit that refuses; a number, absent if no limit refuses. */
        LIMIT("limit", true),
        /** The id of the endpoint that refuses. */
        ENDPOINT("endpoint", false),
        /** The path of the call, as the caller sent it. */
        PATH("path", false),
        /** An English sentence: the reason, and when to retry. */
        DETAIL("detail", false);

        private final String word;
        private final boolean isNumber;

        Placeholder(String word, boolean isNumber) {
            this.word = word;
            this.isNumber = isNumber;
        }

        /** The word in the file, between braces. */
        public String word() {
            return word;
        }

        /** Whether the value is a number, which JSON writes without quotes. */
        public boolean isNumber() {
            return isNumber;
        }
    }

    /**
     * Fixed text, followed by an inserted value.
     *
     * @param text the fixed text
     * @param value what to insert after it; {@code null} to insert nothing
     * @param isWholeValue whether the value stands alone in JSON, outside any string, so that it needs its own quotes
     */
    public record Piece(String text, @Nullable Placeholder value, boolean isWholeValue) {}
}
