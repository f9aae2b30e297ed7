package dev.sluice.limiter;

import static dev.sluice.TestLimits.endpoint;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Decision;
import dev.sluice.Limit;
import dev.sluice.Limits;
import dev.sluice.RateLimitListener;
import dev.sluice.Sync;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.Tier;
import dev.sluice.store.InMemoryCounterStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * A fleet of instances in virtual time: calls arrive at random, the store is a millisecond away, and the limiter's own ledger,
 * counters and arithmetic decide. The same seed gives the same run.
 */
final class FleetSimulation {

    private static final long ROUND_TRIP_MICROS = 1_000;
    private static final long START_MICROS = 1_627_318_780_000_000L;
    private static final double[] UNEVEN = {0.7, 0.2, 0.1};
    /** EVALSHA, TIME, GET and SET. */
    private static final int COMMANDS_OF_A_SCRIPT = 4;

    private static final int TTL_LOOKED_AT_EVERY = 8;

    /** One moment at which something happens. */
    private record Event(long micros, long order, Runnable action) {}

    /**
     * What came of it, in per cent of the limit where not said otherwise.
     *
     * @param commands of Redis, for a tenant and window, as its script would run them
     * @param eachCommand of which so many are scripts and what each of them runs, additions to counters, corrections of them, and looks at
     *     and settings of their time to live
     * @param roundTrips for an instance and second
     * @param refusedEarly calls refused while less than nine tenths of the limit were admitted
     * @param refusedUnderLimit calls refused to tenants who asked for no more than the limit
     */
    record Result(
            double meanOver,
            double maxOver,
            double meanUnder,
            double maxUnder,
            double commands,
            double roundTrips,
            Map<String, Double> eachCommand,
            long refusedEarly,
            long refusedUnderLimit,
            long waits) {

        @Override
        public String toString() {
            return "over %.2f (max %.1f), under %.2f (max %.1f), commands %.1f %s, round trips %.1f, refused early %d, under the limit %d, waits %d"
                    .formatted(
                            meanOver,
                            maxOver,
                            meanUnder,
                            maxUnder,
                            commands,
                            eachCommand,
                            roundTrips,
                            refusedEarly,
                            refusedUnderLimit,
                            waits);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.micros != b.micros ? Long.compare(a.micros, b.micros) : Long.compare(a.order, b.order));
    private final Random random;
    private final Tier tier;
    private final int tenants;
    private final int windows;
    private final double times;
    private final Spread spread;
    private final List<Instance> fleet = new ArrayList<>();
    private final InMemoryCounterStore store;
    private final long[][] admitted;
    private final long[][] offered;
    private final double[][] shares;
    private final double[] sinceStart;
    private final Map<String, Long> commands = new TreeMap<>();
    private long micros = START_MICROS;
    private long order;
    private long exchanges;
    private long refusedEarly;
    private long waits;

    private FleetSimulation(
            int instances, int tenants, int windows, Tier tier, double times, Spread spread, long seed) {
        this.random = new Random(seed);
        this.tier = tier;
        this.tenants = tenants;
        this.windows = windows;
        this.times = times;
        this.spread = spread;
        this.store = new InMemoryCounterStore(clock(), 1_000_000);
        this.admitted = new long[windows][tenants];
        this.offered = new long[windows][tenants];
        this.shares = new double[tenants][instances];
        this.sinceStart = new double[tenants];
        for (int i = 0; i < instances; i++) {
            fleet.add(new Instance("i" + i));
        }
    }

    /** Plays so many windows of a load that is {@code times} the limit. */
    static Result run(int instances, int tenants, int windows, Tier tier, double times, Spread spread, long seed) {
        return new FleetSimulation(instances, tenants, windows, tier, times, spread, seed).play();
    }

    private InstantSource clock() {
        return () -> Instant.ofEpochMilli(micros / 1_000);
    }

    private long periodMicros() {
        return tier.limit().period().toMillis() * 1_000;
    }

    private Result play() {
        for (int tenant = 0; tenant < tenants; tenant++) {
            deal(tenant, false);
            scheduleCall(tenant);
        }
        for (Instance instance : fleet) {
            at(micros + random.nextInt(1_000_000), instance::tick);
        }
        for (int window = 1; window < windows && spread == Spread.RESHUFFLED; window++) {
            at(START_MICROS + (long) window * periodMicros(), () -> {
                for (int tenant = 0; tenant < tenants; tenant++) {
                    deal(tenant, true);
                }
            });
        }
        long end = START_MICROS + windows * periodMicros();
        while (!events.isEmpty() && events.peek().micros < end) {
            Event next = events.remove();
            micros = next.micros;
            next.action.run();
        }
        return result();
    }

    private void deal(int tenant, boolean anew) {
        int n = fleet.size();
        if (spread.uneven()) {
            Arrays.fill(shares[tenant], 0);
            int shift = anew ? random.nextInt(n) : tenant % n;
            for (int i = 0; i < UNEVEN.length; i++) {
                shares[tenant][(i + shift) % n] = UNEVEN[i];
            }
        } else {
            Arrays.fill(shares[tenant], 1.0 / n);
        }
    }

    private void scheduleCall(int tenant) {
        sinceStart[tenant] +=
                -Math.log(1 - random.nextDouble()) / (times * tier.limit().threshold() / (double) periodMicros());
        at(START_MICROS + 1 + arrival(tenant), () -> {
            double dice = random.nextDouble();
            int instance = 0;
            while (instance < fleet.size() - 1 && dice >= shares[tenant][instance]) {
                dice -= shares[tenant][instance++];
            }
            offered[window()][tenant]++;
            decide(fleet.get(instance), tenant, micros);
            scheduleCall(tenant);
        });
    }

    /** When the tenant's next call comes. In bursts, what would have come in a second comes in a fifth of it, a little later for each tenant. */
    private long arrival(int tenant) {
        long steady = (long) sinceStart[tenant];
        long second = steady / 1_000_000 * 1_000_000;
        return spread == Spread.BURSTS ? second + (steady - second) / 5 + 1_000_000L * tenant / tenants : steady;
    }

    private int window() {
        return (int) ((micros - START_MICROS) / periodMicros());
    }

    /** A tenant's name in this window. */
    private String name(int tenant) {
        return "tenant-" + tenant + (spread == Spread.COLD && tenant < tenants / 5 ? "-" + window() : "");
    }

    /** A call that may hope for permits comes again when the store may have answered, and again, until its patience ends. */
    private void decide(Instance instance, int tenant, long sinceMicros) {
        int window = window();
        boolean passed = instance.call(tenant);
        if (passed) {
            admitted[window][tenant]++;
        } else if (instance.hopes() && micros - sinceMicros < 50_000) {
            waits++;
            at(micros + ROUND_TRIP_MICROS, () -> decide(instance, tenant, sinceMicros));
        } else if (admitted[window][tenant] < 0.9 * tier.limit().threshold()) {
            refusedEarly++;
        }
    }

    private void at(long when, Runnable action) {
        events.add(new Event(when, order++, action));
    }

    private Result result() {
        double over = 0;
        double maxOver = 0;
        double under = 0;
        double maxUnder = 0;
        long refusedUnderLimit = 0;
        double threshold = tier.limit().threshold();
        for (int w = 1; w < windows; w++) {
            for (int t = 0; t < tenants; t++) {
                double o = Math.max(0.0, admitted[w][t] - threshold) / threshold * 100;
                double u =
                        Math.max(0.0, Math.min(threshold, (double) offered[w][t]) - admitted[w][t]) / threshold * 100;
                refusedUnderLimit += offered[w][t] <= threshold ? Math.max(0, offered[w][t] - admitted[w][t]) : 0;
                over += o;
                under += u;
                maxOver = Math.max(maxOver, o);
                maxUnder = Math.max(maxUnder, u);
            }
        }
        double samples = (windows - 1.0) * tenants;
        double seconds = windows * periodMicros() / 1e6;
        return new Result(
                over / samples,
                maxOver,
                under / samples,
                maxUnder,
                commands.values().stream().mapToLong(Long::longValue).sum() / (double) (windows * tenants),
                exchanges / seconds / fleet.size(),
                eachCommand(),
                refusedEarly,
                refusedUnderLimit,
                waits);
    }

    private Map<String, Double> eachCommand() {
        Map<String, Double> each = new TreeMap<>();
        commands.forEach((name, number) -> each.put(name, Math.round(10.0 * number / (windows * tenants)) / 10.0));
        return each;
    }

    private void count(String command, long times) {
        commands.merge(command, times, Long::sum);
    }

    /** One instance: its limiter, with a background that runs in virtual time. */
    private final class Instance implements Sharing {

        private final String name;
        private final Ledger ledger = new Ledger(100_000);
        private final CountingRateLimiter limiter;
        private boolean busy;
        private boolean hopes;
        private int waiting;
        private long sequence;

        Instance(String name) {
            this.name = name;
            Limits limits = TestLimits.of(endpoint("get-product", "GET /product/*", tier));
            this.limiter = CountingRateLimiter.sharing(limits, this, RateLimitListener.NONE);
        }

        boolean call(int tenant) {
            hopes = false;
            Decision decision = limiter.decide(TestCall.get("/product/1").of(name(tenant)));
            return decision.admitted();
        }

        boolean hopes() {
            return hopes;
        }

        void tick() {
            work(true);
            at(micros + tier.sync().every().toMillis() * 1_000, this::tick);
        }

        private void workSoon(long micros) {
            at(FleetSimulation.this.micros + micros, () -> work(false));
        }

        private void work(boolean regular) {
            if (busy) {
                return;
            }
            List<Claim> claims = regular ? ledger.collectRegular(nowMillis()) : ledger.collectRushed(nowMillis());
            if (claims.isEmpty()) {
                return;
            }
            busy = true;
            exchanges++;
            count("script", COMMANDS_OF_A_SCRIPT);
            Batch batch = new Batch(name, ++sequence, claims);
            at(micros + ROUND_TRIP_MICROS / 2, () -> {
                Batch.Reply reply = exchange(batch);
                for (int i = 0; i < claims.size(); i++) {
                    Claim claim = claims.get(i);
                    boolean corrected = reply.grants().get(i).granted() < claim.wanted();
                    boolean isNew = reply.grants().get(i).total()
                            == claim.spent() + reply.grants().get(i).granted();
                    count("add", 1);
                    count("correct", corrected ? 1 : 0);
                    count("ttl", isNew || (i + batch.sequence()) % TTL_LOOKED_AT_EVERY == 0 ? 1 : 0);
                }
                at(micros + ROUND_TRIP_MICROS / 2, () -> {
                    busy = false;
                    ledger.apply(claims, reply.grants(), nowMillis());
                    if (ledger.notes.any()) {
                        long pause =
                                ledger.notes.isPressed() ? Synchroniser.PAUSE_NANOS : Synchroniser.BORN_PAUSE_NANOS;
                        workSoon(waiting > 0 ? 0 : pause / 1_000);
                    }
                });
            });
        }

        private Batch.Reply exchange(Batch batch) {
            try {
                return store.exchange(batch).toCompletableFuture().get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long nowMillis() {
            return micros / 1_000;
        }

        @Override
        public long opening(Tier opened) {
            return opened.sync().slackOf(opened.limit().threshold());
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public void born(Window window) {
            if (ledger.notes.born(window)) {
                workSoon(Synchroniser.BORN_PAUSE_NANOS / 1_000);
            }
        }

        @Override
        public void due(Window window) {
            if (ledger.notes.due(window)) {
                workSoon(Synchroniser.PAUSE_NANOS / 1_000);
            }
        }

        @Override
        public Hope await(Window window, long cost) {
            // nobody waits in virtual time: the call is refused here, and comes again
            Window.Shared shared = Objects.requireNonNull(window.shared);
            hopes = shared.isHopeful(nowMillis());
            ledger.notes.due(window);
            if (hopes) {
                shared.awaited.addAndGet(cost);
                waiting++;
                at(micros, () -> work(false));
                at(micros + ROUND_TRIP_MICROS, () -> {
                    shared.awaited.addAndGet(-cost);
                    waiting--;
                });
            }
            return Hope.NONE;
        }

        @Override
        public void follow(Limits limits) {}

        @Override
        public void close() {}
    }

    /** How calls come to the instances; as in the experiment of {@code benchmarks/}. */
    enum Spread {
        EVEN,
        /** 70, 20 and 10 %. */
        SKEWED,
        /** Each tenant calls for a fifth of each second only. */
        BURSTS,
        /** In each window a fifth of the tenants are new. */
        COLD,
        /** As skewed, but dealt anew in each window. */
        RESHUFFLED;

        boolean uneven() {
            return this == SKEWED || this == RESHUFFLED;
        }
    }

    /** Plays twelve windows of ten seconds for 25 tenants, the first of them cold, at so many times the limit. */
    static Result run(int instances, long threshold, double times, Spread spread) {
        Tier tier = new Tier("10s", new Limit.FixedWindow(threshold, Duration.ofSeconds(10)), Sync.DEFAULT);
        return run(instances, 25, 12, tier, times, spread, 42);
    }

    /** Prints what the rule does at many loads. */
    public static void main(String[] args) {
        for (long threshold : new long[] {100, 1000}) {
            for (int instances : new int[] {3, 8}) {
                for (double times : new double[] {0.4, 0.98, 2, 10}) {
                    for (Spread spread : Spread.values()) {
                        System.out.printf(
                                "limit %d, %d instances, %.2f times, %s: %s%n",
                                threshold, instances, times, spread, run(instances, threshold, times, spread));
                    }
                }
            }
        }
    }
}
