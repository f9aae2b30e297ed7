package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.Excess;
import dev.sluice.Limit;
import dev.sluice.Sync;
import dev.sluice.Tier;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemandTest {

    private static final long NOW = 1_627_318_800_000L;
    private static final boolean IN_TIME = false;
    private static final boolean RUSHED = true;

    private final Habits habits = new Habits();
    private final Demand demand = demand(Sync.DEFAULT);

    private Demand demand(Sync sync) {
        return demand(sync, habits);
    }

    private static Demand demand(Sync sync, Habits habits) {
        return demand(1_000, Duration.ofSeconds(10), sync, habits);
    }

    private static Demand demand(long threshold, Duration period, Sync sync, Habits habits) {
        return new Demand(new Tier("t", new Limit.FixedWindow(threshold, period), Excess.NONE, sync), habits, NOW);
    }

    @Test
    void expectsNothingUntilCallsWereSeen() {
        demand.learn(0, 10, IN_TIME, NOW + 1_000);
        assertThat(demand.isAny()).isFalse();
        demand.learn(5, 5, IN_TIME, NOW + 2_000);
        assertThat(demand.isAny()).isTrue();
    }

    @Test
    void anEmptyWindowThatIsNotUsedDoesNotTellThatNobodyCalls() {
        demand.learn(100, 10, IN_TIME, NOW + 1_000);
        double rate = habits.rate;
        demand.learn(100, 0, IN_TIME, NOW + 9_000);
        assertThat(habits.rate).isEqualTo(rate);
        demand.learn(101, 0, IN_TIME, NOW + 8_000); // what more would have come if there had been more is not known
        assertThat(habits.rate).isEqualTo(rate);
        demand.learn(101, 1, IN_TIME, NOW + 9_000);
        assertThat(habits.rate).isLessThan(rate);
    }

    @Test
    void aRushRaisesWhatIsExpectedAndNeverLowersIt() {
        demand.learn(100, 10, IN_TIME, NOW + 1_000);
        double before = habits.rate;
        demand.learn(101, 10, RUSHED, NOW + 1_500);
        assertThat(habits.rate).isEqualTo(before);
        demand.learn(601, 10, RUSHED, NOW + 2_000);
        assertThat(habits.rate).isGreaterThan(5 * before);
    }

    @Test
    void aClockThatStandsStillTeachesNothing() {
        demand.learn(100, 10, IN_TIME, NOW);
        assertThat(demand.isAny()).isFalse();
        demand.learn(100, 10, IN_TIME, NOW + 1_000);
        assertThat(habits.rate).isEqualTo(100.0 / 1_100); // the hundred calls were not forgotten
    }

    @Test
    void thePartOfTheWindowBeforeCountsUntilThereIsMoreToGoBy() {
        demand.remember(0.25);
        Demand next = demand(Sync.DEFAULT);
        assertThat(next.part(0, 0)).isEqualTo(0.25);
        assertThat(next.part(500, 1_000)).isCloseTo(0.5, within(0.02));
        assertThat(next.part(1_000, 10)).isEqualTo(1); // the store has forgotten some
        next.remember(0.001);
        assertThat(demand(Sync.DEFAULT).part(0, 1_000)).isEqualTo(0.001); // never nobody's
    }

    @Test
    void takesHalfAnIntervalsPartWhereNothingIsKnownAndATwentiethAtMost() {
        Sync noSlack = new Sync(Duration.ofSeconds(1), 0, false);
        assertThat(demand(10_000, Duration.ofSeconds(100), noSlack, habits).firstShare())
                .isEqualTo(50);
        assertThat(demand(1_000, Duration.ofSeconds(1), noSlack, habits).firstShare())
                .isEqualTo(50);
    }

    @Test
    void takesTheSlackWhereCallsWereSeen() {
        demand.learn(1, 9, IN_TIME, NOW + 1_000);
        assertThat(demand.firstShare()).isEqualTo(10); // the slack, which is one percent
    }

    @Test
    void takesNothingAheadWhereEachCallAsksForItself() {
        Demand strict = demand(new Sync(Duration.ofSeconds(1), 0, true));
        strict.learn(100, 10, IN_TIME, NOW + 1_000);
        assertThat(strict.firstShare()).isZero();
        assertThat(strict.ahead(9_000, 900, 1).wanted(0)).isZero();
        assertThat(demand.ahead(9_000, 900, 1).wanted(0)).isPositive();
    }

    @Test
    void asksAgainBeforeTheShareIsUsedUpAndNotBeforeHalfOfItIs() {
        assertThat(demand.lowWater(100)).isEqualTo(1);
        demand.learn(1_000, 10, IN_TIME, NOW + 1_000); // somewhat below one a millisecond
        assertThat(demand.lowWater(100)).isBetween(15L, 20L);
        assertThat(demand.lowWater(10)).isEqualTo(5);
    }
}
