package dev.sluice.cli.rehearse.tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.sluice.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class DistinctCallersTest {

    private static final int EXACT = 50_000;

    private static void addTwice(DistinctCallers count, int from, int to) {
        for (int i = from; i < to; i++) {
            long fingerprint = DistinctCallers.fingerprint(List.of(new Subject("ip", "ip", "203.0.113." + i)));
            count.add(fingerprint);
            count.add(fingerprint);
        }
    }

    @Test
    void isExactUpToANumberAndNearlySoBeyond() {
        DistinctCallers count = new DistinctCallers(EXACT);
        addTwice(count, 0, EXACT);
        assertThat(count.count()).isEqualTo(EXACT);
        addTwice(count, EXACT, 20 * EXACT);
        assertThat(count.count()).isCloseTo(20 * EXACT, withPercentage(2));
    }
}
