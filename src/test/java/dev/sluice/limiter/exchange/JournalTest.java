package dev.sluice.limiter.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

    @Test
    void remembersTheBatchesOfTenSeconds() {
        Journal journal = new Journal();
        for (int sequence = 1; sequence <= 5; sequence++) {
            journal.add(new Batch("me", sequence, List.of()), new Batch.Reply(0, List.of()), 4_000L * sequence);
        }
        assertThat(journal.entries())
                .extracting(entry -> entry.batch().sequence())
                .containsExactly(3L, 4L, 5L);
    }
}
