package dev.sluice.config;

import dev.sluice.Replies;
import java.time.Duration;

/** The keys {@code headers} and {@code reject}: how answers are dressed. */
final class RepliesSection {

    private RepliesSection() {}

    static Replies read(Section file) {
        Replies otherwise = Replies.DEFAULT;
        try (Section headers = file.section("headers", "{ style: x-ratelimit }");
                Section reject = file.section("reject", "{ status: 429 }")) {
            return new Replies(
                    headers.optional("style", Shapes.word(Replies.Headers.class), otherwise.headers()),
                    headers.optional("reset", Shapes.word(Replies.Reset.class), otherwise.reset()),
                    headers.optional("inDryRun", Shapes.truth(), otherwise.inDryRun()),
                    reject.optional("status", Shapes.wholeNumber(400, 599), (long) otherwise.status())
                            .intValue(),
                    reject.optional(
                            "retryAfterJitter",
                            Shapes.duration(Duration.ZERO, Duration.ofDays(1)),
                            otherwise.retryAfterJitter()));
        }
    }
}
