package dev.sluice.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claim;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;
import dev.sluice.CounterKey;
import dev.sluice.CounterStore;
import dev.sluice.StoreException;
import dev.sluice.algorithm.Gcra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link CounterStore} promises. Whoever writes one extends this class and gives it three things; counters of
 * one test never meet those of another, so all may share one server.
 */
public abstract class CounterStoreContract {

    private static final Duration MUCH_LATER = Duration.ofSeconds(6);

    private final String endpoint = unique();
    private final String instance = unique();
    private CounterStore store;
    /** Of all windows of a test, so that none begins a minute after another. */
    private long start;

    /** Another handle on the same counters, as another instance would open it. The test closes it. */
    protected abstract CounterStore open();

    /** The store's clock, within a second. */
    protected abstract long now();

    /** Lets time pass by the store's clock: sets it, where a test can, or waits. */
    protected abstract void letPass(Duration time);

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private CounterKey key(String tenant) {
        start = start == 0 ? now() / 60_000 * 60_000 : start;
        return Exchanges.key(endpoint, tenant, start, start + 120_000);
    }

    private static Claim asked(CounterKey key, long spent, long wanted, Rule rule) {
        return new Claim(key, spent, wanted, 0, rule);
    }

    @Nested
    class Flowing {

        private static final long DAY = 86_400_000;

        private final CounterKey acme = key("acme");
        private final Gcra five = Gcra.of(5, DAY, 5);
        private final Rule fiveADay = new Rule.Flow(five.token(), five.milli(), five.depth(), five.furthest());

        @Test
        void grantsWhatIsInTheBucket() {
            assertThat(grant(store, batch(instance, 1, asked(acme, 0, 3, fiveADay)))
                            .granted())
                    .isEqualTo(3);
            assertThat(grant(store, batch("other" + instance, 1, asked(acme, 0, 3, fiveADay)))
                            .granted())
                    .isEqualTo(2);
            assertThat(grant(store, batch(instance, 2, asked(acme, 0, 3, fiveADay)))
                            .granted())
                    .isZero();
        }

        @Test
        void tellsWhenTheBucketWouldBeFull() {
            Grant grant = grant(store, batch(instance, 1, asked(acme, 2, 1, fiveADay)));

            assertThat(five.resetMillis(grant.total(), now())).isBetween(3 * DAY / 5 - 2_000, 3 * DAY / 5 + 2_000);
            assertThat(five.left(grant.total(), now())).isEqualTo(2);
        }

        @Test
        void takesBackWhatIsReturned() {
            grant(store, batch(instance, 1, asked(acme, 0, 5, fiveADay)));

            assertThat(grant(store, batch(instance, 2, asked(acme, -2, 0, fiveADay)))
                            .granted())
                    .isZero();
            assertThat(grant(store, batch(instance, 3, asked(acme, 0, 5, fiveADay)))
                            .granted())
                    .isEqualTo(2);
        }

        @Test
        void remembersWhatWasSpentBeyondTheBucket() {
            grant(store, batch(instance, 1, asked(acme, 8, 0, fiveADay)));
            grant(store, batch(instance, 2, asked(acme, -2, 0, fiveADay)));

            assertThat(grant(store, batch(instance, 3, asked(acme, 0, 1, fiveADay)))
                            .granted())
                    .isZero();
        }

        @Test
        void fillsAgain() {
            Gcra quick = Gcra.of(7, 7_000, 7);
            Rule oneASecond = new Rule.Flow(quick.token(), quick.milli(), quick.depth(), quick.furthest());
            assertThat(grant(store, batch(instance, 1, asked(acme, 0, 9, oneASecond)))
                            .granted())
                    .isEqualTo(7);

            letPass(Duration.ofMillis(2_100));

            assertThat(grant(store, batch(instance, 2, asked(acme, 0, 9, oneASecond)))
                            .granted())
                    .isBetween(2L, 4L);
        }
    }

    @Nested
    class Logging {

        private final CounterKey acme = key("acme");
        private final Rule.Logged fiveAMinute = new Rule.Logged(5, 60_000);

        @Test
        void notesEachCall() {
            Grant first = grant(store, batch(instance, 1, asked(acme, 1, 2, fiveAMinute)));
            Grant second = grant(store, batch("other" + instance, 1, asked(acme, 0, 9, fiveAMinute)));

            assertThat(first.total()).isEqualTo(3);
            assertThat(first.granted()).isEqualTo(2);
            assertThat(first.oldestMillis()).isBetween(now() - 2_000, now() + 2_000);
            assertThat(second).isEqualTo(new Grant(5, 2, first.oldestMillis()));
        }

