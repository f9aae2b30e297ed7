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
 * Renders decisions as a status, header fields and a body, for servers without a Sluice filter. The responses match
 * those of the filters, because both follow the {@code headers} and {@code reject} sections of the file in force.
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
 * <p>Arguments must not be {@code null} unless stated otherwise. Thread-safe.
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

    /** Creates a renderer for a limiter's decisions. */
    public Answers(RateLimiter limiter) {
        this(limiter, InstantSource.system());
    }

    /**
     * Creates a renderer for a limiter that does not use the system clock, for example in a test.
     *
     * @param clock the limiter's clock; used only for {@code headers.reset: epoch}
     */
    public Answers(RateLimiter limiter, InstantSource clock) {
        this.limiter = limiter;
        this.clock = clock;
    }

    /**
     * The parts of a response. Immutable.
     *
     * @param fields the header fields, such as {@code x-ratelimit-limit} and, after a refusal, {@code Retry-After},
     *     {@code Cache-Control}, {@code Content-Type} and {@code Vary}. If the response already has a {@code Vary}
     *     field, append the new value to it. The map is empty if no limit applies or the file hides limits from callers
     * @param status the response status of a refusal; 0 if the call passes
     * @param body the response body of a refusal; empty if the call passes
     */
    public record Answer(Map<String, String> fields, int status, String body) {

        public Answer {
            fields = Map.copyOf(fields);
        }
    }

    /**
     * Renders a decision that has just been made, for a caller that does not accept HTML.
     *
     * @param path the path as the caller sent it; the template in the file can show it
     * @return never {@code null}
     */
    public Answer to(Decision decision, String path) {
        return to(decision, path, null);
    }

    /**
     * Renders a decision that has just been made. A refused caller that prefers HTML receives a page.
     *
     * @param path the path as the caller sent it; the template in the file can show it
     * @param accept the caller's {@code Accept} header, with several lines joined by commas; {@code null} if there is
     *     none
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
