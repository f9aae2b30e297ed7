package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.Phase;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoints;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.limiter.memory.Counters;
import dev.sluice.limits.Limits.PendingCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AtomicAcquisitionTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_627_318_780_000L);
    private static final long MOMENT = NOW.toEpochMilli();
    private static final Sharing SHARING = new UnsharedCounting(() -> NOW);
    private static final TestCall CALL = TestCall.get("/a");
    private static final BoundedPending WAITING = new BoundedPending(PendingCalls.DEFAULT);

    private final CounterFamilies families = new CounterFamilies(SHARING, () -> 0, new Blocks(() -> 0));
    private final CompiledEndpoints endpoints =
            CompiledEndpoints.compile(TestLimits.of(fleetWide("wide"), fleetWide("narrow")), families);
    private final Counters counters = new Counters(100, SHARING, RateLimitListener.NONE);
    private final List<CompiledEndpoint> compiledEndpoints =
            Objects.requireNonNull(endpoints.match(CALL, Phase.WHOLE)).compiledEndpoints();
    private final AtomicAcquisition acquisition = AtomicAcquisition.of(parts(compiledEndpoints), CALL, WAITING);

    private static Endpoint fleetWide(String id) {
        return per(endpoint(id, "/a", perMinute(1)));
    }

    private static List<TierAcquisition> parts(List<CompiledEndpoint> compiledEndpoints) {
        List<TierAcquisition> parts = new ArrayList<>();
        compiledEndpoints.forEach(compiledEndpoint -> TierAcquisition.addAll(compiledEndpoint, CALL, parts));
        return parts;
    }

    private Counter counter(int compiledEndpoint) {
        CompiledEndpoint.Caller caller = compiledEndpoints.get(compiledEndpoint).caller(CALL);
        return counters.get(caller.families().get(0), caller.values(), 1, MOMENT);
    }

    private static Pool pool(Counter counter) {
        return Objects.requireNonNull(counter.at(MOMENT));
    }

    @Test
    @Timeout(10)
    void aReleasedPermitRefusesNobody() throws Exception {
        Pool wide = pool(counter(0));
        Pool narrow = pool(counter(1));
        assertThat(narrow.borrow(1, 0, MOMENT)).isNotNegative();
        CompletableFuture<AtomicAcquisition.Attempt> undecided =
                CompletableFuture.supplyAsync(() -> acquisition.take(counters, MOMENT));
        while (wide.left(MOMENT) > 0 && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        CompletableFuture<Long> other = new CompletableFuture<>();
        Thread caller = new Thread(() -> other.complete(wide.take(1, MOMENT)), "caller");
        caller.start();
        while (!waitsForHolder(caller)
                && !other.isDone()
                && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }

        narrow.keep();

        assertThat(undecided.get(10, TimeUnit.SECONDS)).isEqualTo(AtomicAcquisition.Attempt.SHORT);
        assertThat(other.get(10, TimeUnit.SECONDS)).isNotNegative();
        assertThat(wide.left(MOMENT)).isZero();
    }

    private static boolean waitsForHolder(Thread caller) {
        return Stream.of(caller.getStackTrace())
                .anyMatch(call -> call.getMethodName().equals("waitForBorrower"));
    }

    /** Otherwise two calls that each hold what the other one needs would wait for each other. */
    @Test
    void countersAreHeldInOneOrderWhateverTheOrderOfTheEndpoints() {
        CompiledEndpoints reversed =
                CompiledEndpoints.compile(TestLimits.of(fleetWide("narrow"), fleetWide("wide")), families);
        List<CompiledEndpoint> others =
                Objects.requireNonNull(reversed.match(CALL, Phase.WHOLE)).compiledEndpoints();
        AtomicAcquisition other = AtomicAcquisition.of(parts(others), CALL, WAITING);
        acquisition.find(counters, MOMENT);
        other.find(counters, MOMENT);

        assertThat(others)
                .extracting(compiledEndpoint -> compiledEndpoint.endpoint.id())
                .containsExactly("narrow", "wide");
        assertThat(other.parts())
                .extracting(TierAcquisition::pool)
                .containsExactly(acquisition.parts()[0].pool(), acquisition.parts()[1].pool());
    }

    @Test
    @Timeout(10)
    void asksForRetiredCountersToBeLookedUpAgain() {
        Counter one = counter(0);
        Counter other = counter(1);
        acquisition.find(counters, MOMENT);
        other.retire();

        assertThat(acquisition.take(MOMENT)).isEqualTo(AtomicAcquisition.Attempt.RETIRED);
        assertThat(pool(one).left(MOMENT)).isEqualTo(1);
        assertThat(acquisition.take(counters, MOMENT)).isEqualTo(AtomicAcquisition.Attempt.TAKEN);
        assertThat(pool(one).surelyShortOf(1, MOMENT)).isTrue();
    }
}
