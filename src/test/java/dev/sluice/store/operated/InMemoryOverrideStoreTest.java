package dev.sluice.store.operated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import dev.sluice.limits.ClientOverride;
import dev.sluice.store.operated.StoredOverride.Note;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a process that counts alone remembers of limits that were set. */
class InMemoryOverrideStoreTest {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme", "orders", "5/10s");
    private static final ClientOverride OTHER = new ClientOverride("tenant", "other", "*", "x2");

    private final TestClock clock = new TestClock(0);
    private final InMemoryOverrideStore source = new InMemoryOverrideStore(clock);

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void remembersWhatWasSetAndUnsetByWhomAndWhy() {
        assertThat(done(source.history())).isEmpty();
        done(source.set(ACME, new Note(Duration.ofHours(1), "eve@ops-1", "a | sale")));
        done(source.set(OTHER, Note.NONE));
        done(source.unset(ACME, new Note(Duration.ZERO, "ann", "over")));
        done(source.unset(ACME, new Note(Duration.ZERO, "ann", "again")));
        assertThat(done(source.history()))
                .satisfiesExactly(
                        unset -> assertThat(unset)
                                .returns(ACME.withoutTiers(), StoredOverride::limit)
                                .returns("ann", StoredOverride::by)
                                .returns("over", StoredOverride::why),
                        other -> assertThat(other.limit()).isEqualTo(OTHER),
                        first -> assertThat(first)
                                .returns(ACME, StoredOverride::limit)
                                .returns("eve@ops-1", StoredOverride::by)
                                .returns("a | sale", StoredOverride::why)
                                .satisfies(set -> assertThat(set.untilMillis() - set.setMillis())
                                        .isEqualTo(Duration.ofHours(1).toMillis())));
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
