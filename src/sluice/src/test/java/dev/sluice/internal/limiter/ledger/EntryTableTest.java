package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.moment;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EntryTableTest {

    private static final int CALLERS = 500;
    private static final int STEPS = 20_000;

    private final EntryTable table = new EntryTable();
    private final PlayedLedger played = new PlayedLedger();

    /** Another entry each time. */
    private Entry entry(int caller) {
        return PlayedLedger.entry(played.pool("caller-" + caller), moment(0));
    }

    @Test
    void findsTheLatestEntryAmongMany() {
        Random random = new Random(7);
        Map<String, Entry> expected = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int most = step < STEPS / 2 ? CALLERS : CALLERS / 50; // grows, and then shrinks
            Entry entry = entry(random.nextInt(most));
            String name = entry.key().text();
            if (random.nextInt(3) > 0) {
                assertThat(table.put(entry)).isSameAs(expected.put(name, entry));
            } else {
                Entry gone = expected.remove(name);
                assertThat(gone != null && table.remove(gone)).isEqualTo(gone != null);
            }
            assertThat(table.find(name)).isSameAs(expected.get(name));
        }
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(expected.values());
        expected.forEach((name, entry) -> assertThat(table.find(name)).isSameAs(entry));
    }

    @Test
    void removesOnlyTheGivenEntry() {
        Entry earlier = entry(1);
        Entry later = entry(1);
        table.put(earlier);
        assertThat(table.put(later)).isSameAs(earlier);
        assertThat(table.remove(earlier)).isFalse();
        assertThat(table.find(later.key().text())).isSameAs(later);
        assertThat(table.remove(later)).isTrue();
        assertThat(table.remove(later)).isFalse();
        assertThat(table.all()).isEmpty();
    }
}
