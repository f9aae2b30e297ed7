package dev.sluice.limiter.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.shared.CallRate;
import org.junit.jupiter.api.Test;

class DemandTest {

    private static final long EVERY = 1_000;
    private static final long FAR = 1_000_000;

    private final Demand demand = new Demand(new CallRate(EVERY * 1_000_000, 0), EVERY, false);

    private static Moment at(long millis) {
        return new Moment(millis * 1_000_000, millis);
    }

    @Test
    void whoCallsSeldomHasNoShare() {
        demand.learn(2, at(100));
        assertThat(demand.share(FAR, at(200))).isZero();
        assertThat(demand.refillBelow(0, at(200))).isZero();
    }

    @Test
    void aShareIsTheCallsOfTheLastIntervalAndAMargin() {
        demand.learn(100, at(100));
        assertThat(demand.share(FAR, at(200))).isEqualTo(100 + 40);
    }

    @Test
    void beforeTheEndOfAWindowItIsWhatIsNeededUntilThen() {
        demand.learn(100, at(100));
        assertThat(demand.share(EVERY / 4, at(200))).isEqualTo(25 + 20);
        assertThat(demand.share(0, at(200))).isZero();
    }

    @Test
    void aBurstIsForgottenAfterTwoIntervals() {
        demand.learn(100, at(100));
        assertThat(demand.share(FAR, at(2_100))).isZero();
    }

    @Test
    void moreIsAskedForWhenTheShareWouldLastFortyMilliseconds() {
        demand.learn(100, at(100));
        assertThat(demand.refillBelow(140, at(200))).isEqualTo(4);
        assertThat(demand.refillBelow(4, at(200))).isEqualTo(2);
        assertThat(demand.usedWithin(100, at(200))).isEqualTo(10);
    }

    @Test
    void aStrictLimitHasNoShare() {
        Demand strict = new Demand(new CallRate(EVERY * 1_000_000, 0), EVERY, true);
        strict.learn(100, at(100));
        assertThat(strict.share(FAR, at(200))).isZero();
    }
}
