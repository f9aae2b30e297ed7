package dev.sluice.internal.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.TestClock;
import dev.sluice.internal.store.BlockStoreContract;
import dev.sluice.internal.store.admin.BlockStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InMemoryBlockStoreTest extends BlockStoreContract {

    private final TestClock clock = new TestClock(now);
    private final BlockStore store = new InMemoryCounterStore(clock, 1).blocks();

    @Override
    protected BlockStore store() {
        return store;
    }

    @Test
    void isForgottenAfterADayOfCalm() {
        tell(block("acme", 0, Duration.ofMinutes(1)));
        clock.advance(Duration.ofMinutes(1).plus(Block.CALM).minusMillis(1));
        assertThat(tell()).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        assertThat(tell()).isEmpty();
    }
}
