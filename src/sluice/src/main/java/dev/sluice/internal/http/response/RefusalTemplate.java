package dev.sluice.internal.http.response;

import dev.sluice.Endpoint;
import dev.sluice.RefusalBody;
import dev.sluice.RefusalBody.Piece;
import dev.sluice.RefusalBody.Placeholder;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the template for the body of a refusal. The template comes from the limits file. All values are escaped,
 * because some of them, such as the path, come from callers.
 */
public final class RefusalTemplate {

    /** The longest path in a body. Longer paths are truncated, so that a caller cannot inflate the body. */
    private static final int LONGEST_PATH = 1_000;

    private RefusalTemplate() {}

    /**
     * Returns the completed body.
     *
     * @param path the path as sent by the caller
     */
    public static String filledIn(RefusalBody body, Refusal refusal, String path) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : body.pieces()) {
            text.append(piece.text());
            Placeholder placeholder = piece.value();
            if (placeholder != null) {
                append(text, body, piece, placeholder, value(placeholder, refusal, path));
            }
        }
        return text.toString();
    }

    private static void append(
            StringBuilder text, RefusalBody body, Piece piece, Placeholder placeholder, @Nullable String value) {
        if (!piece.isWholeValue()) {
            Escapes.append(text, body.syntax(), value == null ? "" : value);
        } else if (value == null || placeholder.isNumber()) {
            text.append(value);
        } else {
            text.append('"');
            Escapes.append(text, body.syntax(), value);
            text.append('"');
        }
    }

    private static @Nullable String value(Placeholder placeholder, Refusal refusal, String path) {
        return switch (placeholder) {
            case STATUS -> String.valueOf(refusal.status());
            case RETRY_AFTER -> refusal.retryAfter();
            case LIMIT ->
                refusal.decision().shown() == null
                        ? null
                        : String.valueOf(refusal.decision().limit());
            case ENDPOINT -> id(refusal.decision().endpoint());
            case PATH -> cut(path);
            case DETAIL -> refusal.detail();
        };
    }

    private static @Nullable String id(@Nullable Endpoint endpoint) {
        return endpoint == null ? null : endpoint.id();
    }

    private static String cut(String path) {
        return path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH);
    }
}
