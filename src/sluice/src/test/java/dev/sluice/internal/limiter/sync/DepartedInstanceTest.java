package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PatientCall;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.shared.SharedCounter;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Once an instance has left the fleet, threads of calls serve those that still wait there. */
class DepartedInstanceTest {

    private final ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.ALLOW);
    private final SharedPool pool = pool();
    private final AtomicInteger attempts = new AtomicInteger();

    private SharedPool pool() {
        Tier tier = new Tier("t", new Limit.FixedWindow(5, Duration.ofHours(1)));
        CounterFamily family = new CounterFamilies(one.synchroniser, () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
        SharedCounter counter = new SharedCounter(family, "acme", one.synchroniser);
        return (SharedPool) Objects.requireNonNull(counter.at(one.synchroniser.nowMillis()));
    }

    @AfterEach
    void close() {
        one.close();
    }

    /** A call stands in line, and lacks more than there is. */
    private PendingCall waits() {
        List<Shortage> lacking = List.of(new Shortage(pool, 3, 3, true));
        PendingCall call = PatientCall.of(
                () -> {
                    attempts.incrementAndGet();
                    return lacking;
                },
                () -> 0,
                0,
                checked -> {});
        call.standInLine(lacking);
        return call;
    }

    /** It may have borrowed from another counter, for which the attempt of the waiting call would wait for ever. */
    @Test
    void aCallThatReleasesWhatItBorrowedServesNobodyMeanwhile() {
        pool.put(1);
        one.synchroniser.leave();
        PendingCall waiting = waits();
        long now = one.synchroniser.nowMillis();
        pool.release(1, pool.borrow(1, 0, now), now);
        assertThat(attempts).hasValue(0);
        one.synchroniser.requestCheck(pool);
        assertThat(attempts).hasPositiveValue();
        waiting.end();
    }

    @Test
    void whatOneThreadCouldNotServeTheNextOneDoes() {
        SharedPool other = pool();
        pool.put(1);
        one.synchroniser.leave();
        PendingCall waiting = waits();
        pool.putBack(1, 0, one.synchroniser.nowMillis());
        assertThat(attempts).hasValue(0);
        one.synchroniser.requestCheck(other);
        assertThat(attempts).hasPositiveValue();
        waiting.end();
    }
}
