package dev.sluice.internal.store.mongo.admin;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.LiveCounters.Page;
import dev.sluice.internal.store.admin.LiveCounters.Position;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people see of a MongoDB: its instances, and its counters, which looking does not change. */
@Tag("store")
class MongoOperatedStoreTest {

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final OperatedStore store = OperatedStore.open(mongo.patientUri());
    private final CounterStore counting = CounterStores.open(mongo.patientUri());

    @AfterEach
    void close() {
        store.close();
        counting.close();
        mongo.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static CounterKey lasting(String value) {
        return key("orders", value, 0, 9_000_000_000_000L);
    }

    private Grant look(CounterKey key, Rule rule) {
        return lookWithLapses(key, rule).grant();
    }

    private LiveCounters.Look lookWithLapses(CounterKey key, Rule rule) {
        long now = done(store.counters().nowMillis());
        return done(store.counters().look(List.of(new LiveCounter(key, rule)), now, true))
                .get(0);
    }

    private long granted(Asked statement) {
        return done(counting.exchange(batch("i", 1, statement))).grants().get(0).granted();
    }

    @Test
    void tellsWhatIsUsedAndHeldAndChangesNothing() {
        CounterKey key = lasting("acme");
        Rule rule = new Rule.Total(1000);
        long granted = granted(statementOf(key, rule).used(10).wanting(20));
        assertThat(granted).isPositive();
        for (int i = 0; i < 3; i++) {
            Grant grant = look(key, rule);
            assertThat(grant.total()).isEqualTo(10 + granted);
            assertThat(grant.elsewhere()).isEqualTo(granted);
            assertThat(grant.granted()).isZero();
        }
        assertThat(look(lasting("nobody"), rule)).isEqualTo(new Grant(0, 0, 0));
    }

    @Test
    void tellsTheSlotsThatAreHeldFree() {
        CounterKey key = lasting("acme");
        Rule rule = new Rule.Slots(10, 2, 0, Long.MAX_VALUE);
        granted(statementOf(key, rule).holding(3));
        assertThat(look(key, new Rule.Slots(10, 0, 0, Long.MAX_VALUE))).isEqualTo(new Grant(5, 0, 3));
    }

    /** Also if no statement has noticed that the lease has ended. */
    @Test
    void tellsWhatUnresponsiveInstancesHeldSinceWhen() {
        CounterKey key = lasting("acme");
        Rule rule = new Rule.Total(1000);
        Batch held = batch("i", 1, statementOf(key, rule).used(3).holding(5).leasedFor(Duration.ofMillis(1)));
        long ended = done(counting.exchange(held)).appliedMillis() + 1;
        assertThat(lookWithLapses(lasting("nobody"), rule).lapsed()).isEmpty();
        Eventually.await("the end of the lease", () -> look(key, rule).elsewhere() == 0);
        LiveCounters.Look lapsed = new LiveCounters.Look(new Grant(8, 0, 0), List.of(new Lapsed("i", 5, ended)));
        assertThat(lookWithLapses(key, rule)).isEqualTo(lapsed);
        done(counting.exchange(batch("j", 1, statementOf(key, rule))));
        assertThat(lookWithLapses(key, rule)).isEqualTo(lapsed);
        done(counting.exchange(batch("i", 2, statementOf(key, rule).used(2))));
        assertThat(lookWithLapses(key, rule)).isEqualTo(new LiveCounters.Look(new Grant(5, 0, 0), List.of()));
    }

    @Test
    void ofAFrameItTellsWhatLapsedInEarlierFramesToo() {
        CounterKey key = lasting("frames");
        Rule rule = new Rule.Frame(1000, 2);
        done(counting.exchange(
                batch("dead", 1, statementOf(key.earlier(1), rule).holding(5).leasedFor(Duration.ofMillis(1)))));
        done(counting.exchange(
                batch("dead", 2, statementOf(key.earlier(3), rule).holding(7).leasedFor(Duration.ofMillis(1)))));
        Eventually.await(
                "the end of the lease",
                () -> lookWithLapses(key, rule).lapsed().stream()
                        .map(Lapsed::permits)
                        .toList()
                        .equals(List.of(5L)));
    }

    @Test
    void findsAllCountersInSteps() {
        Set<CounterKey> all = new HashSet<>(
                IntStream.range(0, 1_200).mapToObj(i -> lasting("t:" + i)).toList());
        CounterKey framed = lasting("framed");
        Batch batch = new Batch(
                "i",
                1,
                all.stream()
                        .map(key -> statementOf(key, 10).used(1).statement())
                        .toList());
        done(counting.exchange(batch));
        done(counting.exchange(batch("i", 2, statementOf(framed, 10).used(1))));
        all.add(framed);
        Set<CounterKey> found = new HashSet<>();
        Optional<Position> next = Optional.of(Position.FIRST);
        int steps = 0;
        while (next.isPresent()) {
            Page step = done(store.counters().scan(next.get()));
            found.addAll(step.keys());
            next = step.next();
            steps++;
        }
        assertThat(found).isEqualTo(all);
        assertThat(steps).isEqualTo(3);
    }

    @Test
    void knowsTheInstancesThatLive() {
        InstanceReport one = new InstanceReport("one", "server-1", "v.1", 5_000, "digest", "acme 12");
        InstanceReport two = new InstanceReport("two", "server-2", "", 5_000, "", "a b");
        done(store.instances().write(one, "endpoints …"));
        done(store.instances().write(one, "endpoints …"));
        done(store.instances().write(two, ""));
        assertThat(done(store.instances().all())).containsExactlyInAnyOrder(one, two);
        assertThat(done(store.instances().heads()))
                .containsExactlyInAnyOrder(withoutRefusals(one), withoutRefusals(two));
        assertThat(done(store.instances().limitsOfFile("digest"))).isEqualTo("endpoints …");
        assertThat(done(store.instances().limitsOfFile("other"))).isEmpty();
        assertThat(done(store.instances().leave("two"))).isTrue();
        assertThat(done(store.instances().all())).containsExactly(one);
    }

    @Test
    void isNamedWithoutSecrets() {
        try (OperatedStore named = OperatedStore.open("mongodb://ann:s3cret@127.0.0.1:1/counts?authSource=admin")) {
            assertThat(named.name()).isEqualTo("mongodb://127.0.0.1:1/counts");
        }
    }

    private static InstanceReport withoutRefusals(InstanceReport report) {
        return new InstanceReport(
                report.name(),
                report.server(),
                report.limitsVersion(),
                report.refreshMillis(),
                report.fileDigest(),
                "");
    }
}
