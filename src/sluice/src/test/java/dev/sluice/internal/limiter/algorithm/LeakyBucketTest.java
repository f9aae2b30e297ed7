package dev.sluice.internal.limiter.algorithm;

import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.List;

/** A leaky bucket as a meter: nobody waits. */
class LeakyBucketTest extends AlgorithmContract {

    @Override
    public Limit limit(long threshold, Duration period) {
        return new Limit.LeakyBucket(threshold, period, 0, Duration.ZERO);
    }

    @Override
    public LimitModel books(Limit limit) {
        return new TokenBucketTest.LevelBooks(limit, limit.threshold());
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        TokenBucketTest.checkFlow(limit, limit.threshold(), admitted);
    }
}
