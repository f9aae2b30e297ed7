package dev.sluice.internal.limiter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.junit.jupiter.api.Test;

/** The transitions that are drawn at {@link StoreState}, and no others. */
class StoreStateTest {

    private static final Fleet THREE = new Fleet(3, 0);

    private final StoreState store = new StoreState();

    private static Outage outage(OnFailure policy, long sinceMillis) {
        return new Outage(policy, THREE, sinceMillis, false);
    }

    @Test
    void isAvailableAtFirst() {
        assertThat(store.latest()).isNull();
        assertThat(store.answered()).isFalse();
        assertThat(store.follow(OnFailure.DENY, THREE)).isFalse();
        assertThat(store.latest()).isNull();
    }

    @Test
    void anOutageBeginsOnceAndKeepsItsBeginning() {
        assertThat(store.begin(outage(OnFailure.SHARE, 7))).isTrue();
        assertThat(store.begin(outage(OnFailure.SHARE, 9))).isFalse();
        assertThat(store.outage()).isEqualTo(outage(OnFailure.SHARE, 7));
    }

    @Test
    void anotherPolicyDecidesAtOnceWhileItIsUnavailable() {
        store.begin(outage(OnFailure.SHARE, 7));
        assertThat(store.follow(OnFailure.SHARE, THREE)).isFalse();
        assertThat(store.follow(OnFailure.DENY, THREE)).isTrue();
        assertThat(store.outage()).isEqualTo(outage(OnFailure.DENY, 7));
    }

    @Test
    void isBackUntilOthersHaveReportedIfInstancesHadDividedWhatWasLeft() {
        store.begin(outage(OnFailure.SHARE, 7));
        assertThat(store.answered()).isTrue();
        assertThat(store.isBack()).isTrue();
        assertThat(store.outage()).isNull();
        assertThat(store.answered()).isFalse();
        assertThat(store.follow(OnFailure.DENY, THREE)).isFalse();
        store.othersHaveReported();
        assertThat(store.latest()).isNull();
    }

    @Test
    void isAvailableAgainAtOnceByOtherPolicies() {
        store.begin(outage(OnFailure.DENY, 7));
        assertThat(store.answered()).isTrue();
        assertThat(store.latest()).isNull();
    }

    @Test
    void aNewOutageBeginsWhileItIsBack() {
        store.begin(outage(OnFailure.SHARE, 7));
        store.answered();
        assertThat(store.begin(outage(OnFailure.SHARE, 9))).isTrue();
        store.othersHaveReported();
        assertThat(store.outage()).isEqualTo(outage(OnFailure.SHARE, 9));
    }
}
