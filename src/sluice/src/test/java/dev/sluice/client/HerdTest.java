package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fifty clients that were refused together do not retry together, and lose little time by that. */
@Tag("docs")
class HerdTest {

    private static final int ALL = Herd.CLIENTS * Herd.CALLS;
    private static final double MOST_LOST = 1.1;

    /** How many calls the limit admits at an even pace. */
    private static final Duration AT_ITS_RATE = Herd.PERIOD.multipliedBy(ALL / Herd.LIMIT);

    private static final Herd.HerdResult AS_TOLD =
            Herd.play((told, attempted, spent) -> Optional.ofNullable(told.refusedFor()), false);

    /** How the picture and the table of the documentation name them. */
    static Map<String, Herd.HerdResult> rows() {
        Map<String, Herd.HerdResult> rows = new LinkedHashMap<>();
        rows.put("again after 100 ms", after(Duration.ofMillis(100)));
        rows.put("again after a second", after(Duration.ofSeconds(1)));
        rows.put("Retry-After, to the moment", AS_TOLD);
        rows.put("RetryPolicy", Herd.play(1, false));
        rows.put("RetryPolicy, pacing", Herd.play(1, true));
        return rows;
    }

    private static Herd.HerdResult after(Duration pause) {
        return Herd.play((told, attempted, spent) -> Optional.of(pause), false);
    }

    static List<String> table() {
        return rows().entrySet().stream()
                .map(row -> String.format(
                        Locale.ROOT,
                        "| %s | %.1f s | %,d | %,d | %d |",
                        row.getKey(),
                        row.getValue().lastMillis() / 1e3,
                        row.getValue().attempts(),
                        row.getValue().attempts() - ALL,
                        row.getValue().mostLater()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void allFinishInTheTimeThatTheLimitAllows(long seed) {
        Herd.HerdResult herd = Herd.play(seed, false);
        assertThat(herd.finished()).isEqualTo(ALL);
        assertThat(herd.lastMillis()).isLessThan((long) (Herd.SHORTEST.toMillis() * MOST_LOST));
        assertThat(herd.attempts()).isLessThan(AS_TOLD.attempts());
        assertThat(herd.mostLater()).isLessThan(AS_TOLD.mostLater() * 3 / 4);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void clientsThatPaceThemselvesCallMoreEvenlyAndFinishToo(long seed) {
        Herd.HerdResult herd = Herd.play(seed, true);
        assertThat(herd.finished()).isEqualTo(ALL);
        assertThat(herd.lastMillis()).isLessThan((long) (AT_ITS_RATE.toMillis() * MOST_LOST));
        assertThat(herd.mostLater()).isLessThan(AS_TOLD.mostLater() / 2);
    }

    @Test
    void theDocumentationShowsTheFigures() throws IOException {
        assertThat(Files.readString(HerdPicture.FILE)).isEqualTo(HerdPicture.of(rows()));
        assertThat(Files.readAllLines(Path.of("docs/callers.md"))).containsAll(table());
    }
}
