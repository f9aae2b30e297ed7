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
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/**
 * A fleet of instances in virtual time: calls arrive at random, the store is a millisecond away, and the limiter's own ledger,
 * counters and arithmetic decide. The same seed gives the same run.
 */
final class FleetSimulation {

    private static final long ROUND_TRIP_MICROS = 1_000;
    private static final long START_MICROS = 1_627_318_780_000_000L;

    /** One moment at which something happens. */
    private record Event(long micros, long order, Runnable action) {}

    /**
     * What came of it, in per cent of the limit where not said otherwise.
     *
     * @param commands of the store, for a tenant and window
     * @param roundTrips for an instance and second
     */
    record Result(
            double meanOver,
            double maxOver,
            double meanUnder,
            double maxUnder,
            double commands,
            double roundTrips,
            long refusedEarly,
            long waits) {

        @Override
        public String toString() {
            return "over %.2f (max %.1f), under %.2f (max %.1f), commands %.1f, round trips %.1f, refused early %d, waits %d"
                    .formatted(meanOver, maxOver, meanUnder, maxUnder, commands, roundTrips, refusedEarly, waits);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.micros != b.micros ? Long.compare(a.micros, b.micros) : Long.compare(a.order, b.order));
    private final Random random;
    private final Tier tier;
    private final int tenants;
    private final int windows;
    private final List<Instance> fleet = new ArrayList<>();
    private final InMemoryCounterStore store;
    private final long[][] admitted;
    private final long[][] offered;
    private final double[][] shares;
    private long micros = START_MICROS;
    private long order;
    private long commands;
    private long exchanges;
    private long refusedEarly;
    private long waits;

    private FleetSimulation(int instances, int tenants, int windows, Tier tier, long seed) {
        this.random = new Random(seed);
        this.tier = tier;
        this.tenants = tenants;
        this.windows = windows;
        this.store = new InMemoryCounterStore(clock(), 1_000_000);
        this.admitted = new long[windows][tenants];
        this.offered = new long[windows][tenants];
        this.shares = new double[tenants][instances];
        for (int i = 0; i < instances; i++) {
            fleet.add(new Instance("i" + i));
        }
    }

    /** Plays so many windows of a load that is {@code times} the limit. */
    static Result run(
            int instances,
            int tenants,
            int windows,
            Tier tier,
            double times,
            boolean reshuffle,
            double[] split,
            long seed) {
        return new FleetSimulation(instances, tenants, windows, tier, seed).play(times, reshuffle, split);
    }

    private InstantSource clock() {
        return () -> Instant.ofEpochMilli(micros / 1_000);
    }

    private long periodMicros() {
        return tier.limit().period().toMillis() * 1_000;
    }

    private Result play(double times, boolean reshuffle, double[] split) {
        for (int tenant = 0; tenant < tenants; tenant++) {
            deal(tenant, split, false);
            scheduleCall(tenant, times);
        }
        for (Instance instance : fleet) {
            at(micros + random.nextInt(1_000_000), instance::tick);
        }
        for (int window = 1; window < windows && reshuffle; window++) {
            at(START_MICROS + (long) window * periodMicros(), () -> {
                for (int tenant = 0; tenant < tenants; tenant++) {
                    deal(tenant, split, true);
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

    private void deal(int tenant, double[] split, boolean anew) {
        int n = fleet.size();
        int shift = anew ? random.nextInt(n) : tenant % n;
        for (int i = 0; i < n; i++) {
            shares[tenant][(i + shift) % n] = i < split.length ? split[i] : 0;
        }
    }

    private void scheduleCall(int tenant, double times) {
        double perMicro = times * tier.limit().threshold() / (double) periodMicros();
        at(micros + 1 + (long) (-Math.log(1 - random.nextDouble()) / perMicro), () -> {
            int window = (int) ((micros - START_MICROS) / periodMicros());
            double dice = random.nextDouble();
            int instance = 0;
            while (instance < fleet.size() - 1 && dice >= shares[tenant][instance]) {
                dice -= shares[tenant][instance++];
            }
            offered[window][tenant]++;
            decide(fleet.get(instance), tenant, micros);
            scheduleCall(tenant, times);
        });
    }

    /** A call that may hope for permits comes again when the store may have answered, and again, until its patience ends. */
    private void decide(Instance instance, int tenant, long sinceMicros) {
        int window = (int) ((micros - START_MICROS) / periodMicros());
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
        double threshold = tier.limit().threshold();
        for (int w = 1; w < windows; w++) {
            for (int t = 0; t < tenants; t++) {
                double o = Math.max(0.0, admitted[w][t] - threshold) / threshold * 100;
                double u =
                        Math.max(0.0, Math.min(threshold, (double) offered[w][t]) - admitted[w][t]) / threshold * 100;
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
                commands / (double) (windows * tenants),
                exchanges / seconds / fleet.size(),
                refusedEarly,
                waits);
    }

    /** One instance: its limiter, with a background that runs in virtual time. */
    private final class Instance implements Sharing {

        private final String name;
        private final Ledger ledger = new Ledger(100_000);
        private final CountingRateLimiter limiter;
        private boolean busy;
        private boolean hopes;
        private long sequence;

        Instance(String name) {
            this.name = name;
            Limits limits = TestLimits.of(endpoint("get-product", "GET /product/*", tier));
            this.limiter = CountingRateLimiter.sharing(limits, this, RateLimitListener.NONE);
        }

        boolean call(int tenant) {
            hopes = false;
            Decision decision = limiter.decide(TestCall.get("/product/1").of("tenant-" + tenant));
            return decision.admitted();
        }

        boolean hopes() {
            return hopes;
        }

        void tick() {
            work(true);
            at(micros + tier.sync().every().toMillis() * 1_000, this::tick);
        }

        private void workSoon() {
            at(micros + Synchroniser.PAUSE_NANOS / 1_000, () -> work(false));
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
            commands += 4;
            Batch batch = new Batch(name, ++sequence, claims);
            at(micros + ROUND_TRIP_MICROS / 2, () -> {
                Batch.Reply reply = exchange(batch);
                for (int i = 0; i < claims.size(); i++) {
                    Claim claim = claims.get(i);
                    boolean corrected = reply.grants().get(i).granted() < claim.wanted();
                    boolean isNew = reply.grants().get(i).total()
                            == claim.spent() + reply.grants().get(i).granted();
                    commands += 1 + (corrected ? 1 : 0) + (isNew ? 1 : 0);
                }
                at(micros + ROUND_TRIP_MICROS / 2, () -> {
                    busy = false;
                    ledger.apply(claims, reply.grants(), nowMillis());
                    if (ledger.hasNotes()) {
                        workSoon();
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
            if (ledger.noteBorn(window)) {
                workSoon();
            }
        }

        @Override
        public void due(Window window) {
            if (ledger.noteDue(window)) {
                workSoon();
            }
        }

        @Override
        public Hope await(Window window, long cost) {
            // nobody waits in virtual time: the call is refused here, and comes again
            Window.Shared shared = Objects.requireNonNull(window.shared);
            hopes = shared.hopeful;
            ledger.noteDue(window);
            if (hopes) {
                at(micros, () -> work(false));
            }
            return Hope.NONE;
        }

        @Override
        public void follow(Limits limits) {}

        @Override
        public void close() {}
    }

    /** How calls are spread over the instances. */
    enum Spread {
        EVEN,
        SKEWED,
        /** As skewed, but dealt anew in each window. */
        RESHUFFLED
    }

    /** Plays twelve windows of ten seconds for 25 tenants, the first of them cold, at so many times the limit. */
    static Result run(int instances, long threshold, double times, Spread spread) {
        Tier tier = new Tier("10s", new Limit.FixedWindow(threshold, Duration.ofSeconds(10)), Sync.DEFAULT);
        double[] split = new double[instances];
        Arrays.fill(split, 1.0 / instances);
        return run(
                instances,
                25,
                12,
                tier,
                times,
                spread == Spread.RESHUFFLED,
                spread == Spread.EVEN ? split : new double[] {0.7, 0.2, 0.1},
                42);
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
