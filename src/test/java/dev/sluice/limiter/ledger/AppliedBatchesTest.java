package dev.sluice.limiter.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppliedBatchesTest {

    @Test
    void remembersTheBatchesOfTenSeconds() {
        AppliedBatches applied = new AppliedBatches();
        for (int sequence = 1; sequence <= 5; sequence++) {
            applied.add(new Batch("me", sequence, List.of()), new Batch.Reply(0, List.of()), 4_000L * sequence);
        }
        assertThat(applied.entries())
                .extracting(entry -> entry.batch().sequence())
                .containsExactly(3L, 4L, 5L);
    }
}
