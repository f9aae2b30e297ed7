package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
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

/** Compares the tallies of callers with exact counts. */
class CallerTalliesTest {

    private static final Endpoint SHOP = Decided.endpoint("shop");

    private static void call(CallerTallies tallies, String tenant, Kind kind) {
        tallies.count("shop", kind, Decided.of(SHOP, tenant, Outcome.ADMITTED, 1, 1), 1);
    }

    private static Map<String, CallerTally> byTenant(CallerTallies tallies) {
        Map<String, CallerTally> byTenant = new TreeMap<>();
        tallies.tallies()
                .values()
                .forEach(tally -> byTenant.put(tally.subjects.get(0).value(), tally));
        return byTenant;
    }

    private static long calls(Map<String, CallerTally> tallies, String tenant, Kind kind) {
        CallerTally tally = tallies.get(tenant);
        return tally == null ? 0 : tally.calls(kind);
    }

    @Property(tries = 30)
    void areExactForAsManyCallersAsFit(@ForAll long seed, @ForAll @IntRange(min = 1, max = 1_000) int callers) {
        Random random = new Random(seed);
        CallerTallies tallies = new CallerTallies(1_000, 0);
        Map<String, Long> exact = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            String tenant = "tenant-" + random.nextInt(callers);
            call(tallies, tenant, Kind.ALLOWED);
            exact.merge(tenant, 1L, Long::sum);
        }
        Map<String, Long> counted = new TreeMap<>();
        byTenant(tallies).forEach((tenant, tally) -> counted.put(tenant, tally.calls(Kind.ALLOWED)));
        assertThat(counted).isEqualTo(exact);
        assertThat(tallies.sums().get("shop")).containsExactly(20_000, 0, 0);
    }

    /** The more of a flood are one-time names, the smaller the skew; 0 means no skew. */
    @Property(tries = 60)
    void neverCountTooMuchNorLoseACallFromTheSumWhateverComes(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 200) int capacity,
            @ForAll @IntRange(min = 1, max = 20_000) int callers,
            @ForAll @DoubleRange(min = 0, max = 4) double skew) {
        Random random = new Random(seed);
        CallerTallies tallies = new CallerTallies(capacity, 0);
        List<Kind> kinds = List.of(Kind.values());
        Map<String, long[]> exact = new HashMap<>();
        long[] sums = new long[Kind.COUNT];
        for (int i = 0; i < 20_000; i++) {
            String tenant = "tenant-" + (int) (callers * Math.pow(random.nextDouble(), 1 + skew));
            Kind kind = kinds.get(random.nextInt(Kind.COUNT));
            call(tallies, tenant, kind);
            exact.computeIfAbsent(tenant, first -> new long[Kind.COUNT])[kind.at]++;
            sums[kind.at]++;
        }
        Map<String, CallerTally> counted = byTenant(tallies);
        assertThat(counted).hasSizeBetween(1, capacity);
        assertThat(tallies.sums().get("shop")).containsExactly(sums);
        exact.forEach((tenant, counts) -> {
            for (Kind kind : Kind.values()) {
                assertThat(calls(counted, tenant, kind)).isLessThanOrEqualTo(counts[kind.at]);
            }
        });
    }

    /** Both come in the midst of the flood, and get a tally only with one of their calls. */
    @Test
    void findTheBusyCallersInAFloodOfNames() {
        CallerTallies tallies = new CallerTallies(100, 0);
        for (int i = 0; i < 200_000; i++) {
            call(tallies, i > 1_000 && i % 50 < 2 ? "busy-" + i % 50 : "made-up-" + i, Kind.ALLOWED);
        }
        Map<String, CallerTally> counted = byTenant(tallies);
        assertThat(counted).hasSizeLessThanOrEqualTo(100);
        assertThat(calls(counted, "busy-0", Kind.ALLOWED)).isGreaterThan(3_500);
        assertThat(calls(counted, "busy-1", Kind.ALLOWED)).isGreaterThan(3_500);
        assertThat(counted.entrySet())
                .filteredOn(entry -> entry.getKey().startsWith("made-up"))
                .allMatch(entry -> entry.getValue().calls(Kind.ALLOWED) == 1);
    }

    /** Many callers are evicted before their second turn. */
    @Test
    void countACallerAgainThatWasEvicted() {
        CallerTallies tallies = new CallerTallies(10, 0);
        for (int turn = 0; turn < 200; turn++) {
            String tenant = "tenant-" + turn % 100;
            long before = calls(byTenant(tallies), tenant, Kind.ALLOWED);
            for (int i = 0; i < 2_000; i++) {
                call(tallies, tenant, Kind.ALLOWED);
            }
            assertThat(calls(byTenant(tallies), tenant, Kind.ALLOWED) - before)
                    .as("calls in turn %d", turn)
                    .isGreaterThan(1_000);
        }
    }

    @Test
    void distinguishNamesConstructedToHaveTheSameHash() {
        List<String> names = colliding(10);
        assertThat(names.stream().map(String::hashCode).distinct()).hasSize(1);
        CallerTallies tallies = new CallerTallies(2_000, 0);
        for (int round = 0; round < 3; round++) {
            names.forEach(name -> call(tallies, name, Kind.ALLOWED));
        }
        assertThat(tallies.tallies().values()).hasSize(1_024).allMatch(tally -> tally.calls(Kind.ALLOWED) == 3);
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
    void neitherLoseACallFromTheSumNorCountItTwiceWhileThreadsEvictCallers() throws InterruptedException {
        CallerTallies tallies = new CallerTallies(20, 0);
        int each = 100_000;
        AtomicLongArray exact = new AtomicLongArray(60);
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(number -> new Thread(() -> {
                    Random random = new Random(number);
                    for (int i = 0; i < each; i++) {
                        int tenant = random.nextInt(random.nextInt(exact.length()) + 1);
                        call(tallies, "tenant-" + tenant, Kind.ALLOWED);
                        exact.incrementAndGet(tenant);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        long[] sums = {0};
        while (threads.stream().anyMatch(Thread::isAlive)) {
            long[] later = tallies.sums().getOrDefault("shop", sums);
            assertThat(later[0]).isBetween(sums[0], 4L * each);
            sums = later;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(tallies.sums().get("shop")).containsExactly(4L * each, 0, 0);
        Map<String, CallerTally> counted = byTenant(tallies);
        assertThat(counted).hasSizeBetween(10, 20);
        for (int tenant = 0; tenant < exact.length(); tenant++) {
            assertThat(calls(counted, "tenant-" + tenant, Kind.ALLOWED)).isLessThanOrEqualTo(exact.get(tenant));
        }
    }

    /** As the limiter decides: the subjects of each caller keep its number. */
    @Test
    void allocateNothingForCallersThatAreTallied() {
        CallerTallies tallies = new CallerTallies(200, 8);
        List<Decision> decisions = IntStream.range(0, 200)
                .mapToObj(i -> Decided.of(SHOP, "tenant-" + i, Outcome.REFUSED, 1, 1))
                .map(decision -> Decided.carrying(SHOP, decision))
                .toList();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = 0;
        for (int round = 0; round < 2; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                tallies.count("shop", Kind.REFUSED, decisions.get(i % 200), 1);
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(bytes).as("bytes for 100,000 calls").isLessThan(20_000);
    }
}
