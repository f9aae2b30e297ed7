package dev.sluice.limiter;

import static dev.sluice.TestLimits.atMostCounters;
import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Limit;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.Sync;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.Tier;
import dev.sluice.Together.OnFailure;
import dev.sluice.store.InMemoryCounterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The accounts of an instance whose callers are many, or whose store is away; the background moves when it is told to. */
class LedgerTest {

    private static final int COUNTERS = 1_000;
    private static final int HONEST = 50;
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final TestClock clock = new TestClock(1_627_318_800_000L);
    private final InMemoryCounterStore store = new InMemoryCounterStore(clock, 100_000);
    private final Ledger ledger = new Ledger(COUNTERS);
    private final ByHand sharing = new ByHand();
    private CountingRateLimiter limiter = limiter(new Limit.FixedWindow(10, PERIOD), COUNTERS);
    private long sequence;
    private final Map<String, Long> counted = new HashMap<>();

    @AfterEach
    void close() {
        limiter.close();
    }

    private CountingRateLimiter limiter(Limit limit, int counters) {
        Tier tier = new Tier("tier", limit, new Sync(Duration.ofSeconds(1), 0.01, false));
        return CountingRateLimiter.sharing(
                atMostCounters(counters, endpoint("e", "/a", tier)), sharing, RateLimitListener.NONE);
    }

    private boolean admits(String tenant) {
        return limiter.decide(TestCall.get("/a").of(tenant)).admitted();
    }

    private void honestCall(int times) {
        IntStream.range(0, HONEST * times)
                .forEach(i -> assertThat(admits("honest-" + i % HONEST)).isTrue());
    }

    private void flood(int from, int number) {
        IntStream.range(from, from + number).forEach(i -> admits("made-up-" + i));
    }

    /** What the store has counted for us, by these claims and its answers, of all whose name begins so. */
    private long counted(String beginning) {
        return counted.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(beginning))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** The background has the store's answer to these claims. */
    private void exchange(List<Claim> claims) {
        Batch.Reply reply = store.exchange(new Batch("i", ++sequence, claims))
                .toCompletableFuture()
                .join();
        for (int i = 0; i < claims.size(); i++) {
            long change = claims.get(i).spent() + reply.grants().get(i).granted();
            counted.merge(claims.get(i).key().subjects().get(0).value(), change, Long::sum);
        }
        ledger.apply(claims, reply.grants(), clock.millis());
    }

    private static Stream<String> tenants(List<Claim> claims) {
        return claims.stream().map(claim -> claim.key().subjects().get(0).value());
    }

    @Nested
    class WhileTheStoreIsAway {

        private int absent() {
            return ledger.absent(OnFailure.LOCAL, clock.millis());
        }

        static Stream<Limit> limits() {
            return Stream.of(
                    new Limit.FixedWindow(10, PERIOD),
                    new Limit.SlidingWindow(10, PERIOD, 1),
                    new Limit.SlidingWindow(10, PERIOD, 4),
                    new Limit.SlidingLog(10, PERIOD),
                    new Limit.TokenBucket(10, PERIOD, 10));
        }

        @ParameterizedTest
        @MethodSource("limits")
        void noAccountOutlivesItsUse(Limit limit) {
            sharing.away = true;
            limiter.close();
            limiter = limiter(limit, COUNTERS);
            int most = 0;
            for (int period = 0; period < 50; period++) {
                honestCall(2);
                absent();
                most = Math.max(most, ledger.accounts());
                clock.advance(PERIOD);
            }
            assertThat(most).isBetween(HONEST, 10 * HONEST);
        }

        @Test
        void aFloodLeavesTheAccountsBoundedAndLargeDebtsRemembered() {
            sharing.away = true;
            honestCall(3);
            int writtenOff = 0;
            for (int made = 0; made < 100 * COUNTERS; made += COUNTERS) {
                flood(made, COUNTERS);
                writtenOff += absent();
                assertThat(ledger.accounts()).isLessThanOrEqualTo(4 * COUNTERS);
            }
            assertThat(writtenOff).isGreaterThan(90 * COUNTERS);

            sharing.away = false;
            ledger.presentAgain();
            List<Claim> all = new ArrayList<>();
            for (List<Claim> last = collectLast(); !last.isEmpty(); last = collectLast()) {
                assertThat(last).hasSizeLessThanOrEqualTo(Ledger.LARGEST_BATCH);
                all.addAll(last);
            }
            assertThat(all.stream().filter(claim -> isOfHonest(claim)))
                    .hasSize(HONEST)
                    .allMatch(claim -> claim.spent() == 3);
            assertThat(all).hasSizeGreaterThan(COUNTERS);
        }

        private List<Claim> collectLast() {
            return ledger.collectLast(clock.millis());
        }

        private boolean isOfHonest(Claim claim) {
            return tenants(List.of(claim)).allMatch(tenant -> tenant.startsWith("honest-"));
        }
    }

    @Nested
    class InAFloodOfNewcomers {

        private static final int MANY = 3 * Ledger.LARGEST_BATCH;

        private void letHonestBeKnown() {
            limiter.close();
            limiter = limiter(new Limit.FixedWindow(1_000, PERIOD), 2 * MANY);
            honestCall(1);
            exchange(ledger.collectRushed(clock.millis()));
        }

        @Test
        void aCallerWhoRunsLowAndIsKnownIsServedFirst() {
            letHonestBeKnown();
            flood(0, 3 * COUNTERS); // more than can be noted
            int calls = 0;
            while (admits("honest-0")) {
                calls++;
            }
            assertThat(calls).isPositive();
            assertThat(tenants(ledger.collectRushed(clock.millis())).limit(1)).containsExactly("honest-0");
        }

