package dev.sluice.http;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.http.response.HeaderFields;
import dev.sluice.internal.http.response.LimitFields;
import dev.sluice.internal.http.response.Refusal;
import dev.sluice.internal.http.response.RefusalContent;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Renders decisions as status, header fields and body, for servers that Sluice has no filter for. The result is the
 * same as that of the filters: it follows {@code headers} and {@code reject} of the file in force.
 *
 * <pre>{@code
 * Answers answers = new Answers(limiter);
 * ...
 * Decision decision = limiter.decide(call).inTurn();
 * Answers.Answer answer = answers.to(decision, call.path());
 * answer.fields().forEach(response::setHeader);
 * if (!decision.admitted()) {
 *     return response.send(answer.status(), answer.body());
 * }
 * int status = 500;
 * try {
 *     status = serve(call);
 * } finally {
 *     decision.ended(status);
 * }
 * }</pre>
 *
 * <p>No argument may be {@code null}. Thread-safe.
 */
public final class Answers {

    private static final HeaderFields<Map<String, String>> FIELDS = new HeaderFields<>() {

        @Override
        public boolean areSent(Map<String, String> fields) {
            return false;
        }

        @Override
        public @Nullable String get(Map<String, String> fields, String name) {
            return fields.get(name);
        }

        @Override
        public void set(Map<String, String> fields, String name, String value) {
            fields.put(name, value);
        }
    };

    private final LimitFields<Map<String, String>> limits = new LimitFields<>(FIELDS);
    private final RateLimiter limiter;
    private final InstantSource clock;

    /** Renders decisions of this limiter. */
    public Answers(RateLimiter limiter) {
        this(limiter, InstantSource.system());
    }

    /**
     * Renders decisions of a limiter that does not follow the machine's clock, such as one in a test.
     *
     * @param clock read only for {@code headers.reset: epoch}
     */
    public Answers(RateLimiter limiter, InstantSource clock) {
        this.limiter = limiter;
        this.clock = clock;
    }

    /**
     * The parts of an answer. Immutable.
     *
     * @param fields the header fields, such as {@code x-ratelimit-limit} and, after a refusal, {@code Retry-After},
     *     {@code Cache-Control}, {@code Content-Type} and {@code Vary}. Add {@code Vary} to fields of this name that the
     *     response already has. Empty if no limit applies, or if the file hides limits from callers
     * @param status the status of a refusal; 0 if the call passes
     * @param body the body of a refusal; empty if the call passes
     */
    public record Answer(Map<String, String> fields, int status, String body) {

        public Answer {
            fields = Map.copyOf(fields);
        }
    }

    /**
     * Renders a decision that has just been made, for a caller that wants no page.
     *
     * @param path the path as the caller sent it; the template in the file may show it
     * @return never {@code null}
     */
    public Answer to(Decision decision, String path) {
        return to(decision, path, null);
    }

    /**
     * Renders a decision that has just been made. A refused caller who prefers HTML gets a page.
     *
     * @param path the path as the caller sent it; the template in the file may show it
     * @param accept the caller's {@code Accept}, several joined by commas; {@code null} if it has none
     * @return never {@code null}
     */
    public Answer to(Decision decision, String path, @Nullable String accept) {
        ResponseOptions options = limiter.responses();
        Map<String, String> fields = new LinkedHashMap<>();
        long nowMillis = options.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        limits.write(fields, decision, options, nowMillis, null, false);
        if (decision.admitted()) {
            return new Answer(fields, 0, "");
        }
        limits.writeRefusal(fields, decision, options, false);
        boolean isBusy = decision.outcome() == Decision.Outcome.REFUSED_BUSY;
        int status = isBusy ? options.statusIfBusy() : options.status();
        Refusal refusal = LimitFields.refusal(FIELDS, fields, decision, status);
        RefusalContent content = RefusalContent.of(options, refusal, path, accept);
        fields.put("Content-Type", content.contentType());
        if (content.variesByAccept()) {
            fields.put("Vary", "Accept");
        }
        return new Answer(fields, status, content.text());
    }
}
