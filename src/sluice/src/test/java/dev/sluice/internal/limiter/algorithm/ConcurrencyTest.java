package dev.sluice.internal.limiter.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Example;

/** Calls in flight at once; those of the contract never end. */
class ConcurrencyTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.Concurrency(threshold, Limit.Concurrency.Scope.SERVER);
    }

    @Override
    public Limit largest() {
        return limit(Limit.MAX_THRESHOLD, MINUTE);
    }

    @Override
    public LimitModel books(Limit limit) {
        return new ExactLog() {
            @Override
            public long left(long nowMillis) {
                return limit.threshold() - between(0, Long.MAX_VALUE);
            }
        };
    }

    @Override
    public boolean forgets() {
        return false;
    }

    /** A call takes one slot, whatever it costs. */
    @Override
    public boolean countsCosts() {
        return false;
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        assertThat(admitted.stream().filter(one -> one.cost() > 0).count()).isLessThanOrEqualTo(limit.threshold());
    }

    /** Each server has its own slots. */
    @Override
    public void checkFleet(Limit limit, List<Admitted> admitted) {
        assertThat(admitted).hasSizeLessThanOrEqualTo(3 * (int) limit.threshold());
    }

    /** Nobody knows when a call ends. */
    @Override
    public void checkRetry(Tested tested, long cost, long retryMillis) {
        assertThat(retryMillis).isEqualTo(1_000);
    }

    @Example
    void admitsTheNextCallWhenOneEnds() {
        try (Tested tested = Tested.of(limit(2, MINUTE))) {
            Decision first = tested.call(1);
            assertThat(tested.exhaust(10)).isEqualTo(1);
            Objects.requireNonNull(first.ticket(), "a ticket").ended(200);
            assertThat(tested.exhaust(10)).isEqualTo(1);
        }
    }
}
