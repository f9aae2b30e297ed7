package dev.sluice.internal.config.keys;

import dev.sluice.RefusalBody;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import java.time.Duration;

/**
 * Reads the {@code headers} and {@code reject} keys. They define the response headers, and the status and body of
 * refusals.
 */
public final class ResponseSection {

    private static final Shape<ResponseOptions.Headers> STYLE = Shapes.word(ResponseOptions.Headers.class);
    private static final Shape<Integer> STATUS = Shapes.count(400, 599, 429);

    private ResponseSection() {}

    public static ResponseOptions read(Section file) {
        ResponseOptions byDefault = ResponseOptions.DEFAULT;
        try (Section headers = file.section("headers", "style", STYLE, "{ style: x-ratelimit }");
                Section reject = file.section("reject", "status", STATUS, "{ status: 429 }")) {
            int status = reject.optional("status", STATUS, byDefault.status());
            RefusalBody body = RefusalBodyKeys.read(reject);
            return new ResponseOptions(
                    headers.optional("style", STYLE, byDefault.headers()),
                    headers.optional("reset", Shapes.word(ResponseOptions.Reset.class), byDefault.reset()),
                    headers.optional("inDryRun", Shapes.trueOrFalse(), byDefault.inDryRun()),
                    status,
                    reject.optional("statusIfBusy", STATUS, status),
                    reject.optional(
                            "retryAfterJitter",
                            Shapes.duration(Duration.ZERO, Duration.ofDays(1)),
                            byDefault.retryAfterJitter()),
                    body,
                    RefusalBodyKeys.readPage(reject, body));
        }
    }
}
