package dev.sluice.internal.store.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import dev.sluice.internal.store.OverrideStoreContract;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a process that counts alone remembers of limits that were set. */
class InMemoryOverrideStoreTest extends OverrideStoreContract {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme", "orders", "5/10s");
    private static final ClientOverride OTHER = new ClientOverride("tenant", "other", "*", "x2");

    private final TestClock clock = new TestClock(0);
    private final InMemoryOverrideStore source = new InMemoryOverrideStore(clock);

    @Override
    protected OverrideStore store() {
        return source;
    }

    @Test
    void forgetsChangesAfterNinetyDays() {
        done(source.set(ACME, Note.NONE));
        clock.advance(Duration.ofDays(90));
        done(source.set(OTHER, Note.NONE));
        assertThat(done(source.history())).hasSize(2);
        clock.advance(Duration.ofMillis(1));
        assertThat(done(source.history())).extracting(StoredOverride::limit).containsExactly(OTHER);
    }

    @Test
    void forgetsTheOldestOfTooManyChanges() {
        for (int i = 0; i <= OverrideStore.MOST_HISTORY; i++) {
            done(source.set(i == 0 ? OTHER : ACME, Note.NONE));
        }
        assertThat(done(source.history()))
                .hasSize(OverrideStore.MOST_HISTORY)
                .extracting(StoredOverride::limit)
                .doesNotContain(OTHER);
    }
}