        @Test
        void regularExchangesGoOnAndNewcomersAreHeardLast() {
            letHonestBeKnown();
            honestCall(2);
            clock.advance(Duration.ofSeconds(1));
            flood(0, 100);
            List<String> served = tenants(ledger.collectRegular(clock.millis())).toList();
            assertThat(served.subList(0, HONEST)).allMatch(tenant -> tenant.startsWith("honest-"));
            assertThat(served.subList(HONEST, served.size()))
                    .hasSize(100)
                    .allMatch(tenant -> tenant.startsWith("made-up-"));
        }
    }

    @Test
    void aWindowThatFoundNoRoomForItsNoteIsNotedByALaterCall() {
        flood(0, 2 * COUNTERS);
        honestCall(1);
        List<Claim> first = new ArrayList<>(ledger.collectRushed(clock.millis()));
        assertThat(tenants(first)).noneMatch(tenant -> tenant.startsWith("honest-"));
        exchange(first);

        IntStream.range(0, HONEST).forEach(i -> admits("honest-" + i));
        assertThat(tenants(ledger.collectRushed(clock.millis())))
                .hasSize(HONEST)
                .allMatch(tenant -> tenant.startsWith("honest-"));
    }

    /** The note of a window is read long after its account was closed. */
    @Test
    void noAccountIsOpenedTwice() {
        limiter.close();
        limiter = limiter(new Limit.FixedWindow(1_000, PERIOD), COUNTERS);
        assertThat(admits("acme")).isTrue();
        List<Claim> first = ledger.collectRushed(clock.millis());
        int used = 1;
        while (admits("acme")) {
            used++;
        }
        exchange(first);
        while (admits("acme")) {
            used++;
        }
        Window late = sharing.born;
        clock.advance(PERIOD.plusSeconds(1));
        for (int i = 0; i < 3; i++) {
            exchange(ledger.collectRegular(clock.millis()));
        }
        assertThat(counted("acme")).isEqualTo(used);
        assertThat(ledger.accounts()).isZero();

        boolean unused = ledger.notes.born(Objects.requireNonNull(late));
        exchange(ledger.collectRegular(clock.millis()));
        exchange(ledger.collectRegular(clock.millis()));
        assertThat(counted("acme")).isEqualTo(used);
        assertThat(ledger.accounts()).isZero();
    }

    @Test
    void aNoteThatHasToWaitForAnotherClaimOfTheSameCounterIsNotLost() {
        honestCall(1);
        exchange(ledger.collectRushed(clock.millis()));
        limiter.sweepAsOf(clock.millis() + 3 * PERIOD.toMillis()); // the counters are gone, and born again
        honestCall(1);
        IntStream.range(0, HONEST).forEach(i -> admits("honest-" + i));

        List<Claim> last = ledger.collectRegular(clock.millis());
        assertThat(last).hasSize(HONEST);
        exchange(last);
        assertThat(tenants(ledger.collectRushed(clock.millis()))).hasSize(HONEST);
    }

    @Test
    void whatABucketAdmittedLastWhileTheStoreWasAwayIsReported() {
        limiter.close();
        limiter = limiter(new Limit.TokenBucket(10, PERIOD, 10), COUNTERS);
        honestCall(1);
        exchange(ledger.collectRushed(clock.millis()));
        clock.advance(PERIOD);
        sharing.away = true;
        ledger.absent(OnFailure.LOCAL, clock.millis());
        honestCall(4);
        limiter.sweepAsOf(clock.millis());
        ledger.presentAgain();
        for (int i = 0; i < 3; i++) {
            exchange(ledger.collectRegular(clock.millis()));
        }
        assertThat(counted("honest-")).isEqualTo(HONEST * 5);
    }

    @Test
    void theLastClaimsComeInBatchesThatAreNotTooLong() {
        limiter.close();
        limiter = limiter(new Limit.FixedWindow(10, PERIOD), 100_000);
        int tenants = Ledger.LARGEST_BATCH + 1_000;
        for (int from = 0; from < tenants; from += 2 * COUNTERS) {
            flood(from, 2 * COUNTERS);
            exchange(ledger.collectRushed(clock.millis()));
        }
        assertThat(ledger.accounts()).isEqualTo(tenants);

        assertThat(ledger.collectLast(clock.millis())).hasSize(Ledger.LARGEST_BATCH);
        assertThat(ledger.collectLast(clock.millis())).hasSize(tenants - Ledger.LARGEST_BATCH);
        assertThat(ledger.collectLast(clock.millis())).isEmpty();
        assertThat(ledger.accounts()).isZero();
    }

    /** Notes what calls leave; nobody reads it but the test. */
    private final class ByHand implements Sharing {

        private boolean away;
        private @Nullable Window born;

        @Override
        public long nowMillis() {
            return clock.millis();
        }

        @Override
        public long opening(Tier tier) {
            return away ? tier.most() : tier.sync().slackOf(tier.limit().threshold());
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public void born(Window window) {
            born = window;
            boolean unused = ledger.notes.born(window);
        }

        @Override
        public void due(Window window) {
            boolean unused = ledger.notes.due(window);
        }

        @Override
        public Hope await(Window window, long cost) {
            due(window);
            return Hope.NONE;
        }

        @Override
        public void follow(Limits limits) {}

        @Override
        public void close() {}
    }
}
