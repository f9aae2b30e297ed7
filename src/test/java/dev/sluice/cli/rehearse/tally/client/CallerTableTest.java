package dev.sluice.cli.rehearse.tally.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CallerTableTest {

    /** Of some callers who call much and many who call seldom. */
    private static long mark(Random random) {
        long caller = (long) (random.nextDouble() * random.nextDouble() * 20_000);
        return 1 + caller * 0x9E3779B97F4A7C15L;
    }

    /** Beside a map that does the same. */
    @Test
    void keepsTheFiguresOfEachCallerWhoeverElseComesAndGoes() {
        CallerTable table = new CallerTable(2);
        Map<Long, Long> calls = new HashMap<>();
        Map<Long, Long> asked = new HashMap<>();
        Random random = new Random(3);
        for (int i = 0; i < 200_000; i++) {
            long mark = mark(random);
            int row = table.find(mark);
            assertThat(row >= 0).isEqualTo(calls.containsKey(mark));
            row = row < 0 ? table.add(mark) : row;
            assertThat(table.call(row, i)).isEqualTo(calls.merge(mark, 1L, Long::sum));
            assertThat(table.ask(row, 1, i % 7, 0)).isEqualTo(asked.merge(mark, i % 7L, Long::sum));
            assertThat(table.asked(row, 0)).isZero();
            if (i % 30_000 == 29_999) {
                table.keep(kept -> table.calls(kept) % 3 == 0);
                calls.values().removeIf(number -> number % 3 != 0);
                asked.keySet().retainAll(calls.keySet());
            }
        }
        assertThat(table.size()).isEqualTo(calls.size());
        calls.forEach((mark, number) ->
                assertThat(table.calls(table.find(mark))).as("%s", mark).isEqualTo(number));
    }
}
