package dev.sluice.cli.rehearse.tally.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CallerRowsTest {

    /** A few callers who call often, and many who call seldom. */
    private static long fingerprint(Random random) {
        long caller = (long) (random.nextDouble() * random.nextDouble() * 20_000);
        return 1 + caller * 0x9E3779B97F4A7C15L;
    }

    /** Compares with a map that does the same. */
    @Test
    void keepsTheFiguresOfEachCallerWhoeverElseComesAndGoes() {
        CallerRows rows = new CallerRows(2);
        Map<Long, Long> calls = new HashMap<>();
        Map<Long, Long> asked = new HashMap<>();
        Random random = new Random(3);
        for (int i = 0; i < 200_000; i++) {
            long fingerprint = fingerprint(random);
            int row = rows.find(fingerprint);
            assertThat(row >= 0).isEqualTo(calls.containsKey(fingerprint));
            row = row < 0 ? rows.add(fingerprint) : row;
            assertThat(rows.call(row, i)).isEqualTo(calls.merge(fingerprint, 1L, Long::sum));
            assertThat(rows.ask(row, 1, i % 7, 0)).isEqualTo(asked.merge(fingerprint, i % 7L, Long::sum));
            assertThat(rows.asked(row, 0)).isZero();
            if (i % 30_000 == 29_999) {
                rows.keep(kept -> rows.calls(kept) % 3 == 0);
                calls.values().removeIf(number -> number % 3 != 0);
                asked.keySet().retainAll(calls.keySet());
            }
        }
        assertThat(rows.size()).isEqualTo(calls.size());
        calls.forEach((fingerprint, number) -> assertThat(rows.calls(rows.find(fingerprint)))
                .as("%s", fingerprint)
                .isEqualTo(number));
    }
}
