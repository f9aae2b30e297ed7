package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.atMostCounters;
import static dev.sluice.TestLimits.endpoint;

import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.ledger.BatchInFlight;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How much heap counters take that are shared through a store: as {@code main}, of a limiter in real time, with the uri
 * of a store if one is given. {@link CounterHeapTest} has bounds for it.
 */
public final class CounterHeap {

    public static final Duration WINDOW = Duration.ofHours(1);

    private static final int SETTLING_SECONDS = 25;
    private static final int WARM_UP = 1_000;
    private static final int CALLS_OF_BUSY = 10;
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int CLASSES = 28;

    /** With arrays of this class, a collector fills gaps. A counter has none. */
    private static final String FILLER = "[I";

    private static final Pattern LINE = Pattern.compile(" *\\d+: +(\\d+) +(\\d+) +(\\S+).*");

    /** The bytes of all objects that can be reached, by class, as the virtual machine counts them one by one. */
    private final Map<String, Long> bytes = new LinkedHashMap<>();

    private CounterHeap() {
        for (String line : histogram().lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && !matcher.group(3).equals(FILLER)) {
                bytes.merge(matcher.group(3), Long.parseLong(matcher.group(2)), Long::sum);
            }
        }
    }

    /** The heap now, after a collection. */
    static CounterHeap now() {
        return new CounterHeap();
    }

    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many bytes more than then there are for each of so many counters. */
    long bytesEachSince(CounterHeap before, int counters) {
        return (total() - before.total()) / counters;
    }

    /** The same of this project's own classes, of which tests beside this one make few. */
    long ownBytesEachSince(CounterHeap before, int counters) {
        return (own() - before.own()) / counters;
    }

    private long own() {
        return bytes.entrySet().stream()
                .filter(entry -> entry.getKey().contains("dev.sluice."))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private long total() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The classes that take most, with their bytes for each counter. */
    String classesSince(CounterHeap before, int counters) {
        StringBuilder text = new StringBuilder();
        bytes.entrySet().stream()
                .map(entry -> Map.entry(
                        entry.getKey(),
                        (double) (entry.getValue() - before.bytes.getOrDefault(entry.getKey(), 0L)) / counters))
                .sorted(Comparator.comparingDouble(entry -> -entry.getValue()))
                .limit(CLASSES)
                .filter(entry -> entry.getValue() >= 1)
                .forEach(entry -> text.append(String.format("  %6.1f %s%n", entry.getValue(), entry.getKey())));
        return text.toString();
    }

    /** Room for so many counters, and one more limit an hour for each tenant. */
    public static Limits limits(int counters, Limit limit) {
        return atMostCounters(2 * counters, endpoint("shop", "GET /shop", new Tier("t", limit, Sync.DEFAULT)));
    }

    public static TestCall call(int tenant) {
        return TestCall.get("/shop").of("tenant-" + tenant);
    }

    /** A store that grants all, and remembers nothing: what is measured with it is the limiter alone. */
    static CounterStore forgetfulStore(InstantSource clock) {
        return new ForgetfulStore(clock);
    }

    private static final class ForgetfulStore implements CounterStore {
        private final InstantSource clock;
        /** Completes when batches are answered again. */
        private CompletableFuture<?> answering = CompletableFuture.completedFuture(null);

        private ForgetfulStore(InstantSource clock) {
            this.clock = clock;
        }

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return answering.thenApply(now -> reply(batch));
        }

        private Batch.Reply reply(Batch batch) {
            List<Grant> grants =
                    batch.statements().stream().map(CounterHeap::granted).toList();
            Batch.Fleet fleet = batch.presence() == Batch.Presence.NOT_STATED ? null : Batch.Fleet.assumed(1);
            long now = clock.millis();
            return new Batch.Reply(now, now, grants, List.of(), fleet);
        }

        @Override
        public void close() {}
    }

    private static Grant granted(Statement statement) {
        long granted = statement.needed().all();
        List<Long> before = statement.framesBefore().stream().map(key -> 0L).toList();
        return new Grant(statement.used() + statement.held() + granted, granted, 0, before);
    }

    /** The bytes that each of so many counters takes, by when that is: always the same. */
    public static Map<String, Long> inVirtualTime(int counters) {
        TestClock clock = new TestClock(0);
        Map<String, Long> bytes = new LinkedHashMap<>();
        Limits limits = limits(counters, new Limit.FixedWindow(1_000, WINDOW));
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(limits, clock, forgetfulStore(clock), 1)) {
            for (int i = 0; i < WARM_UP; i++) {
                fleet.decide(0, call(-1 - i));
            }
            pass(fleet, clock, SETTLING_SECONDS);
            CounterHeap before = now();
            callAll(fleet, counters);
            pass(fleet, clock, 1);
            bytes.put("one second after its call", now().bytesEachSince(before, counters));
            for (int i = 0; i < CALLS_OF_BUSY; i++) {
                pass(fleet, clock, 1);
                callAll(fleet, counters);
                pass(fleet, clock, 1);
            }
            bytes.put("called every two seconds", now().bytesEachSince(before, counters));
            pass(fleet, clock, SETTLING_SECONDS - 1);
            bytes.put("dormant", now().bytesEachSince(before, counters));
        }
        bytes.put(
                "in a batch",
                inBatches(counters / BatchInFlight.LARGEST, (before, each) -> now().bytesEachSince(before, each)));
        return bytes;
    }

    /**
     * The bytes of each counter whose first statement the store has not answered, on so many instances.
     *
     * @param measure the bytes since then of each of so many counters
     */
    static long inBatches(int instances, ToLongBiFunction<CounterHeap, Integer> measure) {
        TestClock clock = new TestClock(0);
        Limits limits = limits(BatchInFlight.LARGEST, new Limit.FixedWindow(1_000, WINDOW));
        ForgetfulStore store = new ForgetfulStore(clock);
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(limits, clock, store, instances)) {
            for (int instance = 0; instance < instances; instance++) {
                fleet.decide(instance, call(-1));
            }
            pass(fleet, clock, SETTLING_SECONDS);
            CounterHeap before = now();
            CompletableFuture<?> answers = new CompletableFuture<>();
            store.answering = answers;
            for (int instance = 0; instance < instances; instance++) {
                for (int i = 0; i < BatchInFlight.LARGEST; i++) {
                    fleet.decide(instance, call(i));
                }
            }
            pass(fleet, clock, 1);
            long bytes = measure.applyAsLong(before, instances * BatchInFlight.LARGEST);
            answers.complete(null);
            return bytes;
        }
    }

    private static void callAll(VirtualTimeFleet fleet, int counters) {
        for (int i = 0; i < counters; i++) {
            fleet.decide(0, call(i));
        }
    }

    private static void pass(VirtualTimeFleet fleet, TestClock clock, int seconds) {
        for (long end = clock.millis() + 1_000L * seconds; clock.millis() < end; ) {
            clock.advance(STEP);
            fleet.step();
        }
    }

    /**
     * Prints the heap that counters take. What this class itself notes counts too: about 150 bytes for each of 1,000
     * counters, and hardly any for each of 100,000.
     *
     * @param args how many counters, 100,000 unless told otherwise, and the uri of a store
     */
    @SuppressWarnings("ThreadSleep") // time has to pass
    public static void main(String[] args) throws InterruptedException {
        int counters = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        InstantSource clock = InstantSource.system();
        CounterStore store = args.length > 1 ? CounterStores.open(args[1]) : forgetfulStore(clock);
        Limits limits = limits(counters, new Limit.FixedWindow(1_000, WINDOW));
        String instance = UUID.randomUUID().toString();
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(limits, clock, RateLimitListener.NONE, store, instance, null)) {
            for (int i = 0; i < WARM_UP; i++) {
                limiter.decide(call(-1 - i));
            }
            Thread.sleep(1_000);
            CounterHeap before = now();
            for (int i = 0; i < counters; i++) {
                limiter.decide(call(i));
            }
            print(counters, "after one call each", before);
            Thread.sleep(SETTLING_SECONDS * 1_000);
            print(counters, SETTLING_SECONDS + " s later", before);
        }
    }

    private static void print(int counters, String when, CounterHeap before) {
        CounterHeap after = now();
        System.out.printf("%d counters, %s: %d bytes each%n", counters, when, after.bytesEachSince(before, counters));
        System.out.print(after.classesSince(before, counters));
    }
}
