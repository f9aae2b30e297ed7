package dev.sluice.config.keys;

import dev.sluice.ResponseOptions;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shapes;
import java.time.Duration;

/** The keys {@code headers} and {@code reject}: the headers of responses, and the status and body of refusals. */
public final class ResponseSection {

    private ResponseSection() {}

    public static ResponseOptions read(Section file) {
        ResponseOptions byDefault = ResponseOptions.DEFAULT;
        try (Section headers = file.section("headers", "{ style: x-ratelimit }");
                Section reject = file.section("reject", "{ status: 429 }")) {
            return new ResponseOptions(
                    headers.optional("style", Shapes.word(ResponseOptions.Headers.class), byDefault.headers()),
                    headers.optional("reset", Shapes.word(ResponseOptions.Reset.class), byDefault.reset()),
                    headers.optional("inDryRun", Shapes.trueOrFalse(), byDefault.inDryRun()),
                    reject.optional("status", Shapes.count(400, 599), byDefault.status()),
                    reject.optional(
                            "retryAfterJitter",
                            Shapes.duration(Duration.ZERO, Duration.ofDays(1)),
                            byDefault.retryAfterJitter()),
                    RefusalBodyKeys.read(reject));
        }
    }
}
