package dev.sluice.config.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.config.report.ReportedRefusals.Refused;
import dev.sluice.traffic.CallerTraffic;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom an instance refused is read as it was told, and is never long. */
class ReportedRefusalsTest {

    private static CallerTraffic caller(String value, long refused) {
        return new CallerTraffic(
                "a b",
                List.of(new Subject("tenant", "h", value)),
                1,
                refused,
                2,
                0,
                "1s",
                1,
                1_000,
                1,
                0,
                0,
                0,
                List.of());
    }

    @Test
    void isReadAsItWasTold() {
        String hostile = "\u202e\n =+%~";
        List<Refused> read =
                ReportedRefusals.of(List.of(caller(hostile, 7), caller("", 6))).read();
        assertThat(read)
                .containsExactly(
                        new Refused("a b", List.of(new Subject("tenant", "h", hostile)), 7, 2),
                        new Refused("a b", List.of(new Subject("tenant", "h", "")), 6, 2));
    }

    @Test
    void isNeverLong() {
        List<CallerTraffic> callers = IntStream.range(0, 20)
                .mapToObj(i -> caller("\ud83d\ude00".repeat(200), i))
                .toList();
        String text = ReportedRefusals.of(callers).text();
        assertThat(text.length()).isBetween(10_000, 16_000);
        assertThat(new ReportedRefusals(text).read()).hasSizeLessThan(20).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "1", "1 2", "x 2 a", "1 2 %zz", "1 2 a b", "99999999999999999999 1 a"})
    void leavesOutWhatIsGarbled(String line) {
        assertThat(new ReportedRefusals(line + "\n1 2 a\n").read()).containsExactly(new Refused("a", List.of(), 1, 2));
    }
}
