package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A reset gives what calls have used and still counts, in each store. */
@Tag("store")
class CounterGiftsTest {

    private static final long LONG_LEASE = 60_000;
    private static final Rule LIMIT = new Rule.Total(10);
    private static final CounterKey KEY =
            new CounterKey("api", "*", "1d", List.of(new Subject("tenant", "ip", "acme")), 0, 4_000_000_000_000L);

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** A store, with the sequence of the next batch. */
    private static final class Instances {
        private final OperatedStore store;
        private long sequence;

        Instances(OperatedStore store) {
            this.store = store;
        }

        Grant says(String instance, long used, long held, long needed, long leaseMillis) {
            sequence++;
            Need need = needed == 0 ? Need.NONE : new Need(needed, 1, true);
            List<Use> uses = used == 0 ? List.of() : List.of(new Use(0, used));
            Statement statement = new Statement(KEY, uses, held, need, 0, leaseMillis, LIMIT);
            return done(store.store().exchange(new Batch(instance, sequence, List.of(statement))))
                    .grants()
                    .get(0);
        }

        CounterGifts.Given reset() {
            return done(store.gifts().reset(List.of(new LiveCounter(KEY, LIMIT))))
                    .get(0);
        }
    }

    private static void inEachStore(Consumer<OperatedStore> test) {
        try (OperatedStore store = OperatedStore.open(redis.patientUri())) {
            test.accept(store);
        }
        MongoServerInProcess mongo = MongoServerInProcess.open();
        try (OperatedStore store = OperatedStore.open(mongo.patientUri())) {
            test.accept(store);
        } finally {
            mongo.close();
        }
    }