        @Test
        void forgetsCallsOfTheSenderThatAreReturned() {
            grant(store, batch(instance, 1, asked(acme, 0, 2, fiveAMinute)));
            grant(store, batch("other" + instance, 1, asked(acme, 0, 2, fiveAMinute)));

            assertThat(grant(store, batch("other" + instance, 2, asked(acme, -3, 0, fiveAMinute)))
                            .total())
                    .isEqualTo(2);
        }

        @Test
        void forgetsCallsAfterThePeriod() {
            Rule.Logged twoASecond = new Rule.Logged(2, 1_000);
            grant(store, batch(instance, 1, asked(acme, 0, 2, twoASecond)));
            letPass(Duration.ofMillis(1_100));

            assertThat(grant(store, batch(instance, 2, asked(acme, 0, 3, twoASecond)))
                            .granted())
                    .isEqualTo(2);
        }
    }

    @Nested
    class Leasing {

        private final CounterKey acme = key("acme");
        private final Rule.Leased five = new Rule.Leased(5, 60_000);

        @Test
        void givesEachPlaceToOneInstance() {
            assertThat(grant(store, batch(instance, 1, asked(acme, 0, 3, five))))
                    .isEqualTo(new Grant(3, 3));
            assertThat(grant(store, batch("other" + instance, 1, asked(acme, 0, 3, five))))
                    .isEqualTo(new Grant(5, 2));
            assertThat(grant(store, batch(instance, 2, asked(acme, 1, 0, five))))
                    .isEqualTo(new Grant(3, 0));
            assertThat(grant(store, batch("other" + instance, 2, asked(acme, 2, 9, five))))
                    .isEqualTo(new Grant(5, 2));
        }

        @Test
        void freesThePlacesOfAnInstanceThatIsSilent() {
            Rule.Leased brief = new Rule.Leased(5, 500);
            grant(store, batch(instance, 1, asked(acme, 0, 5, brief)));
            letPass(Duration.ofMillis(600));

            assertThat(grant(store, batch("other" + instance, 1, asked(acme, 0, 4, brief))))
                    .isEqualTo(new Grant(4, 4));
        }
    }

    @Test
    void grantsNothingOfAFrameThatIsOver() {
        long end = now() - 5_000;
        CounterKey frame = Exchanges.key(endpoint, "acme", end - 10_000, end);
        Claim claim = new Claim(frame, 3, 4, 0, new Rule.Total(100, 60_000));

        assertThat(grant(store, batch(instance, 1, claim))).isEqualTo(new Grant(3, 0));
        assertThat(grant(store, batch(instance, 2, claim))).isEqualTo(new Grant(6, 0));
    }

    @Nested
    class Counting {

        private final CounterKey acme = key("acme");

