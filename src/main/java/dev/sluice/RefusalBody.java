package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal, as the file defines it; sent in UTF-8.
 *
 * @param contentType the value of {@code Content-Type}
 * @param syntax how values are escaped in it
 * @param pieces what the body is assembled from
 */
public record RefusalBody(String contentType, Syntax syntax, List<Piece> pieces) {

    public RefusalBody {
        pieces = List.copyOf(pieces);
    }

    /** The syntax of the body, which decides what is escaped. */
    public enum Syntax {
        JSON,
        /** HTML or XML. */
        MARKUP,
        PLAIN
    }

    /** The values that a body can contain. */
    public enum Placeholder {
        /** The status of the answer, a number. */
        STATUS("status", true),
        /** The seconds of {@code Retry-After}, a number; absent if no retry ever passes. */
        RETRY_AFTER("retryAfter", true),
        /** The threshold of the limit that refuses, a number; absent if no limit refuses. */
        LIMIT("limit", true),
        /** The id of the endpoint that refuses. */
        ENDPOINT("endpoint", false),
        /** The path of the call as it was sent. */
        PATH("path", false),
        /** An English sentence: the reason, and when a retry passes. */
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

        public boolean isNumber() {
            return isNumber;
        }
    }

    /**
     * A fixed text, followed by a value.
     *
     * @param value {@code null} for the fixed text alone
     * @param isWholeValue whether the value stands alone in JSON, outside any string, so that it needs its own quotes
     */
    public record Piece(String text, @Nullable Placeholder value, boolean isWholeValue) {}
}
