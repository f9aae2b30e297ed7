package dev.sluice.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Which instances live. Others may use the same store, but none with a name between those of a test, and none may come
 * or go between two questions.
 */
@Execution(ExecutionMode.SAME_THREAD)
public abstract class PresenceContract extends ContractPart {

    private long sequence;

    protected PresenceContract(StoreUnderTest tested) {
        super(tested);
    }

    @BeforeEach
    void needsAStoreThatCountsInstances() {
        assumeThat(countsInstances()).isTrue();
    }

    private @Nullable Fleet says(String name, Presence presence) {
        return exchange(store, new Batch(instance + name, ++sequence, Long.MAX_VALUE, List.of(), presence, 0))
                .fleet();
    }

    /** The answer to an instance that lives; a batch that had to be sent again may not have it. */
    private Fleet lives(String name) {
        Fleet fleet = says(name, Presence.ALIVE);
        return fleet == null ? lives(name) : fleet;
    }

    private int ranksBetween(String first, String last) {
        return lives(last).rank() - lives(first).rank();
    }

    @Test
    void eachInstanceLearnsHowManyLiveAndItsRankAmongThem() {
        Fleet first = lives("b");
        assertThat(first.instances()).isPositive();
        assertThat(first.rank()).isBetween(0, first.instances() - 1);
        lives("c");
        lives("a");
        assertThat(ranksBetween("a", "b")).isEqualTo(1);
        assertThat(ranksBetween("b", "c")).isEqualTo(1);
        assertThat(lives("c").instances()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void whoLeavesIsCountedNoMore() {
        lives("a");
        lives("b");
        lives("c");
        assertThat(ranksBetween("a", "c")).isEqualTo(2);
        assertThat(says("b", Presence.LEAVING)).isNull();
        assertThat(ranksBetween("a", "c")).isEqualTo(1);
    }

    @Test
    void whoSaysNothingOfItselfNeitherLearnsNorCounts() {
        lives("a");
        lives("c");
        assertThat(says("b", Presence.NOT_STATED)).isNull();
        assertThat(ranksBetween("a", "c")).isEqualTo(1);
    }
}
