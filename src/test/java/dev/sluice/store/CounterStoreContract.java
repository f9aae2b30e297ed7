package dev.sluice.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.Share;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.redis.Heard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link CounterStore} promises. Whoever writes one extends this class and gives it three things; counters
 * of one test never meet those of another, so all may share one server.
 */
public abstract class CounterStoreContract {

    private static final Duration MUCH_LATER = Duration.ofSeconds(6);
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final Duration AFTER_BRIEF = Duration.ofMillis(400);

    private final String endpoint = unique();
    private final String instance = unique();
    private final String other = unique();
    private final String third = unique();
    private CounterStore store;
    /** Of all windows of a test, so that none begins a minute after another. */
    private long start;

    /** Another handle on the same counters, as another instance would open it. The test closes it. */
    protected abstract CounterStore open();

    /** The store's clock, within a second. */
    protected abstract long now();

    /** Lets time pass by the store's clock: sets it, where a test can, or waits. */
    protected abstract void letPass(Duration time);

    /** Whether the store tells news. One that does not is asked again after a while instead. */
    protected boolean tellsNews() {
        return true;
    }

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

    /** A store may fail for a moment, as a cluster does that is reached for the first time: a batch sent again counts once. */
    private static Batch.Reply exchange(CounterStore store, Batch batch) {
        return Exchanges.exchangeInTheEnd(store, batch);
    }

    private static Grant grant(CounterStore store, Batch batch) {
        return exchange(store, batch).grants().get(0);
    }

    private Grant ask(String instance, long sequence, Exchanges.Asked claim) {
        return grant(store, batch(instance, sequence, claim));
    }

    /** What an instance that has nothing to tell is told. */
    private long total(CounterKey key) {
        return ask(unique(), 1, claimOf(key, 1_000_000)).total();
    }

    @Nested
    class Counting {

        private final CounterKey acme = key("acme");

        @Test
        void addsWhatIsUsed() {
            assertThat(grant(store, batch(instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0, 0));
            assertThat(grant(store, batch(instance, 2, report(acme, 4)))).isEqualTo(new Grant(7, 0, 0));
        }

        @Test
        void addsUpOverInstances() {
            assertThat(grant(store, batch(instance, 1, report(acme, 3)))).isEqualTo(new Grant(3, 0, 0));
            assertThat(grant(store, batch(other, 1, report(acme, 4)))).isEqualTo(new Grant(7, 0, 0));
        }

        @Test
        void addsAllUsesOfAClaim() {
            assertThat(ask(instance, 1, claimOf(acme, 100).used(3).used(2).used(-1))
                            .total())
                    .isEqualTo(4);
        }

        @Test
        void countsTheSameForOneWhoHasNeverHeardOfTheCounter() {
            assertThat(ask(instance, 1, claimOf(acme, 100).used(3)).total()).isEqualTo(3);
            assertThat(ask(other, 1, claimOf(acme, 100).used(4).needing(2))).isEqualTo(new Grant(9, 2, 0));
            assertThat(ask(third, 1, claimOf(acme, 100)).total()).isEqualTo(9);
        }

        @Test
        void countsEachCounterByItself() {
            exchange(store, batch(instance, 1, report(acme, 3), report(key("other"), 5)));
            List<Grant> grants = exchange(store, batch(instance, 2, question(key("other")), question(acme)))
                    .grants();
            assertThat(grants).containsExactly(new Grant(5, 0, 0), new Grant(3, 0, 0));
        }

        @Test
        void addsWhatIsUsedAlsoBeyondTheCap() {
            assertThat(ask(instance, 1, claimOf(acme, 10).used(15).needing(5))).isEqualTo(new Grant(15, 0, 0));
        }

        @Test
        void neverFallsBelowZero() {
            exchange(store, batch(instance, 1, report(acme, 2)));
            assertThat(grant(store, batch(instance, 2, report(acme, -5))).total())
                    .isZero();
            assertThat(grant(store, batch(instance, 3, report(acme, 1))).total())
                    .isEqualTo(1);
        }

        @Test
        void takingBackFromACounterThatIsGoneLeavesZero() {
            assertThat(grant(store, batch(instance, 1, report(acme, -5))).total())
                    .isZero();
            assertThat(ask(instance, 2, claimOf(key("new"), 100).used(-5)).total())
                    .isZero();
            assertThat(total(key("new"))).isZero();
        }

        @Test
        void isExactWithLargeNumbers() {
            long large = 3_000_000_000_001L;
            ask(instance, 1, claimOf(acme, 4 * large).used(large));
            assertThat(ask(instance, 2, claimOf(acme, 4 * large).used(1).needing(large)))
                    .isEqualTo(new Grant(2 * large + 1, large, 0));
            assertThat(ask(
                            instance,
                            3,
                            claimOf(acme, Long.MAX_VALUE).used(large).needing(5)))
                    .isEqualTo(new Grant(2 * large + 6, 5, 0));
        }

        @Test
        void answersAnEmptyBatchWithItsClock() {
            assertThat(exchange(store, batch(instance, 1)).grants()).isEmpty();
            assertThat(exchange(store, batch(instance, 2)).nowMillis()).isBetween(now() - 2000, now() + 2000);
        }

        @Test
        void keepsTheOrderOfThousandsOfClaims() {
            List<Claim> claims = IntStream.range(0, 5000)
                    .mapToObj(
                            i -> claimOf(key("t" + i), 5003).used(i).needing(7).claim())
                    .toList();
            List<Grant> expected = IntStream.range(0, 5000)
                    .mapToObj(i -> new Grant(Math.min(i + 7, 5003), Math.min(7, 5003 - i), 0))
                    .toList();
            Batch batch = new Batch(instance, 1, claims);
            assertThat(exchange(store, batch).grants()).isEqualTo(expected);
            assertThat(exchange(store, batch).grants()).isEqualTo(expected);
            assertThat(total(key("t4321"))).isEqualTo(4328);
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
            ask(instance, 1, claimOf(odd, 100).used(3).holding(2));
            ask(instance, 2, claimOf(like, 100).used(4).holding(5));
            assertThat(total(odd)).isEqualTo(5);
            assertThat(total(like)).isEqualTo(9);
        }

        @Test
        void bearsHostileInstanceNames() {
            for (String odd : List.of("", " ", "a\r\nb", "{1}", "é", "x".repeat(2000))) {
                CounterKey counter = key("of " + odd);
                Batch batch =
                        batch(odd + instance, 1, claimOf(counter, 10).used(2).needing(3));
                exchange(store, batch);
                assertThat(grant(store, batch)).isEqualTo(new Grant(5, 3, 0));
                assertThat(ask(unique(), 1, claimOf(counter, 10).needing(6))).isEqualTo(new Grant(10, 5, 3));
            }
        }
    }

