package dev.sluice.config.keys;

import dev.sluice.ResponseOptions;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shapes;
import java.time.Duration;

/** The keys {@code headers} and {@code reject}: how answers are dressed. */
public final class ResponseSection {

    private ResponseSection() {}

    public static ResponseOptions read(Section file) {
        ResponseOptions otherwise = ResponseOptions.DEFAULT;
        try (Section headers = file.section("headers", "{ style: x-ratelimit }");
                Section reject = file.section("reject", "{ status: 429 }")) {
            return new ResponseOptions(
                    headers.optional("style", Shapes.word(ResponseOptions.Headers.class), otherwise.headers()),
                    headers.optional("reset", Shapes.word(ResponseOptions.Reset.class), otherwise.reset()),
                    headers.optional("inDryRun", Shapes.trueOrFalse(), otherwise.inDryRun()),
                    reject.optional("status", Shapes.count(400, 599), otherwise.status()),
                    reject.optional(
                            "retryAfterJitter",
                            Shapes.duration(Duration.ZERO, Duration.ofDays(1)),
                            otherwise.retryAfterJitter()),
                    RefusalBodyKeys.read(reject));
        }
    }
}
