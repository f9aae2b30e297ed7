package dev.sluice.internal.limiter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.store.Exchanges;
import dev.sluice.tier.Limit;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store is unavailable since {@link #SINCE}, for one of three instances. */
class OutageTest {

    private static final long SINCE = 1_627_318_800_000L;

    private static Outage outage(OnFailure policy, boolean isOver) {
        return new Outage(policy, new Fleet(3, 1), SINCE, isOver);
    }

    @Nested
    class TheLeastPart {

        /** The least part of a counter whose window begins then. */
        private long least(long start, long nowMillis) {
            CounterKey key = Exchanges.key("e", "acme", start, start + 10_000);
            return outage(OnFailure.SHARE, false).part(key, true, nowMillis).least();
        }

        @Test
        void isAtLeastOneForANewWindowDuringALongOutage() {
            assertThat(least(SINCE, SINCE + 1_001)).isEqualTo(1);
            assertThat(least(SINCE, SINCE + 1_000)).isZero();
            assertThat(least(SINCE - 1, SINCE + 1_001)).isZero();
        }

        @Test
        void isAtLeastOneWithoutWindowsIfTheStoreNeverAnswered() {
            CounterKey key = Exchanges.key("e", "acme", 0, 0);
            Outage outage = outage(OnFailure.SHARE, false);
            assertThat(outage.part(key, false, SINCE + 1_001).least()).isEqualTo(1);
            assertThat(outage.part(key, true, SINCE + 1_001).least()).isZero();
        }
    }

    @Test
    void aLimitOfEachInstanceIsNotDivided() {
        Outage outage = outage(OnFailure.SHARE, false);
        Subject tenant = new Subject("tenant", "header:X-Org-Id", "server");
        assertThat(outage.part(key(tenant), true, SINCE).of(30)).isEqualTo(10);
        Subject node = new Subject("node", "server", "shop-1");
        assertThat(outage.part(key(node), true, SINCE).of(30)).isEqualTo(30);
        assertThat(outage.part(key(tenant, node), true, SINCE)).isEqualTo(Part.WHOLE);
    }

    private static CounterKey key(Subject... subjects) {
        return new CounterKey("e", "GET", "1m", List.of(subjects), SINCE - 1, SINCE + 10_000);
    }

    @ParameterizedTest
    @CsvSource({"SHARE, 7", "LOCAL, 7", "ALLOW, " + Limit.MAX_THRESHOLD, "DENY, 0"})
    void thePolicySaysHowMuchOfWhatIsLeftIsAllowed(OnFailure policy, long allowed) {
        assertThat(outage(policy, false).allowed(7)).isEqualTo(allowed);
        assertThat(outage(policy, true).allowed(7)).as("the store is asked").isZero();
    }
}