        @Test
        void addsWhatIsSpent() {
            assertThat(grant(store, batch(instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0));
            assertThat(grant(store, batch(instance, 2, report(acme, 4)))).isEqualTo(new Grant(7, 0));
        }

        @Test
        void addsUpOverInstances() {
            assertThat(grant(store, batch("a" + instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0));
            assertThat(grant(store, batch("b" + instance, 1, report(acme, 4)))).isEqualTo(new Grant(7, 0));
        }

        @Test
        void countsEachCounterByItself() {
            exchange(store, batch(instance, 1, report(acme, 3), report(key("other"), 5)));
            List<Grant> grants = exchange(store, batch(instance, 2, report(key("other"), 0), report(acme, 0)))
                    .grants();
            assertThat(grants).containsExactly(new Grant(5, 0), new Grant(3, 0));
        }

        @Test
        void addsWhatIsSpentAlsoBeyondTheCap() {
            assertThat(grant(store, batch(instance, 1, claim(acme, 15, 5, 0, 10))))
                    .isEqualTo(new Grant(15, 0));
        }

        @Test
        void takesReturnedSharesOff() {
            exchange(store, batch(instance, 1, claim(acme, 0, 10, 0, 10)));
            assertThat(grant(store, batch(instance, 2, report(acme, -4)))).isEqualTo(new Grant(6, 0));
        }

        @Test
        void neverFallsBelowZero() {
            exchange(store, batch(instance, 1, report(acme, 2)));
            assertThat(grant(store, batch(instance, 2, report(acme, -5)))).isEqualTo(new Grant(0, 0));
            assertThat(grant(store, batch(instance, 3, report(acme, 1)))).isEqualTo(new Grant(1, 0));
        }

        @Test
        void returningToACounterThatIsGoneLeavesZero() {
            assertThat(grant(store, batch(instance, 1, report(acme, -5)))).isEqualTo(new Grant(0, 0));
        }

        @Test
        void isExactWithLargeNumbers() {
            long large = 3_000_000_000_001L;
            exchange(store, batch(instance, 1, claim(acme, large, 0, 0, 4 * large)));
            assertThat(grant(store, batch(instance, 2, claim(acme, 1, large, 0, 4 * large))))
                    .isEqualTo(new Grant(2 * large + 1, large));
            assertThat(grant(store, batch(instance, 3, claim(acme, 0, 5, 0, Long.MAX_VALUE))))
                    .isEqualTo(new Grant(2 * large + 6, 5));
        }

        @Test
        void answersAnEmptyBatchWithItsClock() {
            assertThat(exchange(store, batch(instance, 1)).grants()).isEmpty();
            assertThat(exchange(store, batch(instance, 2)).nowMillis()).isBetween(now() - 2000, now() + 2000);
        }

        @Test
        void keepsTheOrderOfThousandsOfClaims() {
            List<Claim> claims = IntStream.range(0, 5000)
                    .mapToObj(i -> claim(key("t" + i), i, 7, 0, 5003))
                    .toList();
            List<Grant> expected = IntStream.range(0, 5000)
                    .mapToObj(i -> new Grant(Math.min(i + 7, 5003), Math.min(7, 5003 - i)))
                    .toList();
            Batch batch = new Batch(instance, 1, claims);
            assertThat(exchange(store, batch).grants()).isEqualTo(expected);
            assertThat(exchange(store, batch).grants()).isEqualTo(expected);
            assertThat(grant(store, batch(instance, 2, report(key("t4321"), 0))))
                    .isEqualTo(new Grant(4328, 0));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "a b",
                    "{17}",
                    "}{",
                    ":",
                    "a:GET:10s:0:1",
                    "=",
                    "+",
                    "%",
                    "%3a",
                    "#",
                    "\r\n",
                    "\0",
                    "é",
                    "日本",
                    "😀",
                    "*",
                    "../../etc",
                    "'; DROP",
                    "$5\r\nhello",
                    "\\",
                    "\"",
                    "!answer:0",
                    "\uD800"
                })
        void countsHostileNamesApart(String hostile) {
            CounterKey odd = key(hostile);
            CounterKey like = key(hostile + "x");
            List<Grant> grants = exchange(store, batch(instance, 1, report(odd, 3), report(like, 4)))
                    .grants();
            assertThat(grants).containsExactly(new Grant(3, 0), new Grant(4, 0));
            assertThat(grant(store, batch(instance, 2, report(odd, 0)))).isEqualTo(new Grant(3, 0));
        }

        @Test
        void bearsHostileInstanceNames() {
            for (String odd : List.of("", " ", "a\r\nb", "{1}", "é", "x".repeat(2000))) {
                CounterKey counter = key("of " + odd);
                Batch batch = batch(odd + instance, 1, report(counter, 2));
                exchange(store, batch);
                assertThat(grant(store, batch)).isEqualTo(new Grant(2, 0));
            }
        }
    }

    @Nested
    class Granting {

        private final CounterKey acme = key("acme");

        @Test
        void grantsWhatIsWanted() {
            assertThat(grant(store, batch(instance, 1, claim(acme, 2, 5, 0, 10))))
                    .isEqualTo(new Grant(7, 5));
        }

        @Test
        void grantsWhatIsLeftUnderTheCap() {
            assertThat(grant(store, batch(instance, 1, claim(acme, 7, 5, 0, 10))))
                    .isEqualTo(new Grant(10, 3));
            assertThat(grant(store, batch(instance, 2, claim(acme, 0, 5, 0, 10))))
                    .isEqualTo(new Grant(10, 0));
        }

        @Test
        void makesNoGrantThatIsOfNoUse() {
            assertThat(grant(store, batch(instance, 1, claim(acme, 7, 5, 4, 10))))
                    .isEqualTo(new Grant(7, 0));
            assertThat(grant(store, batch(instance, 2, claim(acme, 0, 5, 3, 10))))
                    .isEqualTo(new Grant(10, 3));
        }

