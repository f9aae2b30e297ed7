package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal as the file words it, sent in UTF-8.
 *
 * @param contentType what the answer says its body is
 * @param syntax how values are escaped in it
 * @param pieces what it is put together from
 */
public record RefusalBody(String contentType, Syntax syntax, List<Piece> pieces) {

    public RefusalBody {
        pieces = List.copyOf(pieces);
    }

    /** What would have to be escaped in a text. */
    public enum Syntax {
        JSON,
        /** HTML or XML. */
        MARKUP,
        PLAIN
    }

    /** What a body can tell of a refusal. */
    public enum Placeholder {
        /** The status of the answer, a number. */
        STATUS("status", true),
        /** The seconds of {@code Retry-After}, a number; none if no retry ever passes. */
        RETRY_AFTER("retryAfter", true),
        /** How many calls the limit allows in a period, a number; none if no limit refuses. */
        LIMIT("limit", true),
        /** The id of the endpoint that refuses. */
        ENDPOINT("endpoint", false),
        /** The path of the call as its caller wrote it. */
        PATH("path", false),
        /** A sentence in English that says why, and when a retry passes. */
        DETAIL("detail", false);

        private final String word;
        private final boolean isNumber;

        Placeholder(String word, boolean isNumber) {
            this.word = word;
            this.isNumber = isNumber;
        }

        /** As the file writes it, between braces. */
        public String word() {
            return word;
        }

        public boolean isNumber() {
            return isNumber;
        }
    }

    /**
     * A fixed text and a value behind it.
     *
     * @param value {@code null} for the fixed text alone
     * @param isWholeValue whether the value stands for itself in JSON, in no string, so that it needs quotes of its own
     */
    public record Piece(String text, @Nullable Placeholder value, boolean isWholeValue) {}
}
