package dev.sluice.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RefusalBody;
import dev.sluice.RefusalBody.Piece;
import dev.sluice.RefusalBody.Placeholder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the body of a refusal from the template in the file. Values are escaped, since callers choose the path. */
public final class TemplateReply {

    /** Longer paths are cut, so that a caller cannot make the body large. */
    private static final int LONGEST_PATH = 1_000;

    private TemplateReply() {}

    public static void write(
            HttpServletRequest request, HttpServletResponse response, Decision decision, RefusalBody body)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (Piece piece : body.pieces()) {
            text.append(piece.text());
            Placeholder placeholder = piece.value();
            if (placeholder != null) {
                append(text, body, piece, placeholder, value(placeholder, request, response, decision));
            }
        }
        ProblemReply.send(request, response, body.contentType(), text.toString());
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

    private static @Nullable String value(
            Placeholder placeholder, HttpServletRequest request, HttpServletResponse response, Decision decision) {
        return switch (placeholder) {
            case STATUS -> String.valueOf(response.getStatus());
            case RETRY_AFTER -> response.getHeader(LimitHeaders.RETRY_AFTER);
            case LIMIT -> decision.told() == null ? null : String.valueOf(decision.limit());
            case ENDPOINT -> id(decision.endpoint());
            case PATH -> cut(request.getRequestURI());
            case DETAIL -> ProblemReply.detail(response, decision);
        };
    }

    private static @Nullable String id(@Nullable Endpoint endpoint) {
        return endpoint == null ? null : endpoint.id();
    }

    private static String cut(String path) {
        return path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH);
    }
}