    @Nested
    public class Holding {

        private final CounterKey acme = key("acme");

        @Test
        void countsWhatIsHeldAsUsed() {
            assertThat(ask(instance, 1, claimOf(acme, 100).used(2).holding(3)).total())
                    .isEqualTo(5);
            assertThat(total(acme)).isEqualTo(5);
        }

        @Test
        void replacesWhatTheSenderHeldBefore() {
            ask(instance, 1, claimOf(acme, 100).holding(5));
            assertThat(ask(instance, 2, claimOf(acme, 100).used(3).holding(2)).total())
                    .isEqualTo(5);
            assertThat(ask(instance, 3, claimOf(acme, 100).holding(2)).total()).isEqualTo(5);
            assertThat(ask(instance, 4, claimOf(acme, 100)).total()).isEqualTo(3);
            assertThat(ask(instance, 5, claimOf(acme, 100).holding(1)).total()).isEqualTo(4);
        }

        @Test
        void countsWhatIsGrantedAsHeld() {
            ask(instance, 1, claimOf(acme, 100).needing(4));
            assertThat(total(acme)).isEqualTo(4);
            assertThat(ask(instance, 2, claimOf(acme, 100).used(4)).total()).isEqualTo(4);
            assertThat(total(acme)).isEqualTo(4);
        }

        @Test
        void isExactlyWhatWasUsedWhenAllIsReturned() {
            ask(instance, 1, claimOf(acme, 100).used(1).needing(4).wanting(10));
            ask(other, 1, claimOf(acme, 100).used(2).wanting(10));
            ask(instance, 2, claimOf(acme, 100).used(5));
            ask(other, 2, claimOf(acme, 100).used(3));
            assertThat(total(acme)).isEqualTo(11);
        }

        @Test
        void keepsHoldingsApart() {
            ask(instance, 1, claimOf(acme, 100).holding(4));
            ask(other, 1, claimOf(acme, 100).holding(2));
            ask(instance, 2, claimOf(acme, 100));
            assertThat(total(acme)).isEqualTo(2);
        }

        @Test
        void tellsWhatOthersHoldWhereTooLittleIsGranted() {
            ask(instance, 1, claimOf(acme, 10).used(1).holding(4));
            ask(other, 1, claimOf(acme, 10).holding(3));
            assertThat(ask(third, 1, claimOf(acme, 10).needing(5))).isEqualTo(new Grant(10, 2, 7));
            assertThat(ask(instance, 2, claimOf(acme, 10).holding(4).needing(1)))
                    .isEqualTo(new Grant(10, 0, 5));
        }

        @Test
        void freesWhatWasHeldWhenTheLeaseEnds() {
            ask(instance, 1, claimOf(acme, 10).used(2).needing(8).leasedFor(BRIEF));
            assertThat(ask(other, 1, claimOf(acme, 10).needing(1))).isEqualTo(new Grant(10, 0, 8));

            letPass(AFTER_BRIEF);

            assertThat(ask(other, 2, claimOf(acme, 10).needing(9))).isEqualTo(new Grant(10, 8, 0));
        }

        @Test
        void renewsALeaseWithEachClaim() {
            ask(instance, 1, claimOf(acme, 10).needing(8).leasedFor(Duration.ofMillis(1_500)));
            letPass(Duration.ofSeconds(1));
            ask(instance, 2, claimOf(acme, 10).holding(8).leasedFor(Duration.ofMillis(1_500)));
            letPass(Duration.ofSeconds(1));
            assertThat(ask(other, 1, claimOf(acme, 10).needing(9))).isEqualTo(new Grant(10, 2, 8));
        }