    @Test
    void leavesWhatInstancesHold() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            all.says("shop-1", 4, 3, 0, LONG_LEASE);
            assertThat(all.reset()).isEqualTo(new CounterGifts.Given(KEY, 4, 4, 3, 0));
            assertThat(all.says("shop-2", 0, 0, 10, LONG_LEASE))
                    .returns(0L + 7, Grant::granted)
                    .returns(3L, Grant::elsewhere);
            assertThat(all.says("shop-1", 3, 0, 0, LONG_LEASE).total()).isEqualTo(14);
        });
    }

    @Test
    void leavesWhatAnUnresponsiveInstanceHeld() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            all.says("shop-1", 4, 3, 0, 1);
            Eventually.await(
                    "the lease is over",
                    () -> all.says("shop-2", 0, 0, 0, LONG_LEASE).elsewhere() == 0);
            assertThat(all.reset()).isEqualTo(new CounterGifts.Given(KEY, 4, 4, 0, 3));
            assertThat(all.says("shop-2", 0, 0, 10, LONG_LEASE).granted()).isEqualTo(7);
            assertThat(all.says("shop-1", 1, 0, 0, LONG_LEASE).total()).isEqualTo(12);
        });
    }

    private static final CounterKey BY_ANOTHER_SOURCE =
            new CounterKey("api", "*", "1d", List.of(new Subject("tenant", "query:t", "acme")), 0, 4_000_000_000_000L);

    private static List<CounterKey> giveToBoth(OperatedStore store) {
        List<LiveCounter> both = List.of(new LiveCounter(BY_ANOTHER_SOURCE, LIMIT), new LiveCounter(KEY, LIMIT));
        return done(store.gifts().give(both, 5)).stream()
                .map(CounterGifts.Given::key)
                .toList();
    }

    @Test
    void givesToTheCounterInUseOfTwoThatDifferInTheSource() {
        inEachStore(store -> {
            new Instances(store).says("shop-1", 4, 0, 0, LONG_LEASE);
            assertThat(giveToBoth(store)).containsExactly(KEY);
        });
    }

    @Test
    void givesToBothIfNeitherIsInUse() {
        inEachStore(store -> assertThat(giveToBoth(store)).containsExactly(BY_ANOTHER_SOURCE, KEY));
    }

    @Test
    void tellsAllInstances() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            Queue<News> heard = new ConcurrentLinkedQueue<>();
            store.store().subscribe("shop-1", heard::add);
            Eventually.await("the news of another instance", () -> {
                all.says("shop-2", 10, 0, 0, LONG_LEASE);
                all.says("shop-2", -10, 0, 0, LONG_LEASE);
                return !heard.isEmpty();
            });
            all.says("shop-1", 10, 0, 1, LONG_LEASE);
            heard.clear();
            assertThat(all.reset().given()).isEqualTo(10);
            Eventually.await(
                    "news",
                    () -> heard.stream()
                            .anyMatch(news -> news.kind() == News.Kind.GIVEN
                                    && news.keys().contains(KEY.text())));
        });
    }

    /** However many they are: a store may remove only some at a time. */
    @Test
    void takesAllOutOfALongLog() {
        Rule log = new Rule.Log(20_000, 3_600_000);
        List<Use> uses = IntStream.range(0, 6_000).mapToObj(n -> new Use(n, 1)).toList();
        inEachStore(store -> {
            Statement used = new Statement(KEY, uses, 0, Need.NONE, 0, LONG_LEASE, log);
            done(store.store().exchange(new Batch("shop-1", 1, List.of(used))));
            assertThat(done(store.gifts().reset(List.of(new LiveCounter(KEY, log)))))
                    .containsExactly(new CounterGifts.Given(KEY, 6_000, 6_000, 0, 0));
        });
    }

    @Test
    void givesNothingIfNothingIsUsed() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            assertThat(all.reset()).isEqualTo(new CounterGifts.Given(KEY, 0, 0, 0, 0));
            assertThat(all.says("shop-1", 0, 0, 12, LONG_LEASE).granted()).isEqualTo(10);
        });
    }

    /** What was given already counts no more. */
    @Test
    void givesWhatIsUsedOnce() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            all.says("shop-1", 4, 0, 0, LONG_LEASE);
            all.reset();
            assertThat(all.reset()).isEqualTo(new CounterGifts.Given(KEY, 0, 4, 0, 0));
            all.says("shop-1", 2, 0, 0, LONG_LEASE);
            assertThat(all.reset()).isEqualTo(new CounterGifts.Given(KEY, 2, 6, 0, 0));
        });
    }

    @Test
    void givesMoreThanWasUsed() {
        inEachStore(store -> {
            Instances all = new Instances(store);
            all.says("shop-1", 4, 0, 0, LONG_LEASE);
            assertThat(done(store.gifts().give(List.of(new LiveCounter(KEY, LIMIT)), 500)))
                    .containsExactly(new CounterGifts.Given(KEY, 500, 500, 0, 0));
            assertThat(all.says("shop-1", 0, 0, 1_000, LONG_LEASE).granted()).isEqualTo(506);
        });
    }

    @Test
    void resetsFramesByWhatTheyWeigh() {
        inEachStore(store -> {
            long length = 1L << 40; // so that the weight of the frame before changes slowly
            Rule rule = new Rule.Frame(100, 1);
            long start = done(store.counters().nowMillis()) / length * length;
            CounterKey present = new CounterKey("slide", "*", "1d", KEY.subjects(), start, start + length);
            Statement before =
                    new Statement(present.earlier(1), List.of(new Use(0, 50)), 0, Need.NONE, 0, LONG_LEASE, rule);
            Statement now = new Statement(present, List.of(new Use(0, 7)), 0, Need.NONE, 0, LONG_LEASE, rule);
            done(store.store().exchange(new Batch("shop-1", 1, List.of(before, now))));
            LiveCounter counter = new LiveCounter(present, rule);
            long left = 100
                    - 7
                    - (long) Math.ceil(
                            50.0 * (start + length - done(store.counters().nowMillis())) / length);
            CounterGifts.Given given =
                    done(store.gifts().reset(List.of(counter))).get(0);
            assertThat(given.given()).isEqualTo(100 - left);
            Grant after = done(store.counters()
                            .look(List.of(counter), done(store.counters().nowMillis()), true))
                    .get(0)
                    .grant();
            assertThat(after.given()).isEqualTo(given.given());
            assertThat(after.details()).containsExactly(50L);
        });
    }
}
