package dev.sluice.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.cli.Invocation;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The result of an import, and a limiter with the imported file whose time stands still. */
final class Imported {

    private final TestClock clock = new TestClock(1_800_000_000_000L);
    private final Invocation run;
    private final LimitsFile file;
    private final CountingRateLimiter limiter;

    private Imported(Invocation run) {
        this.run = run;
        this.file = LimitsReader.read(new Given(run.out()), Set.of());
        this.limiter = new CountingRateLimiter(file.limits(), clock, RateLimitListener.NONE);
    }

    /** Imports a text; the result has to load without warnings. */
    static Imported of(Path directory, String text, String... options) {
        Invocation run = run(directory, text, options);
        assertThat(run.exitCode()).as(run.err()).isZero();
        Imported imported = new Imported(run);
        assertThat(imported.file.warnings()).isEmpty();
        return imported;
    }

    /** Imports a text, also if that fails. */
    static Invocation run(Path directory, String text, String... options) {
        List<String> arguments = new ArrayList<>(List.of("import", write(directory, "foreign.yml", text)));
        arguments.addAll(List.of(options));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    static String write(Path directory, String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TestCall get(String path, String... headers) {
        return call("GET", path, headers);
    }

    /** A call from 192.0.2.1, with headers by name and value. */
    static TestCall call(String method, String path, String... headers) {
        Map<String, String> named = new HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            named.put(headers[i], headers[i + 1]);
        }
        return new TestCall(method, path, "192.0.2.1", named);
    }

    String yaml() {
        return run.out();
    }

    /** The remarks, without the name of the file. */
    String told() {
        return run.err().replaceAll("(?m)^\\S*foreign\\.yml", "");
    }

    CountingRateLimiter limiter() {
        return limiter;
    }

    TestClock clock() {
        return clock;
    }

    /** How many of so many such calls pass at this moment. */
    int passed(Call call, int calls) {
        int passed = 0;
        for (int i = 0; i < calls; i++) {
            passed += limiter.decide(call).admitted() ? 1 : 0;
        }
        return passed;
    }

    Decision.Outcome outcome(Call call) {
        return limiter.decide(call).outcome();
    }

    private record Given(String text) implements ConfigSource {

        @Override
        public String name() {
            return "the result";
        }

        @Override
        public byte[] read() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
