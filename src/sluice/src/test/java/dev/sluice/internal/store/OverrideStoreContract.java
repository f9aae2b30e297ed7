package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What holds of the limits of clients in each store. */
public abstract class OverrideStoreContract {

    private static final ClientOverride LIMIT =
            new ClientOverride("tenant", "acme|of % all", "get-product", "5000/10s");
    private static final ClientOverride FACTOR = new ClientOverride("tenant", "other|x", "*", "x2");

    /** An empty store. */
    protected abstract OverrideStore store();

    protected static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private List<ClientOverride> all() {
        return done(store().all()).stream().map(StoredOverride::limit).toList();
    }

    @Test
    void keepsWhatIsSet() {
        assertThat(all()).isEmpty();
        assertThat(done(store().set(LIMIT, Note.NONE))).isTrue();
        done(store().set(FACTOR, Note.NONE));
        assertThat(all()).containsExactlyInAnyOrder(LIMIT, FACTOR);
        ClientOverride more = new ClientOverride("tenant", LIMIT.value(), "get-product", "9000/10s");
        done(store().set(more, Note.NONE));
        assertThat(all()).containsExactlyInAnyOrder(more, FACTOR);
        assertThat(done(store().unset(LIMIT, Note.NONE))).isTrue();
        assertThat(done(store().unset(LIMIT, Note.NONE))).isFalse();
        assertThat(all()).containsExactly(FACTOR);
    }

    @Test
    void remembersWhatWasSetAndUnsetByWhomAndWhy() {
        assertThat(done(store().history())).isEmpty();
        done(store().set(LIMIT, new Note(Duration.ofHours(1), "eve@ops-1", "a | sale")));
        done(store().set(FACTOR, Note.NONE));
        done(store().unset(LIMIT, new Note(Duration.ZERO, "ann", "over")));
        done(store().unset(LIMIT, new Note(Duration.ZERO, "ann", "again")));
        assertThat(done(store().history()))
                .satisfiesExactly(
                        unset -> assertThat(unset)
                                .returns(LIMIT.withoutTiers(), StoredOverride::limit)
                                .returns("ann", StoredOverride::by)
                                .returns("over", StoredOverride::why),
                        other -> assertThat(other.limit()).isEqualTo(FACTOR),
                        first -> assertThat(first)
                                .returns(LIMIT, StoredOverride::limit)
                                .returns("eve@ops-1", StoredOverride::by)
                                .returns("a | sale", StoredOverride::why)
                                .satisfies(set -> assertThat(set.untilMillis() - set.setMillis())
                                        .isEqualTo(Duration.ofHours(1).toMillis())));
    }
}