        @Test
        void grantsFromWhatThisClaimReturns() {
            exchange(store, batch(instance, 1, claim(acme, 0, 10, 0, 10)));
            assertThat(grant(store, batch(instance, 2, claim(acme, -4, 3, 0, 10))))
                    .isEqualTo(new Grant(9, 3));
            assertThat(grant(store, batch(instance, 3, claim(acme, -9, 2, 2, 10))))
                    .isEqualTo(new Grant(2, 2));
            assertThat(grant(store, batch(instance, 4, claim(acme, -9, 5, 5, 10))))
                    .isEqualTo(new Grant(5, 5));
        }

        @Test
        void followsACapThatIsLowered() {
            exchange(store, batch(instance, 1, claim(acme, 0, 8, 0, 10)));
            assertThat(grant(store, batch(instance, 2, claim(acme, 0, 1, 0, 5))))
                    .isEqualTo(new Grant(8, 0));
            assertThat(grant(store, batch(instance, 3, claim(acme, 0, 1, 0, -5))))
                    .isEqualTo(new Grant(8, 0));
            assertThat(grant(store, batch(instance, 4, claim(acme, 0, 9, 0, 12))))
                    .isEqualTo(new Grant(12, 4));
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void countsAsAPlainModelDoes(long seed) {
            Random random = new Random(seed);
            long[] totals = new long[7];
            for (int sequence = 1; sequence <= 60; sequence++) {
                List<Claim> claims = new ArrayList<>();
                List<Grant> expected = new ArrayList<>();
                for (int i = 0; i < totals.length; i++) {
                    int cap = random.nextInt(90);
                    Claim claim =
                            claim(key("t" + i), random.nextInt(-9, 12), random.nextInt(9), random.nextInt(4), cap);
                    long used = Math.max(0, totals[i] + claim.spent());
                    long room = Math.min(claim.wanted(), Math.max(0, cap - used));
                    long granted = room < claim.atLeast() ? 0 : room;
                    totals[i] = used + granted;
                    claims.add(claim);
                    expected.add(new Grant(totals[i], granted));
                }
                assertThat(exchange(store, new Batch(instance, sequence, claims))
                                .grants())
                        .isEqualTo(expected);
            }
        }
    }

    @Nested
    class ExactlyOnce {

        private final CounterKey acme = key("acme");

        @Test
        void aBatchThatComesAgainIsAnsweredAsBefore() {
            Batch batch = batch(instance, 1, claim(acme, 2, 5, 0, 10), claim(key("other"), 0, 1, 0, 10));
            List<Grant> first = exchange(store, batch).grants();
            exchange(store, batch("x" + instance, 1, report(acme, 1)));
            assertThat(exchange(store, batch).grants()).isEqualTo(first);
            assertThat(grant(store, batch(instance, 2, report(acme, 0)))).isEqualTo(new Grant(8, 0));
        }

        @Test
        void aBatchThatComesAgainElsewhereIsAnsweredAsBefore() {
            Batch batch = batch(instance, 1, claim(acme, 2, 5, 0, 10));
            Grant first = grant(store, batch);
            try (CounterStore other = open()) {
                assertThat(grant(other, batch)).isEqualTo(first);
            }
        }

        @Test
        void anOlderBatchIsNotApplied() {
            exchange(store, batch(instance, 10, report(acme, 1)));
            assertThatThrownBy(() -> exchange(store, batch(instance, 9, report(acme, 100))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.temporary()).isFalse());
            assertThat(grant(store, batch(instance, 11, report(acme, 0)))).isEqualTo(new Grant(1, 0));
        }

        @Test
        void anOlderBatchIsNotAppliedHoweverLong() {
            List<Claim> claims = IntStream.range(0, 1000)
                    .mapToObj(i -> report(key("t" + i), 1))
                    .toList();
            exchange(store, new Batch(instance, 1, claims));
            exchange(store, batch(instance, 3, report(key("t999"), 1)));
            assertThatThrownBy(() -> exchange(store, new Batch(instance, 2, claims)))
                    .isInstanceOf(StoreException.class);
            assertThat(grant(store, batch(instance, 4, report(key("t999"), 0)))).isEqualTo(new Grant(2, 0));
        }

        @Test
        void sequencesMayBeLargeAndHaveGaps() {
            for (long sequence : new long[] {0, 1, 9, 10, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE}) {
                Batch batch = batch(instance, sequence, report(acme, 1));
                exchange(store, batch);
                exchange(store, batch);
            }
            assertThat(grant(store, batch("x" + instance, 1, report(acme, 0)))).isEqualTo(new Grant(7, 0));
        }

