package dev.sluice.internal.instance.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The refused callers that an instance reports can be read again, and the report is never long. */
class ReportedRefusalsTest {

    private static RefusedCaller caller(String value, long refused) {
        return new RefusedCaller(
                "a b", List.of(new Subject("tenant", "h", value)), refused, 2, "1 s", 1_000, 2_000, "Acme");
    }

    @Test
    void isReadAsItWasTold() {
        String hostile = "\u202e\n =+%~";
        List<RefusedCaller> told = List.of(caller(hostile, 7), caller("", 6));
        assertThat(ReportedRefusals.of(told).read()).isEqualTo(told);
    }

    @Test
    void addsUpWhatSeveralInstancesTell() {
        RefusedCaller one = new RefusedCaller("a", List.of(), 1, 2, "1s", 5, 6, "");
        RefusedCaller other = new RefusedCaller("a", List.of(), 10, 20, "1h", 4, 7, "Acme");
        assertThat(one.and(other)).isEqualTo(new RefusedCaller("a", List.of(), 11, 22, "1h", 4, 7, "Acme"));
        assertThat(other.and(one)).isEqualTo(one.and(other));
    }

    @Test
    void isNeverLong() {
        List<RefusedCaller> callers = IntStream.range(0, 20)
                .mapToObj(i -> caller("\ud83d\ude00".repeat(200), i))
                .toList();
        String text = ReportedRefusals.of(callers).text();
        assertThat(text.length()).isBetween(10_000, 16_000);
        assertThat(new ReportedRefusals(text).read()).hasSizeLessThan(20).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "1",
                "1 2",
                "x 2 a",
                "1 2 %zz",
                "1 2 a 1s 3 4 b",
                "1 2 a 1s x 4",
                "99999999999999999999 1 a 1s 3 4"
            })
    void leavesOutWhatIsGarbled(String line) {
        assertThat(new ReportedRefusals(line + "\n1 2 a 1s 3 4\n").read())
                .containsExactly(new RefusedCaller("a", List.of(), 1, 2, "1s", 3, 4, ""));
    }
}
