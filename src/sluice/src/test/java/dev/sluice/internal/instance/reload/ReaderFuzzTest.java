package dev.sluice.internal.instance.reload;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.ClientOverride;
import dev.sluice.open.GivenFile;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file, with any overrides, results in a limiter or a message. */
class ReaderFuzzTest implements MutatedInputs {

    private static final int LONGEST_MESSAGE = 2_000;

    private final LimitsFile smallest = new GivenFile(GivenFile.SMALLEST).load();

    static Stream<String> files() {
        return Fuzz.corpus("files.txt");
    }

    static Stream<byte[]> bytes() {
        return files().map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static Stream<String> ofClients() {
        return Fuzz.corpus("limits-of-clients.txt");
    }

    @MethodSource("files")
    @FuzzTest(maxDuration = "5m")
    void aFileIsOneOrHasProblems(@NotNull String input) {
        Fuzz.read(input, text -> {
            GivenFile file = new GivenFile(text);
            List<String> problems = file.problems();
            for (String problem : problems) {
                assertThat(Fuzz.isPlain(problem)).as(problem).isTrue();
                assertThat(problem).hasSizeLessThan(LONGEST_MESSAGE);
                if (!text.replace("//user:s3cret@", "").contains("s3cret")) {
                    assertThat(problem).doesNotContain("s3cret");
                }
            }
            if (problems.isEmpty()) {
                decide(file.load());
            }
        });
    }

    @MethodSource("bytes")
    @FuzzTest(maxDuration = "5m")
    void bytesAreAFileOrHaveProblems(byte @NotNull [] bytes) {
        Fuzz.read(
                new String(bytes, StandardCharsets.ISO_8859_1),
                text -> assertThat(new GivenFile(bytes).problems()).allMatch(Fuzz::isPlain));
    }

    private static void decide(LimitsFile file) {
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(file.limits(), InstantSource.system(), RateLimitListener.NONE)) {
            assertThat(limiter.decide(TestCall.get("/a").of("acme"))).isNotNull();
        }
    }

    @MethodSource("ofClients")
    @FuzzTest(maxDuration = "5m")
    void limitsOfClientsHoldOrAreSkipped(@NotNull String input) {
        Fuzz.read(input, text -> {
            String[] parts = text.split("\\|", 4);
            ClientOverride kept = parts.length == 4
                    ? new ClientOverride(parts[0], parts[2], parts[1], parts[3])
                    : new ClientOverride(text, "", "", text);
            UsableOverrides own = new UsableOverrides(smallest, List.of(kept), Map.of());
            assertThat(own.clients().isEmpty()).isNotEqualTo(own.skipped().isEmpty());
            assertThat(Fuzz.isPlain(own.skipped())).as(own.skipped()).isTrue();
            assertThat(own.skipped()).hasSizeLessThan(LONGEST_MESSAGE);
        });
    }
}
