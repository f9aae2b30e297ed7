package dev.sluice.internal.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.internal.http.response.HeaderFields;
import dev.sluice.internal.http.response.LimitFields;
import dev.sluice.internal.http.response.Refusal;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Writes a decision to the headers of a servlet response. Thread-safe. */
public final class LimitHeaders {

    private static final HeaderFields<HttpServletResponse> FIELDS = new HeaderFields<>() {

        @Override
        public boolean areSent(HttpServletResponse response) {
            return response.isCommitted();
        }

        @Override
        public @Nullable String get(HttpServletResponse response, String name) {
            return response.getHeader(name);
        }

        @Override
        public void set(HttpServletResponse response, String name, String value) {
            response.setHeader(name, value);
        }
    };

    private final LimitFields<HttpServletResponse> fields = new LimitFields<>(FIELDS);

    /**
     * Writes the headers that describe the limit.
     *
     * @param again whether to write only the headers that the response has lost
     */
    public void write(HttpServletResponse response, RememberedDecision remembered, boolean again) {
        RememberedDecision earlier = remembered.earlier();
        fields.write(
                response,
                remembered.decision(),
                remembered.responses(),
                remembered.askedAtMillis(),
                earlier == null ? null : earlier.decision(),
                again);
    }

    /**
     * Writes the remaining headers of a refusal.
     *
     * @param again whether to write only the headers that the response has lost
     */
    public void writeRefusal(HttpServletResponse response, RememberedDecision remembered, boolean again) {
        fields.writeRefusal(response, remembered.decision(), remembered.responses(), again);
    }

    static Refusal refusal(HttpServletResponse response, Decision decision) {
        return LimitFields.refusal(FIELDS, response, decision, response.getStatus());
    }
}