        @Test
        void sendersDoNotDisturbEachOther() {
            Batch one = batch(instance, 7, report(acme, 1));
            Batch other = batch(instance + "/strict", 3, report(acme, 10));
            exchange(store, one);
            exchange(store, other);
            assertThat(grant(store, one)).isEqualTo(new Grant(1, 0));
            assertThat(grant(store, other)).isEqualTo(new Grant(11, 0));
        }
    }

    @Nested
    class Together {

        @Test
        void instancesThatRaceForTheLastCallsNeverGetMoreThanThereAre() throws Exception {
            CounterKey acme = key("acme");
            List<Long> granted = together(4, number -> {
                Random random = new Random(number);
                long sum = 0;
                try (CounterStore own = open()) {
                    for (int sequence = 1; sequence <= 100; sequence++) {
                        Claim claim = claim(acme, 0, random.nextInt(1, 9), random.nextInt(3), 1000);
                        sum += grant(own, batch(number + instance, sequence, claim))
                                .granted();
                    }
                }
                return sum;
            });
            assertThat(granted.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
            assertThat(grant(store, batch(instance, 1, report(acme, 0)))).isEqualTo(new Grant(1000, 0));
        }

        @Test
        void nothingIsLostOrInvented() throws Exception {
            List<Long> added = together(4, number -> {
                Random random = new Random(number);
                long sum = 0;
                for (int sequence = 1; sequence <= 100; sequence++) {
                    List<Claim> claims = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        claims.add(report(key("t" + i), random.nextInt(5)));
                        sum += claims.get(i).spent();
                    }
                    Batch batch = new Batch(number + instance, sequence, claims);
                    exchange(store, batch);
                    if (random.nextBoolean()) {
                        exchange(store, batch);
                    }
                }
                return sum;
            });
            Claim[] questions = IntStream.range(0, 20)
                    .mapToObj(i -> report(key("t" + i), 0))
                    .toArray(Claim[]::new);
            long total = exchange(store, batch(instance, 1, questions)).grants().stream()
                    .mapToLong(Grant::total)
                    .sum();
            assertThat(total)
                    .isEqualTo(added.stream().mapToLong(Long::longValue).sum());
        }

        private List<Long> together(int threads, Part part) throws Exception {
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            try {
                List<Callable<Long>> parts = IntStream.range(0, threads)
                        .<Callable<Long>>mapToObj(number -> () -> part.run(number))
                        .toList();
                List<Long> results = new ArrayList<>();
                for (Future<Long> future : executor.invokeAll(parts)) {
                    results.add(future.get());
                }
                return results;
            } finally {
                executor.shutdownNow();
            }
        }
    }

    /** What one thread does. */
    interface Part {
        long run(int number);
    }

    @Nested
    class Time {

        @Test
        void tellsItsClock() {
            assertThat(exchange(store, batch(instance, 1, report(key("acme"), 1)))
                            .nowMillis())
                    .isBetween(now() - 2000, now() + 2000);
        }

        @Test
        void tellsTheTimeAnewWhenABatchComesAgain() {
            Batch batch = batch(instance, 1, report(key("acme"), 1));
            long first = exchange(store, batch).nowMillis();
            letPass(Duration.ofMillis(50));
            assertThat(exchange(store, batch).nowMillis()).isGreaterThanOrEqualTo(first + 50);
        }

        @Test
        void countersGoSomeSecondsAfterTheirWindow() {
            long now = now();
            CounterKey ending = Exchanges.key(endpoint, "acme", now - 1000, now + 1000);
            CounterKey going = Exchanges.key(endpoint, "acme", now - 1000, now + 600_000);
            CounterKey past = Exchanges.key(endpoint, "acme", now - 20_000, now - 10_000);
            exchange(store, batch(instance, 1, report(ending, 5), report(going, 5), report(past, 5)));
            letPass(Duration.ofMillis(500));
            assertThat(exchange(store, batch(instance, 2, report(ending, 1), report(going, 1), report(past, 1)))
                            .grants())
                    .containsExactly(new Grant(6, 0), new Grant(6, 0), new Grant(6, 0));
            letPass(MUCH_LATER);
            assertThat(exchange(store, batch(instance, 3, report(ending, 0), report(going, 0), report(past, 0)))
                            .grants())
                    .containsExactly(new Grant(0, 0), new Grant(6, 0), new Grant(0, 0));
        }
    }
}