        @Test
        void countsWhatASilentHolderHasUsedAfterAll() {
            ask(instance, 1, claimOf(acme, 10).needing(8).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            ask(other, 1, claimOf(acme, 10).needing(9));

            assertThat(ask(instance, 2, claimOf(acme, 10).used(8)).total()).isEqualTo(17);
            assertThat(ask(other, 2, claimOf(acme, 10).used(9)).total()).isEqualTo(17);
        }

        @Test
        void replacesAlsoWhatWasHeldLongerThanItsLease() {
            ask(instance, 1, claimOf(acme, 10).needing(8).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            assertThat(ask(instance, 2, claimOf(acme, 10).used(2).holding(6)).total())
                    .isEqualTo(8);
            assertThat(ask(other, 1, claimOf(acme, 10).needing(9))).isEqualTo(new Grant(10, 2, 6));
        }
    }

    /** What calls use as soon as it is granted. */
    @Nested
    class UsingAtOnce {

        private final CounterKey acme = key("acme");

        private void countsAsUsedAndNotAsHeld(Rule rule) {
            assertThat(ask(instance, 1, claimOf(acme, rule).needingAtOnce(3, 1)).granted())
                    .isEqualTo(3);
            Grant others = ask(other, 1, claimOf(acme, rule).needing(9));
            assertThat(others.granted()).isEqualTo(7);
            assertThat(others.elsewhere()).isZero();
            ask(other, 2, claimOf(acme, rule));
            assertThat(ask(instance, 2, claimOf(acme, rule).needing(9)).granted())
                    .isEqualTo(7);
        }

        @Test
        void countsAsUsedInAWindow() {
            countsAsUsedAndNotAsHeld(new Rule.Total(10));
        }

        @Test
        void countsAsUsedInABucket() {
            long year = Duration.ofDays(365).toMillis();
            countsAsUsedAndNotAsHeld(new Rule.Flow(year / 10, 1, year, year));
        }

        @Test
        void countsAsUsedInALog() {
            countsAsUsedAndNotAsHeld(new Rule.Logged(10, Duration.ofHours(1).toMillis()));
        }

        @Test
        void occupiesPlaces() {
            assertThat(ask(instance, 1, claimOf(acme, new Rule.Leased(10, 0, 0)).needingAtOnce(3, 1)))
                    .isEqualTo(new Grant(3, 3, 0));
            long now = ask(other, 1, claimOf(acme, new Rule.Leased(10, 0, 0)).needing(9))
                    .elsewhere();
            assertThat(now).isEqualTo(3);
            assertThat(ask(other, 2, claimOf(acme, new Rule.Leased(10, 7, 1)).needing(1))
                            .elsewhere())
                    .isZero();
        }

        @Test
        void isReturnedIfItWasNotUsedAfterAll() {
            ask(instance, 1, claimOf(acme, 10).needingAtOnce(3, 1));
            assertThat(ask(instance, 2, claimOf(acme, 10).used(-2)).total()).isEqualTo(1);
        }

        @Test
        void isNotGrantedWhereTooFewAreLeftForAnyCall() {
            assertThat(ask(instance, 1, claimOf(acme, 10).used(8).needingAtOnce(6, 3)))
                    .isEqualTo(new Grant(8, 0, 0));
            assertThat(ask(instance, 2, claimOf(acme, 10).needingAtOnce(6, 2))).isEqualTo(new Grant(10, 2, 0));
        }
    }

    @Nested
    class Granting {

        private final CounterKey acme = key("acme");

        @Test
        void grantsWhatIsNeededAsFarAsItIsThere() {
            assertThat(ask(instance, 1, claimOf(acme, 10).used(2).needing(5))).isEqualTo(new Grant(7, 5, 0));
            assertThat(ask(instance, 2, claimOf(acme, 10).used(5).needing(5))).isEqualTo(new Grant(10, 3, 0));
            assertThat(ask(instance, 3, claimOf(acme, 10).used(3).needing(5))).isEqualTo(new Grant(10, 0, 0));
        }

        @Test
        void grantsAPartOfWhatIsLeftAheadOfNeed() {
            assertThat(ask(instance, 1, claimOf(acme, 10).wanting(100))).isEqualTo(new Grant(7, 7, 0));
            assertThat(ask(instance, 2, claimOf(acme, 10).holding(7).wanting(100)))
                    .isEqualTo(new Grant(9, 2, 0));
            assertThat(ask(instance, 3, claimOf(acme, 10).holding(9).wanting(100)))
                    .isEqualTo(new Grant(9, 0, 0));
        }

        @Test
        void dividesThatPartByTheHolders() {
            ask(instance, 1, claimOf(acme, 100).used(10).needing(10));
            ask(other, 1, claimOf(acme, 100).needing(10));
            assertThat(ask(third, 1, claimOf(acme, 100).wanting(100)).granted()).isEqualTo(16);
            ask(instance, 2, claimOf(acme, 100).used(10));
            ask(other, 2, claimOf(acme, 100).used(10));
            assertThat(ask(third, 2, claimOf(acme, 100).used(16).wanting(100)).granted())
                    .isEqualTo(37);
        }

        @Test
        void grantsWhatIsNeededBeforeWhatIsWanted() {
            assertThat(ask(instance, 1, claimOf(acme, 10).needing(4).wanting(100)))
                    .isEqualTo(new Grant(8, 8, 0));
            assertThat(ask(other, 1, claimOf(acme, 10).needing(2).wanting(100))).isEqualTo(new Grant(10, 2, 8));
        }

        @Test
        void grantsAllThatIsWantedOfALargeLimit() {
            assertThat(ask(instance, 1, claimOf(acme, 1_000_000).needing(4).wanting(100))
                            .granted())
                    .isEqualTo(104);
            assertThat(ask(other, 1, claimOf(acme, 1_000_000).wanting(200)).granted())
                    .isEqualTo(200);
        }

        @Test
        void grantsFromWhatTheClaimItselfReturns() {
            ask(instance, 1, claimOf(acme, 10).needing(10));
            assertThat(ask(instance, 2, claimOf(acme, 10).used(4).holding(0).needing(7)))
                    .isEqualTo(new Grant(10, 6, 0));
            assertThat(ask(instance, 3, claimOf(acme, 10).used(-1).holding(6).needing(2)))
                    .isEqualTo(new Grant(10, 1, 0));
        }

        @Test
        void followsACapThatIsChanged() {
            ask(instance, 1, claimOf(acme, 10).used(8));
            assertThat(ask(instance, 2, claimOf(acme, 5).needing(1).wanting(1))).isEqualTo(new Grant(8, 0, 0));
            assertThat(ask(instance, 3, claimOf(acme, -5).needing(1).wanting(1)))
                    .isEqualTo(new Grant(8, 0, 0));
            assertThat(ask(instance, 4, claimOf(acme, 12).needing(9))).isEqualTo(new Grant(12, 4, 0));
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
        void countsAsAPlainModelDoes(long seed) {
            Random random = new Random(seed);
            String[] instances = {instance, other, third};
            long[] used = new long[7];
            long[][] held = new long[7][instances.length];
            for (int sequence = 1; sequence <= 80; sequence++) {
                int who = random.nextInt(instances.length);
                List<Claim> claims = new ArrayList<>();
                List<Grant> expected = new ArrayList<>();
                for (int i = 0; i < used.length; i++) {
                    int cap = random.nextInt(90);
                    long spent = random.nextLong(held[i][who] + 2);
                    long holding = random.nextLong(Math.max(1, held[i][who] - spent + 1));
                    long needed = random.nextInt(4);
                    long wanted = needed == 0 ? 1 + random.nextInt(9) : random.nextInt(9);
                    claims.add(claimOf(key("t" + i), cap)
                            .used(spent)
                            .holding(holding)
                            .needing(needed)
                            .wanting(wanted)
                            .claim());
                    used[i] += spent;
                    held[i][who] = holding;
                    long all = used[i] + LongStream.of(held[i]).sum();
                    long forWaiting = Math.max(0, Math.min(needed, cap - all));
                    held[i][who] = 1;
                    int holders = (int)
                            LongStream.of(held[i]).filter(some -> some > 0).count();
                    long granted = forWaiting + Share.ahead(wanted, cap - all - forWaiting, holders);
                    held[i][who] = holding + granted;
                    long elsewhere = LongStream.of(held[i]).sum() - held[i][who];
                    expected.add(new Grant(all + granted, granted, elsewhere));
                }
                assertThat(exchange(store, new Batch(instances[who], sequence, claims))
                                .grants())
                        .isEqualTo(expected);
            }
        }
    }

    @Nested
    class Frames {

        private static final int LENGTH = 20_000;

        /** So long that no test sees it end, but its weight falls. */
        private final long first = now() / LENGTH * LENGTH - LENGTH;

        private CounterKey frame(int number) {
            return Exchanges.key(endpoint, "acme", first + (long) number * LENGTH, first + (number + 1L) * LENGTH);
        }

        /** The first frame that has not ended by the store's clock, with enough of it left. */
        private int current() {
            int number = (int) ((now() - first) / LENGTH);
            long left = first + (number + 1L) * LENGTH - now();
            if (left < 3_000) {
                letPass(Duration.ofMillis(left));
                number++;
            }
            return number;
        }

        @Test
        void tellsTheTotalsOfTheFramesBefore() {
            Rule.Frame rule = new Rule.Frame(100, 3);
            int now = current();
            ask(instance, 1, claimOf(frame(now - 1), rule).used(5));
            ask(instance, 2, claimOf(frame(now - 3), rule).used(7));
            assertThat(ask(instance, 3, claimOf(frame(now), rule).used(1)).details())
                    .containsExactly(5L, 0L, 7L);
        }

        @Test
        void grantsNoMoreThanTheFramesBeforeLeave() {
            Rule.Frame rule = new Rule.Frame(100, 2);
            int now = current();
            ask(instance, 1, claimOf(frame(now - 1), rule).used(30));
            ask(instance, 2, claimOf(frame(now - 2), rule).used(40));

            long before = now();
            Grant grant = ask(instance, 3, claimOf(frame(now), rule).used(10).needing(100));
            long after = now();

            assertThat(grant.granted())
                    .isBetween(60 - weight(40, before - 1000, now), 60 - weight(40, after + 1000, now));
            assertThat(grant.total()).isEqualTo(10 + grant.granted());
        }

        private long weight(long oldest, long millis, int frame) {
            long left = Math.max(0, Math.min(LENGTH, frame(frame).end() - millis));
            return (long) Math.ceil((double) oldest * left / LENGTH);
        }

        @Test
        void countsWhatIsHeldOfTheFramesBefore() {
            Rule.Frame rule = new Rule.Frame(100, 2);
            int now = current();
            ask(other, 1, claimOf(frame(now - 1), rule).used(20).holding(30));
            Grant grant = ask(instance, 1, claimOf(frame(now), rule).needing(100));
            assertThat(grant).isEqualTo(new Grant(50, 50, 30, List.of(50L, 0L)));
        }

        @Test
        void freesWhatWasHeldOfTheFramesBeforeWhenTheLeaseEnds() {
            Rule.Frame rule = new Rule.Frame(100, 2);
            int now = current();
            ask(other, 1, claimOf(frame(now - 1), rule).used(20).holding(30).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            assertThat(ask(instance, 1, claimOf(frame(now), rule).needing(100)))
                    .isEqualTo(new Grant(80, 80, 0, List.of(20L, 0L)));
        }

        @Test
        void grantsNothingOfAFrameThatIsOver() {
            Rule.Frame rule = new Rule.Frame(100, 1);
            int now = current();
            assertThat(ask(
                            instance,
                            1,
                            claimOf(frame(now - 1), rule).used(3).needing(4).wanting(5)))
                    .isEqualTo(new Grant(3, 0, 0, List.of(0L)));
            assertThat(ask(instance, 2, claimOf(frame(now - 1), rule).used(3).needing(4))
                            .total())
                    .isEqualTo(6);
        }
    }

    @Nested
    class Flowing {

        private static final long DAY = 86_400_000;

        private final CounterKey acme = key("acme");
        private final Gcra five = Gcra.of(5, DAY, 5);
        private final Rule fiveADay = rule(five);

        private static Rule rule(Gcra gcra) {
            return new Rule.Flow(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
        }

        @Test
        void grantsWhatIsInTheBucket() {
            assertThat(ask(instance, 1, claimOf(acme, fiveADay).needing(3)).granted())
                    .isEqualTo(3);
            assertThat(ask(other, 1, claimOf(acme, fiveADay).needing(3)).granted())
                    .isEqualTo(2);
            Grant refused = ask(instance, 2, claimOf(acme, fiveADay).used(3).needing(3));
            assertThat(refused.granted()).isZero();
            assertThat(refused.elsewhere()).isEqualTo(2);
        }

        @Test
        void grantsAPartOfTheBucketAheadOfNeed() {
            assertThat(ask(instance, 1, claimOf(acme, fiveADay).wanting(9)).granted())
                    .isEqualTo(3);
            assertThat(ask(other, 1, claimOf(acme, fiveADay).wanting(9)).granted())
                    .isZero();
            assertThat(ask(other, 2, claimOf(acme, fiveADay).needing(1).wanting(9))
                            .granted())
                    .isEqualTo(1);
        }

        @Test
        void tellsWhenTheBucketWouldBeFull() {
            Grant grant = ask(instance, 1, claimOf(acme, fiveADay).used(2).needing(1));

            assertThat(five.resetMillis(grant.total(), now())).isBetween(3 * DAY / 5 - 2_000, 3 * DAY / 5 + 2_000);
            assertThat(five.left(grant.total(), now())).isEqualTo(2);
        }

        @Test
        void tellsItWithAllThatIsHeld() {
            ask(other, 1, claimOf(acme, fiveADay).used(1).holding(2));
            Grant grant = ask(instance, 1, claimOf(acme, fiveADay).used(1).holding(1));

            assertThat(five.left(grant.total(), now())).isZero();
            assertThat(grant.elsewhere()).isEqualTo(2);
        }

        @Test
        void takesBackWhatCountsNoMore() {
            ask(instance, 1, claimOf(acme, fiveADay).used(5));
            assertThat(ask(instance, 2, claimOf(acme, fiveADay).used(-2)).granted())
                    .isZero();
            assertThat(ask(instance, 3, claimOf(acme, fiveADay).needing(5)).granted())
                    .isEqualTo(2);
        }

        @Test
        void remembersWhatWasUsedBeyondTheBucket() {
            ask(instance, 1, claimOf(acme, fiveADay).used(8));
            ask(instance, 2, claimOf(acme, fiveADay).used(-2));
            assertThat(ask(instance, 3, claimOf(acme, fiveADay).needing(1)).granted())
                    .isZero();
        }

        @Test
        void refillsToItsDepthLessWhatIsHeld() {
            Rule quick = rule(Gcra.of(100, 1_000, 7));
            ask(instance, 1, claimOf(acme, quick).used(3).holding(4));
            letPass(Duration.ofMillis(200));
            assertThat(ask(other, 1, claimOf(acme, quick).needing(9)).granted()).isEqualTo(3);
        }

        @Test
        void freesWhatWasHeldWhenTheLeaseEnds() {
            ask(instance, 1, claimOf(acme, fiveADay).used(1).holding(4).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            assertThat(ask(other, 1, claimOf(acme, fiveADay).needing(9))).satisfies(grant -> {
                assertThat(grant.granted()).isEqualTo(4);
                assertThat(grant.elsewhere()).isZero();
            });
        }

        @Test
        void fillsAgain() {
            Rule oneASecond = rule(Gcra.of(7, 7_000, 7));
            assertThat(ask(instance, 1, claimOf(acme, oneASecond).needing(9)).granted())
                    .isEqualTo(7);
            ask(instance, 2, claimOf(acme, oneASecond).used(7));

            letPass(Duration.ofMillis(2_100));

            assertThat(ask(instance, 3, claimOf(acme, oneASecond).needing(9)).granted())
                    .isBetween(2L, 4L);
        }

        @Test
        void countsCallsThatAreToldLateAsIfToldInTime() {
            Gcra gcra = Gcra.of(1, 1_000, 20);
            Rule oneASecond = rule(gcra);
            // Both made ten calls, nine and three seconds ago; one bucket would have refilled by all nine.
            ask(
                    instance,
                    1,
                    claimOf(acme, oneASecond).used(Duration.ofSeconds(3), 10).leasedFor(MUCH_LATER));
            Grant late = ask(
                    other,
                    1,
                    claimOf(acme, oneASecond).used(Duration.ofSeconds(9), 10).leasedFor(MUCH_LATER));

            // 20 calls in 9 seconds leave 11 to flow in; counted when they were told, they would leave 17.
            assertThat(gcra.left(late.total(), now())).isBetween(8L, 11L);
        }

        @Test
        void forgetsNoBusyPeriodWithinTwoLeases() {
            Gcra gcra = Gcra.of(10, 1_000, 20);
            Rule tenASecond = rule(gcra);
            Duration lease = Duration.ofSeconds(3);
            // Twenty calls five seconds ago had flowed in again three seconds ago, but not if fifty came a second
            // before them.
            ask(
                    instance,
                    1,
                    claimOf(acme, tenASecond).used(Duration.ofSeconds(5), 20).leasedFor(lease));
            Grant grant = ask(
                    other,
                    1,
                    claimOf(acme, tenASecond).used(Duration.ofSeconds(6), 50).leasedFor(lease));
            assertThat(gcra.left(grant.total(), now())).isBetween(9L, 14L);
        }

        @Test
        void isExactWithLargeNumbers() {
            Gcra gcra = Gcra.of(999_983, DAY - 1, 999_983);
            Grant grant =
                    ask(instance, 1, claimOf(acme, rule(gcra)).used(999_979).needing(3));
            assertThat(grant.granted()).isEqualTo(3);
            assertThat(gcra.left(grant.total(), now())).isBetween(1L, 30L);
        }
    }

    @Nested
    class Logging {

        private final CounterKey acme = key("acme");
        private final Rule.Logged fiveAMinute = new Rule.Logged(5, 60_000);

        @Test
        void notesEachCall() {
            Grant first = ask(instance, 1, claimOf(acme, fiveAMinute).used(1).needing(2));
            assertThat(first.total()).isEqualTo(3);
            assertThat(first.granted()).isEqualTo(2);
            assertThat(first.details())
                    .singleElement()
                    .satisfies(oldest -> assertThat(oldest).isBetween(now() - 2_000, now() + 2_000));

            assertThat(ask(other, 1, claimOf(acme, fiveAMinute).needing(9)))
                    .isEqualTo(new Grant(5, 2, 2, first.details()));
        }

        @Test
        void tellsOfNoOldestCallWhereThereIsNone() {
            assertThat(ask(instance, 1, claimOf(acme, fiveAMinute).needing(2)))
                    .isEqualTo(new Grant(2, 2, 0, List.of(0L)));
        }

        @Test
        void notesCallsWhenTheyWereMade() {
            Rule.Logged fiveInThree = new Rule.Logged(5, 3_000);
            Grant grant = ask(
                    instance,
                    1,
                    claimOf(acme, fiveInThree)
                            .used(Duration.ofSeconds(4), 2)
                            .used(Duration.ofSeconds(2), 2)
                            .used(1));
            assertThat(grant.total()).isEqualTo(3);
            assertThat(grant.details().get(0)).isBetween(now() - 3_500, now() - 1_500);

            letPass(Duration.ofMillis(1_100));

            assertThat(ask(instance, 2, claimOf(acme, fiveInThree)).total()).isEqualTo(1);
        }

        @Test
        void forgetsTheLatestCallsOfTheSenderThatCountNoMore() {
            ask(
                    other,
                    1,
                    claimOf(acme, fiveAMinute).used(Duration.ofSeconds(30), 1).used(Duration.ofSeconds(10), 1));
            ask(instance, 1, claimOf(acme, fiveAMinute).used(2));

            Grant grant = ask(other, 2, claimOf(acme, fiveAMinute).used(-1));
            assertThat(grant.total()).isEqualTo(3);
            assertThat(grant.details().get(0)).isLessThan(now() - 20_000);

            assertThat(ask(other, 3, claimOf(acme, fiveAMinute).used(-3)).total())
                    .isEqualTo(2);
        }

        @Test
        void countsWhatIsHeldAsMade() {
            ask(instance, 1, claimOf(acme, fiveAMinute).used(1).holding(3));
            assertThat(ask(other, 1, claimOf(acme, fiveAMinute).needing(3)).granted())
                    .isEqualTo(1);
            assertThat(ask(instance, 2, claimOf(acme, fiveAMinute).used(1)).total())
                    .isEqualTo(3);
        }

        @Test
        void freesWhatWasHeldWhenTheLeaseEnds() {
            ask(instance, 1, claimOf(acme, fiveAMinute).used(1).holding(4).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            assertThat(ask(other, 1, claimOf(acme, fiveAMinute).needing(9)).granted())
                    .isEqualTo(4);
        }

        @Test
        void notesThousandsOfCalls() {
            Rule.Logged many = new Rule.Logged(20_000, 60_000);
            assertThat(ask(instance, 1, claimOf(acme, many).used(15_000).needing(6_000))
                            .granted())
                    .isEqualTo(5_000);
            assertThat(ask(instance, 2, claimOf(acme, many).used(5_000)).total())
                    .isEqualTo(20_000);
        }
    }

    @Nested
    class Leasing {

        private final CounterKey acme = key("acme");

        private Exchanges.Asked places(long inUse, long sinceMillis) {
            return claimOf(acme, new Rule.Leased(5, inUse, sinceMillis));
        }

        @Test
        void givesEachPlaceToOneInstance() {
            assertThat(ask(instance, 1, places(1, 0).needing(2))).isEqualTo(new Grant(3, 2, 0));
            assertThat(ask(other, 1, places(0, 0).needing(3))).isEqualTo(new Grant(5, 2, 3));
            assertThat(ask(instance, 2, places(1, 0))).isEqualTo(new Grant(3, 0, 2));
            assertThat(ask(other, 2, places(2, 0).needing(9))).isEqualTo(new Grant(5, 2, 1));
            assertThat(ask(instance, 3, places(0, 0))).isEqualTo(new Grant(4, 0, 4));
        }

        @Test
        void countsPlacesThatAreHeldFree() {
            ask(instance, 1, places(1, 0).holding(2));
            assertThat(ask(other, 1, places(0, 0).needing(3))).isEqualTo(new Grant(5, 2, 3));
        }

        @Test
        void tellsWhoMayHaveFreePlacesSinceCallsWait() {
            ask(instance, 1, places(3, 0).holding(2));
            letPass(Duration.ofMillis(50));
            long since = exchange(store, batch(unique(), 1)).nowMillis();
            letPass(Duration.ofMillis(50));
            assertThat(ask(other, 1, places(0, since).needing(1)).elsewhere()).isEqualTo(5);
            ask(instance, 2, places(5, 0));
            assertThat(ask(other, 2, places(0, since).needing(1))).isEqualTo(new Grant(5, 0, 0));
        }

        @Test
        void freesThePlacesOfAnInstanceThatIsSilent() {
            ask(instance, 1, places(2, 0).needing(3).leasedFor(BRIEF));
            letPass(AFTER_BRIEF);
            assertThat(ask(other, 1, places(0, 0).needing(4))).isEqualTo(new Grant(4, 4, 0));
        }

        @Test
        void sharesFreePlacesOut() {
            assertThat(ask(instance, 1, places(1, 0).wanting(9))).isEqualTo(new Grant(3, 2, 0));
            assertThat(ask(other, 1, places(0, 0).wanting(9)).granted()).isZero();
        }
    }

    @Nested
    class ExactlyOnce {

        private final CounterKey acme = key("acme");

        @Test
        void aBatchThatComesAgainIsAnsweredAsBefore() {
            Batch batch = batch(
                    instance,
                    1,
                    claimOf(acme, 10).used(2).needing(5),
                    claimOf(key("other"), 10).needing(1));
            List<Grant> first = exchange(store, batch).grants();
            exchange(store, batch(other, 1, report(acme, 1)));
            assertThat(exchange(store, batch).grants()).isEqualTo(first);
            assertThat(total(acme)).isEqualTo(8);
        }

        @Test
        void aBatchOfAllRulesThatComesAgainIsAnsweredAsBefore() {
            Gcra five = Gcra.of(5, 86_400_000, 5);
            Batch batch = batch(
                    instance,
                    1,
                    claimOf(key("frame"), new Rule.Frame(10, 3)).used(2).needing(5),
                    claimOf(key("flow"), new Rule.Flow(five.token(), five.milli(), five.depth(), five.furthest()))
                            .used(2)
                            .needing(1),
                    claimOf(key("log"), new Rule.Logged(10, 60_000)).used(2).needing(5),
                    claimOf(key("places"), new Rule.Leased(10, 2, 0)).needing(5));
            List<Grant> first = exchange(store, batch).grants();
            assertThat(exchange(store, batch).grants()).isEqualTo(first);
        }

        @Test
        void aBatchThatComesAgainElsewhereIsAnsweredAsBefore() {
            Batch batch = batch(instance, 1, claimOf(acme, 10).used(2).needing(5));
            Grant first = grant(store, batch);
            try (CounterStore another = open()) {
                assertThat(grant(another, batch)).isEqualTo(first);
            }
        }

        @Test
        void anOlderBatchIsNotApplied() {
            exchange(store, batch(instance, 10, report(acme, 1)));
            assertThatThrownBy(() -> exchange(store, batch(instance, 9, report(acme, 100))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.temporary()).isFalse());
            assertThat(grant(store, batch(instance, 11, question(acme))).total())
                    .isEqualTo(1);
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
            assertThat(total(key("t999"))).isEqualTo(2);
        }

        @Test
        void sequencesMayBeLargeAndHaveGaps() {
            for (long sequence : new long[] {0, 1, 9, 10, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE}) {
                Batch batch = batch(instance, sequence, report(acme, 1));
                exchange(store, batch);
                assertThat(exchange(store, batch).losses()).isEmpty();
            }
            assertThat(total(acme)).isEqualTo(7);
        }

        @Test
        void sendersDoNotDisturbEachOther() {
            Batch one = batch(instance, 7, report(acme, 1));
            Batch two = batch(instance + "/strict", 3, report(acme, 10));
            exchange(store, one);
            exchange(store, two);
            assertThat(grant(store, one).total()).isEqualTo(1);
            assertThat(grant(store, two).total()).isEqualTo(11);
        }
    }

    @Nested
    public class News {

        private final CounterKey acme = key("acme");
        private final Rule fiveAMinute = new Rule.Logged(5, 60_000);
        private final Gcra five = Gcra.of(5, 86_400_000, 5);
        private final Rule fiveADay = new Rule.Flow(five.token(), five.milli(), five.depth(), five.furthest());

        @Test
        void recallsWhatOthersHoldWhereCallsNeedIt() {
            assertRecalled(claimOf(acme, 5).holding(5), claimOf(acme, 5).needing(1));
        }

        @Test
        void recallsWhatOthersHoldOfAFrameBefore() {
            Rule.Frame rule = new Rule.Frame(5, 2);
            CounterKey before = acme.earlier(1);
            CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
            assertRecalled(claimOf(before, rule).holding(5), claimOf(now, rule).needing(5), now, now.earlier(1));
        }

        @Test
        void recallsWhatOthersHoldOfABucket() {
            assertRecalled(
                    claimOf(acme, fiveADay).holding(5), claimOf(acme, fiveADay).needing(1));
        }

        @Test
        void recallsWhatOthersHoldOfALog() {
            assertRecalled(
                    claimOf(acme, fiveAMinute).holding(5),
                    claimOf(acme, fiveAMinute).needing(1));
        }

        /** As charges do that are made after their calls. */
        @Test
        void recallsWhatOthersHoldWhereMoreOfAWindowWasUsedThanIsLeft() {
            assertRecalled(claimOf(acme, 5).holding(2), claimOf(acme, 5).used(4));
        }

        @Test
        void recallsWhatOthersHoldWhereMoreOfABucketWasUsedThanIsLeft() {
            assertRecalled(
                    claimOf(acme, fiveADay).holding(2), claimOf(acme, fiveADay).used(4));
        }

        @Test
        void recallsWhatOthersHoldWhereMoreOfALogWasUsedThanIsLeft() {
            assertRecalled(
                    claimOf(acme, fiveAMinute).holding(2),
                    claimOf(acme, fiveAMinute).used(4));
        }

        @Test
        void recallsNothingWhereWhatOthersHoldIsLeft() {
            CounterKey bucket = key("bucket");
            CounterKey log = key("log");
            assertNotRecalled(claimOf(acme, 5).holding(2), claimOf(acme, 5).used(3));
            assertNotRecalled(
                    claimOf(bucket, fiveADay).holding(2),
                    claimOf(bucket, fiveADay).used(3));
            assertNotRecalled(
                    claimOf(log, fiveAMinute).holding(2),
                    claimOf(log, fiveAMinute).used(3));
        }

        private void assertNotRecalled(Exchanges.Asked holder, Exchanges.Asked user) {
            if (tellsNews()) {
                Heard heard = Heard.by(third, store);
                exchange(store, batch(unique(), 1, holder));
                exchange(store, batch(unique(), 1, user));
                heard.awaitLatest(store);
                assertThat(heard.has(Kind.RECALLED, user.claim().key())).isFalse();
            }
        }

        @Test
        void tellsWhenChargesHaveUsedUpAWindowOfWhichNobodyHoldsAny() {
            if (tellsNews()) {
                Heard heard = Heard.by(other, store);
                exchange(store, batch(instance, 1, claimOf(acme, 5).used(6)));
                heard.await(Kind.USED_UP, acme);
            }
        }

        @Test
        void recallsPlaces() {
            assertRecalled(
                    claimOf(acme, new Rule.Leased(5, 2, 0)).holding(3),
                    claimOf(acme, new Rule.Leased(5, 0, 0)).needing(1));
        }

        private void assertRecalled(Exchanges.Asked holder, Exchanges.Asked asker, CounterKey... keys) {
            if (tellsNews()) {
                try (CounterStore another = open()) {
                    Heard heard = Heard.by(instance, another);
                    exchange(store, batch(instance, 1, holder));
                    exchange(store, batch(other, 1, asker));
                    for (CounterKey key : keys.length == 0 ? List.of(acme) : Arrays.asList(keys)) {
                        heard.await(Kind.RECALLED, key);
                    }
                    assertThat(heard.has(Kind.FREED, acme)).isFalse();
                }
            }
        }

        @Test
        void tellsWhenASpentLimitIsFree() {
            assertFreed(claimOf(acme, 5).holding(5), claimOf(acme, 5).used(4));
            assertFreed(claimOf(acme, 5).used(1), claimOf(acme, 5).used(-2));
        }

        @Test
        void tellsWhenASpentFrameIsFree() {
            Rule.Frame rule = new Rule.Frame(5, 2);
            CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
            assertFreed(claimOf(now, rule).holding(5), claimOf(now, rule).used(4));
        }

        @Test
        void tellsWhenASpentBucketIsFree() {
            assertFreed(
                    claimOf(acme, fiveADay).used(1).holding(4),
                    claimOf(acme, fiveADay).used(3));
        }

        @Test
        void tellsWhenASpentLogIsFree() {
            assertFreed(
                    claimOf(acme, fiveAMinute).used(1).holding(4),
                    claimOf(acme, fiveAMinute).used(3));
        }

        @Test
        void tellsWhenAPlaceIsFree() {
            assertFreed(claimOf(acme, new Rule.Leased(5, 5, 0)), claimOf(acme, new Rule.Leased(5, 4, 0)));
        }

        private void assertFreed(Exchanges.Asked spending, Exchanges.Asked returning) {
            if (tellsNews()) {
                try (CounterStore another = open()) {
                    Heard heard = Heard.by(other, another);
                    String sender = unique();
                    CounterKey key = spending.claim().key();
                    exchange(store, batch(sender, 1, spending));
                    heard.awaitLatest(another);
                    assertThat(heard.has(Kind.FREED, key)).isFalse();
                    exchange(store, batch(sender, 2, returning));
                    heard.await(Kind.FREED, key);
                    assertThat(heard.has(Kind.RECALLED, key)).isFalse();
                }
            }
        }

        @Test
        void tellsNothingWhereNobodyHasAnything() {
            if (tellsNews()) {
                Heard heard = Heard.by(other, store);
                exchange(store, batch(instance, 1, claimOf(acme, 5).used(5)));
                exchange(store, batch(instance, 2, claimOf(acme, 5).needing(1)));
                heard.awaitLatest(store);
                assertThat(heard.has(Kind.RECALLED, acme)).isFalse();
            }
        }

        @Test
        void tellsNobodyOfHisOwnExchanges() {
            if (tellsNews()) {
                Heard own = Heard.by(instance, store);
                Heard others = Heard.by(other, store);
                exchange(store, batch(third, 1, claimOf(acme, 5).holding(5)));
                exchange(store, batch(instance, 1, claimOf(acme, 5).needing(1)));
                others.await(Kind.RECALLED, acme);
                own.awaitLatest(store);
                assertThat(own.has(Kind.RECALLED, acme)).isFalse();
            }
        }
    }

    @Nested
    class Together {

        @Test
        void instancesThatRaceForTheLastCallsGetExactlyWhatThereIs() throws Exception {
            CounterKey acme = key("acme");
            List<Long> used = sharing(4, number -> {
                Random random = new Random(number);
                long sum = 0;
                long held = 0;
                try (CounterStore own = open()) {
                    for (int sequence = 1; sequence <= 300; sequence++) {
                        long using = Math.min(held, random.nextInt(9));
                        held -= using;
                        sum += using;
                        Grant grant = grant(
                                own,
                                batch(
                                        number + instance,
                                        sequence,
                                        claimOf(acme, 1000)
                                                .used(using)
                                                .holding(held)
                                                .needing(random.nextInt(3))
                                                .wanting(random.nextInt(9))));
                        held += grant.granted();
                        assertThat(grant.total()).isLessThanOrEqualTo(1000);
                    }
                    exchange(
                            own,
                            batch(number + instance, 301, claimOf(acme, 1000).used(held)));
                    return sum + held;
                }
            });
            assertThat(used.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
            assertThat(total(acme)).isEqualTo(1000);
        }

        @Test
        void nothingIsLostOrInvented() throws Exception {
            List<Long> added = sharing(4, number -> {
                Random random = new Random(number);
                long sum = 0;
                for (int sequence = 1; sequence <= 100; sequence++) {
                    List<Claim> claims = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        long used = random.nextInt(5);
                        sum += used;
                        claims.add(claimOf(key("t" + i), 1_000_000)
                                .used(used)
                                .holding(sequence == 100 ? 0 : random.nextInt(9))
                                .claim());
                    }
                    Batch batch = new Batch(number + instance, sequence, claims);
                    exchange(store, batch);
                    if (random.nextBoolean()) {
                        exchange(store, batch);
                    }
                }
                return sum;
            });
            Claim[] questions =
                    IntStream.range(0, 20).mapToObj(i -> question(key("t" + i))).toArray(Claim[]::new);
            long total = exchange(store, batch(instance, 1, questions)).grants().stream()
                    .mapToLong(Grant::total)
                    .sum();
            assertThat(total)
                    .isEqualTo(added.stream().mapToLong(Long::longValue).sum());
        }

        private List<Long> sharing(int threads, Part part) throws Exception {
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
                    .containsExactly(new Grant(6, 0, 0), new Grant(6, 0, 0), new Grant(6, 0, 0));
            letPass(MUCH_LATER);
            assertThat(exchange(store, batch(instance, 3, question(ending), question(going), question(past)))
                            .grants())
                    .containsExactly(new Grant(0, 0, 0), new Grant(6, 0, 0), new Grant(0, 0, 0));
        }

        @Test
        void aFrameOutlivesItsEndAsLongAsItCounts() {
            long now = now();
            CounterKey frame = Exchanges.key(endpoint, "acme", now - 5_000, now - 2_000);
            exchange(
                    store,
                    batch(instance, 1, claimOf(frame, new Rule.Frame(100, 3)).used(5)));
            letPass(MUCH_LATER);
            assertThat(total(frame)).isEqualTo(5);
        }
    }
}
