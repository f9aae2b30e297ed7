package dev.sluice.internal.traffic.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.internal.traffic.sketch.HeavyCallers.Content;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import dev.sluice.traffic.Decided;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Compares the listed callers with exact counts. */
class HeavyCallersTest {

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final Endpoint SHOP = Decided.endpoint("shop");

    private static void call(HeavyCallers callers, String tenant, Kind kind) {
        callers.count("shop", kind, Decided.of(SHOP, tenant, Outcome.ADMITTED, 1, 1), 1);
    }

    private static String tenant(Tally tally) {
        return tally.caller().subjects().get(0).value();
    }

    @Property(tries = 30)
    void isExactForAsManyCallersAsFit(@ForAll long seed, @ForAll @IntRange(min = 1, max = 1_000) int callers) {
        Random random = new Random(seed);
        HeavyCallers heavy = new HeavyCallers(1_000, 0, 0);
        Map<String, Long> exact = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            String tenant = "tenant-" + random.nextInt(callers);
            call(heavy, tenant, Kind.ALLOWED);
            exact.merge(tenant, 1L, Long::sum);
        }
        Map<String, Long> listed = new TreeMap<>();
        heavy.content().listed().forEach(tally -> listed.put(tenant(tally), tally.calls(Kind.ALLOWED)));
        assertThat(listed).isEqualTo(exact);
        assertThat(heavy.content().listed()).allMatch(tally -> tally.missed() == 0);
        assertThat(heavy.content().sums().get("shop")[Kind.ALLOWED.at]).isEqualTo(20_000);
    }

    /** The more of a flood are one-time names, the smaller the skew; 0 means no skew. */
    @Property(tries = 60)
    void missesNoMoreThanTheCallsPerPlaceWhateverComes(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 200) int capacity,
            @ForAll @IntRange(min = 1, max = 20_000) int callers,
            @ForAll @DoubleRange(min = 0, max = 4) double skew) {
        int calls = 20_000;
        Random random = new Random(seed);
        HeavyCallers heavy = new HeavyCallers(capacity, 0, 0);
        Map<String, long[]> exact = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            String tenant = "tenant-" + (int) (callers * Math.pow(random.nextDouble(), 1 + skew));
            Kind kind = KINDS.get(random.nextInt(3));
            call(heavy, tenant, kind);
            exact.computeIfAbsent(tenant, first -> new long[3])[kind.at]++;
        }
        long bound = calls / capacity;
        Content content = heavy.content();
        assertThat(content.listed()).hasSize(Math.min(capacity, exact.size()));
        assertThat(content.missed()).isLessThanOrEqualTo(bound);
        Map<String, Tally> listed = new HashMap<>();
        content.listed().forEach(tally -> listed.put(tenant(tally), tally));
        exact.forEach((tenant, counts) -> {
            long all = counts[0] + counts[1] + counts[2];
            Tally tally = listed.get(tenant);
            if (tally == null) {
                assertThat(all).isLessThanOrEqualTo(content.missed());
            } else {
                assertThat(tally.missed()).isLessThanOrEqualTo(bound);
                assertThat(all).isLessThanOrEqualTo(atMost(tally));
                for (Kind kind : Kind.values()) {
                    assertThat(tally.calls(kind)).isBetween(counts[kind.at] - tally.missed(), counts[kind.at]);
                }
            }
        });
    }

    /** Two tables keep their hints in the same place, like the tables of two readers. */
    @Property(tries = 20)
    void isExactWhereverHintsLead(@ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int capacity) {
        Random random = new Random(seed);
        List<HeavyCallers> tables = List.of(new HeavyCallers(200, 0, 0), new HeavyCallers(capacity, 0, 0));
        List<Decision> decisions = IntStream.range(0, 200)
                .mapToObj(i -> Decided.of(SHOP, "tenant-" + i, Outcome.ADMITTED, 1, 1))
                .map(decision -> Decided.carrying(SHOP, decision))
                .toList();
        Map<String, Long> exact = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            Decision decision = decisions.get(random.nextInt(random.nextInt(200) + 1));
            tables.forEach(table -> table.count("shop", Kind.ALLOWED, decision, 1));
            exact.merge(decision.subjects().get(0).value(), 1L, Long::sum);
        }
        Map<String, Long> listed = new TreeMap<>();
        tables.get(0).content().listed().forEach(tally -> listed.put(tenant(tally), tally.calls(Kind.ALLOWED)));
        assertThat(listed).isEqualTo(exact);
        assertThat(tables.get(1).content().listed())
                .allSatisfy(tally ->
                        assertThat(exact.get(tenant(tally))).isBetween(tally.calls(Kind.ALLOWED), atMost(tally)));
    }

    @Property(tries = 20)
    void losesNoCallFromTheSumOfAnEndpoint(@ForAll long seed, @ForAll @IntRange(min = 1, max = 50) int capacity) {
        Random random = new Random(seed);
        HeavyCallers heavy = new HeavyCallers(capacity, 0, 0);
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            boolean isRefused = random.nextInt(3) == 0;
            refused += isRefused ? 1 : 0;
            call(heavy, "tenant-" + random.nextInt(500), isRefused ? Kind.REFUSED : Kind.ALLOWED);
        }
        assertThat(heavy.content().sums().get("shop")[Kind.REFUSED.at]).isEqualTo(refused);
    }

    @Test
    void keepsABusyCallerDuringAFloodOfOneTimeNames() {
        HeavyCallers heavy = new HeavyCallers(100, 0, 0);
        for (int i = 0; i < 200_000; i++) {
            call(heavy, i % 50 == 0 ? "busy" : "made-up-" + i, Kind.ALLOWED);
        }
        List<Tally> listed = heavy.content().listed();
        assertThat(listed).hasSize(100);
        Tally busy = listed.stream()
                .filter(tally -> tenant(tally).equals("busy"))
                .findAny()
                .orElseThrow();
        assertThat(busy.calls(Kind.ALLOWED)).isGreaterThan(3_900);
        assertThat(listed).allMatch(tally -> tally.equals(busy) || tally.calls(Kind.ALLOWED) < 100);
    }

    @Test
    void distinguishesNamesConstructedToHaveTheSameHash() {
        List<String> names = colliding(10);
        assertThat(names.stream().map(String::hashCode).distinct()).hasSize(1);
        HeavyCallers heavy = new HeavyCallers(2_000, 0, 0);
        for (int round = 0; round < 3; round++) {
            names.forEach(name -> call(heavy, name, Kind.ALLOWED));
        }
        assertThat(heavy.content().listed()).hasSize(1_024).allMatch(tally -> tally.calls(Kind.ALLOWED) == 3);
    }

    /** The number of names, as a power of two. */
    private static List<String> colliding(int power) {
        return IntStream.range(0, 1 << power)
                .mapToObj(number -> IntStream.range(0, power)
                        .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                        .reduce("", String::concat))
                .toList();
    }

    @Test
    void countsEachCallOnceWithinItsBoundsWhileThreadsListAndDropCallers() throws InterruptedException {
        HeavyCallers heavy = new HeavyCallers(20, 0, 0);
        int each = 100_000;
        AtomicLongArray exact = new AtomicLongArray(60);
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(number -> new Thread(() -> {
                    Random random = new Random(number);
                    for (int i = 0; i < each; i++) {
                        int tenant = random.nextInt(random.nextInt(exact.length()) + 1);
                        call(heavy, "tenant-" + tenant, Kind.ALLOWED);
                        exact.incrementAndGet(tenant);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Content content = heavy.content();
        assertThat(content.sums().get("shop")[Kind.ALLOWED.at]).isEqualTo(4L * each);
        assertThat(content.missed()).isLessThanOrEqualTo(4L * each / 20);
        Map<String, Tally> tallies = new HashMap<>();
        content.listed().forEach(tally -> tallies.put(tenant(tally), tally));
        for (int tenant = 0; tenant < exact.length(); tenant++) {
            Tally tally = tallies.get("tenant-" + tenant);
            long most = tally == null ? content.missed() : atMost(tally);
            assertThat(exact.get(tenant)).isLessThanOrEqualTo(most);
            assertThat(tally == null ? 0 : tally.calls(Kind.ALLOWED)).isLessThanOrEqualTo(exact.get(tenant));
        }
    }

    @Test
    void allocatesNothingHoweverManyCallersThereAre() {
        HeavyCallers heavy = new HeavyCallers(200, 8, 0);
        List<Decision> decisions = IntStream.range(0, 10_000)
                .mapToObj(i -> Decided.of(SHOP, "tenant-" + i, Outcome.REFUSED, 1, 1))
                .toList();
        Random random = new Random(1);
        int[] order = IntStream.range(0, 100_000)
                .map(i -> random.nextInt(random.nextInt(10_000) + 1))
                .toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (int round = 0; round < 2; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int caller : order) {
                heavy.count("shop", Kind.REFUSED, decisions.get(caller), 1);
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(heavy.content().missed())
                .as("calls that made room for others")
                .isPositive();
        assertThat(bytes).as("bytes for 100,000 calls").isLessThan(10_000);
    }

    /** The counted calls plus those that may have been missed. */
    private static long atMost(Tally tally) {
        return tally.missed() + tally.allowed() + tally.refused() + tally.wouldRefuse();
    }
}
