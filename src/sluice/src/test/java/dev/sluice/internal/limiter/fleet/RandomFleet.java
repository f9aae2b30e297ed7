package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.bucket;
import static dev.sluice.internal.limiter.simulation.CallPattern.leaky;
import static dev.sluice.internal.limiter.simulation.CallPattern.log;
import static dev.sluice.internal.limiter.simulation.CallPattern.sliding;
import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.CallerLedger;
import dev.sluice.internal.limiter.simulation.EventLoop;
import dev.sluice.internal.limiter.simulation.FleetObserver;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.JudgedLimit;
import dev.sluice.internal.limiter.simulation.Mishap;
import dev.sluice.internal.limiter.simulation.Mishaps;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Client;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One caller's random calls to random instances, whose exchanges take random times, and to which something may happen;
 * all from one seed.
 */
final class RandomFleet {

    private static final SharingOptions PATIENT =
            new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofSeconds(2));
    private static final long INTERVAL_MILLIS = Sync.DEFAULT.every().toMillis();
    private static final long LEASE_MILLIS = 5 * INTERVAL_MILLIS;
    /** The time after which a lost reply is noticed, since this store has no timeout of its own. */
    private static final long NOTICED_MILLIS = 5_000;

    /** So often an instance tells the store that it lives, and hears how many do. */
    private static final long HEARD_MILLIS = 3_500;

    /** By then, all instances have noticed that the store is back, and have reported what they admitted. */
    private static final long LONGEST_RETURN_MILLIS = 1_500;

    private static final long LONGEST_CALL_MILLIS = 80;
    private static final long LONGEST_TRIP_MILLIS = 20;
    /** Where a call's patience matters. */
    private static final long SHORT_TRIP_MILLIS = 2;

    private static final double SHORTEST_TRIP_MILLIS = 0.2;
    /**
     * A call that needs what another instance holds waits for six: its batch and that of the holder, behind the one
     * that each of them has in flight, then the batch with which it asks again, and the news between. So it may be with
     * each of two limits, and again if one of them changes.
     */
    private static final int MOST_TRIPS = 20;
    /** The background looks every 25 ms for calls that have waited too long, by a time that is up to 10 ms old. */
    private static final long NOTICED_LATE_MILLIS = 35;

    /** More calls of an instance never wait at a time. */
    private static final int MOST_OUTCOMES = 1_000;

    private static final int BURSTS = 6;
    private static final List<CallPattern.Deal> DEALS = List.of(CallPattern.Deal.values());
    private static final String CALLER = "caller";

    private final Random random;
    private final Mishap mishap;
    private final Mishaps mishaps;
    private final List<Limit> limits;
    /** What the caller has now. */
    private List<Limit> current;

    private final SharingOptions sharing;
    private final int mostCost;
    private final Sync sync;
    private final SimulatedFleet fleet;
    private final CallerLedger ledger;
    /** Whether operators give calls. */
    private final boolean gives;

    private long gifts;
    private long unreported;

    private RandomFleet(long seed, Mishap mishap, boolean gives, Function<EventLoop, CounterStore> store) {
        this.random = new Random(seed);
        this.mishap = mishap;
        this.gives = gives;
        this.limits = randomLimits();
        this.current = limits;
        this.sharing = sharing(mishap);
        this.mostCost =
                limits.stream().anyMatch(limit -> limit instanceof Limit.Concurrency) || random.nextBoolean() ? 1 : 3;
        this.sync = new Sync(Sync.DEFAULT.every(), List.of(0.0, 0.01, 0.05).get(random.nextInt(3)), false);
        int instances = 2 + random.nextInt(4);
        boolean pushes = gives || random.nextInt(4) > 0 || !sharing.equals(PATIENT) || mishap.refunds();
        this.fleet = new SimulatedFleet(instances, limits(sync), pushes, store, FleetObserver.NONE);
        long longestTripMillis = sharing.equals(PATIENT) ? LONGEST_TRIP_MILLIS : SHORT_TRIP_MILLIS;
        fleet.longestTripMillis = longestTripMillis + (mishap == Mishap.STALLS ? 2 * Mishaps.LONGEST_STALL_MILLIS : 0);
        fleet.roundTripNanos = () -> (long) (SimulatedFleet.MILLI
                * (SHORTEST_TRIP_MILLIS + random.nextDouble() * (longestTripMillis - SHORTEST_TRIP_MILLIS)));
        this.ledger = new CallerLedger(fleet, limits, sync);
        ledger.mayWaitAtMost(mostWaitMillis(longestTripMillis));
        if (!fleet.pushes) {
            ledger.excuseWaits(PATIENT.timeout().toMillis(), INTERVAL_MILLIS / 4);
        }
        if (mishap == Mishap.OUTAGES) { // in a window that begins then, each instance may let one call pass
            for (JudgedLimit limit : ledger.limits()) {
                long fractions = limit.limit instanceof Limit.SlidingWindow ? 1 : 0;
                limit.allowOver(Math.max(fractions, instances - limit.limit.capacity()));
            }
        }
        if (mishap.refunds()) {
            Random failing = new Random(~seed);
            ledger.failing(failing::nextBoolean, 5 * LONGEST_TRIP_MILLIS);
        }
        this.mishaps = new Mishaps(
                fleet,
                seed,
                mishap.overrides() ? this::overridden : this::sayingTheSame,
                ledger::excuseUntil,
                this::isUnavailableFor);
    }

    /**
     * How long a call may wait: for {@code sync.timeout} if a holder may not hear of it, else for what batches and news
     * take.
     */
    private long mostWaitMillis(long longestTripMillis) {
        boolean isHeard = fleet.pushes && !mishap.silences();
        long timeoutMillis = sharing.timeout().toMillis();
        long usualMillis = isHeard ? Math.min(timeoutMillis, MOST_TRIPS * longestTripMillis) : timeoutMillis;
        long stalledMillis = mishap == Mishap.STALLS
                ? Mishaps.LONGEST_STALL_MILLIS
                : mishap == Mishap.FREEZES ? Mishaps.LONGEST_FREEZE_MILLIS : 0;
        long outcomesMillis = mishap == Mishap.AWAITED_OUTCOMES ? Pool.OUTCOME_MILLIS : 0;
        return outcomesMillis + usualMillis + stalledMillis + NOTICED_LATE_MILLIS;
    }

    private void isUnavailableFor(long millis) {
        long end = fleet.millis() + millis;
        long reported = end + LONGEST_RETURN_MILLIS;
        long longestPeriod = 0;
        for (JudgedLimit judged : ledger.limits()) {
            judged.excuseOutage(fleet.millis(), end, reported);
            // an instance that nobody called may not have noticed; the next frame knows little of the last one
            if (millis < HEARD_MILLIS || judged.limit instanceof Limit.SlidingWindow) {
                fleet.loop.in(millis * SimulatedFleet.MILLI, () -> judged.excuseUntil(reported));
            }
            boolean isLate = !(judged.limit instanceof Limit.Concurrency); // a call counts when its report arrives
            longestPeriod =
                    Math.max(longestPeriod, isLate ? judged.limit.period().toMillis() : 0);
        }
        ledger.excuseUntil(end + 8_000 + longestPeriod);
    }

    private static SharingOptions sharing(Mishap mishap) {
        return switch (mishap) {
            case STALLS, OUTAGES -> SharingOptions.DEFAULT;
            default -> PATIENT;
        };
    }

    private Limits limits(Sync synced) {
        Set<Integer> counted = mishap.refunds() ? Set.of(200) : Set.of();
        Limits all = TestLimits.sharing(sharing, FleetSimulation.limits(List.of(limits), synced, counted));
        return mishap == Mishap.AWAITED_OUTCOMES ? TestLimits.awaitingOutcomes(MOST_OUTCOMES, all) : all;
    }

    /** Other figures that change nothing. */
    private Limits sayingTheSame(long number) {
        return limits(new Sync(sync.every().plusMillis(number), sync.slack(), sync.strict()));
    }

    /**
     * Half of what the caller had at first, or as much, or more; no change before the store has heard of the last one.
     */
    private Limits overridden(long number) {
        List<Limit> others = limits.stream()
                .map(limit -> limit.times(new BigDecimal("0.5").multiply(BigDecimal.valueOf(number + 1))))
                .toList();
        if (!current.stream().allMatch(this::isHeardOf)) {
            others = current;
        } else if (Set.copyOf(others).size() < others.size()) {
            others = limits; // two tiers would be one
        }
        current = others;
        ledger.change(others);
        Endpoint changed =
                FleetSimulation.limits(List.of(others), sync).endpoints().get(0);
        return limits(sync)
                .withOverrides(List.of(new Client(
                        Map.of("tenant", List.of(CALLER)),
                        false,
                        BigDecimal.ONE,
                        null,
                        Map.of(changed.id(), changed.tiers()))));
    }

    /** A store learns the pace of a bucket from the calls only. */
    private boolean isHeardOf(Limit limit) {
        Gcra gcra = limit.byAlgorithm(new Limit.Cases<@Nullable Gcra>(
                (Limit.FixedWindow window) -> null,
                (Limit.SlidingWindow window) -> null,
                (Limit.SlidingLog log) -> null,
                (Limit.TokenBucket bucket) -> CompiledLimit.bucket(bucket, bucket.capacity()),
                (Limit.LeakyBucket bucket) -> CompiledLimit.bucket(bucket, bucket.capacity()),
                (Limit.Concurrency slots) -> null));
        return gcra == null
                || fleet.traffic.counters.containsValue(
                        new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest()));
    }

    private List<Limit> randomLimits() {
        List<Limit> all = new ArrayList<>();
        all.add(randomLimit());
        if (random.nextInt(3) == 0) {
            Limit other = randomLimit();
            if (!all.contains(other)) {
                all.add(other);
            }
        }
        return all;
    }

    private Limit randomLimit() {
        long threshold = 1L + random.nextInt(random.nextBoolean() ? 12 : 150);
        int which = random.nextInt(4);
        String period = mishap == Mishap.LONG_CUTS || mishap == Mishap.FREEZES
                ? "P1D"
                : List.of("PT1S", "PT4S", "PT10S", "PT1M").get(which);
        int algorithm = gives ? 6 * random.nextInt(2) : random.nextInt(7); // only windows let more pass
        return switch (algorithm) {
            case 0 -> sliding(threshold, period, 1 + 3 * random.nextInt(2));
            case 1 -> log(threshold, period);
            case 2 -> bucket(threshold, period, 1 + random.nextInt((int) threshold));
            case 3 -> leaky(threshold, period);
            case 4 -> slots(threshold);
            default -> window(threshold, period);
        };
    }

    /**
     * What came of one game.
     *
     * @param over by how much a limit was passed beyond what is allowed, at most
     * @param waited calls that waited for the store
     * @param longestMillis how long one of them waited
     * @param complaints all mistakes, in words
     */
    record GameResult(long calls, long early, long over, long waited, double longestMillis, List<String> complaints) {}

    /** Plays one random fleet; returns all mistakes, in words. */
    static List<String> play(long seed, Mishap mishap) {
        return play(seed, mishap, SimulatedFleet::inMemory);
    }

    /** The same with another store. */
    static List<String> play(long seed, Mishap mishap, Function<EventLoop, CounterStore> store) {
        return outcome(seed, mishap, false, store).complaints;
    }

    /** Plays one random fleet whose caller is given calls; returns all mistakes, in words. */
    static List<String> playWithGifts(long seed, Mishap mishap) {
        return outcome(seed, mishap, true, SimulatedFleet::inMemory).complaints;
    }

    static GameResult outcome(long seed, Mishap mishap) {
        return outcome(seed, mishap, false, SimulatedFleet::inMemory);
    }

    private static GameResult outcome(
            long seed, Mishap mishap, boolean gives, Function<EventLoop, CounterStore> store) {
        RandomFleet game = new RandomFleet(seed, mishap, gives, store);
        CallerLedger ledger = game.ledger;
        try (SimulatedFleet fleet = game.fleet) {
            game.play(fleet);
        } catch (AssertionError e) {
            ledger.complaints.add(e + ", " + e.getCause());
        }
        long allowed = ledger.limits().stream()
                .mapToLong(JudgedLimit::allowedOver)
                .max()
                .orElse(0);
        return new GameResult(
                ledger.offered,
                ledger.early,
                Math.max(0, ledger.over - allowed),
                ledger.waitsMillis.size(),
                ledger.waitsMillis.stream().mapToDouble(wait -> wait).max().orElse(0),
                ledger.complaints.isEmpty() ? List.of() : List.of(game + ": " + ledger.complaints));
    }

    private void play(SimulatedFleet fleet) {
        if (mishap == Mishap.OUTAGES) {
            hearOfEachOther();
            fleet.pass(HEARD_MILLIS);
        }
        fleet.pass(500);
        mishaps.begin(mishap);
        for (int burst = 0; burst < BURSTS; burst++) {
            burst(mishap == Mishap.TROUBLE && burst < BURSTS - 1);
        }
        mishaps.end();
        isSettled();
    }

    /**
     * Every instance asks the store for somebody else, and again once all have told that they live; so it knows of all.
     */
    private void hearOfEachOther() {
        for (SimulatedInstance instance : fleet.instances) {
            for (int time = 0; time < 2; time++) {
                fleet.loop.in(
                        time * HEARD_MILLIS * SimulatedFleet.MILLI,
                        () -> instance.decide(FleetSimulation.call("other-" + instance.name, 1)));
            }
        }
    }

    @Override
    public String toString() {
        return "%s, %d instances, costs up to %d%s"
                .formatted(limits, fleet.instances.size(), mostCost, fleet.pushes ? "" : ", no push");
    }

    /** Makes some calls, and then pauses, mostly for a short time. */
    private void burst(boolean withTrouble) {
        Limit first = ledger.limits().get(0).limit;
        long periodMillis =
                first instanceof Limit.Concurrency ? 1_000 : first.period().toMillis();
        int calls = 1 + random.nextInt((int) Math.min(2 * first.capacity() + 3, 150));
        double gapMillis =
                random.nextInt(4) == 0 ? 0 : random.nextDouble() * Math.min(15_000, periodMillis * 1.5) / calls;
        CallPattern.Deal deal = DEALS.get(random.nextInt(DEALS.size()));
        int start = random.nextInt(fleet.instances.size());
        for (int call = 0; call < calls; call++) {
            int instance = deal.instance(random, start, call, calls, fleet.instances.size());
            long cost = 1L + random.nextInt(mostCost);
            long lasts = 1L + random.nextInt((int) LONGEST_CALL_MILLIS);
            fleet.loop.in((long) (call * gapMillis * SimulatedFleet.MILLI), () -> call(instance, cost, lasts));
        }
        long lastsMillis = (long) Math.ceil(calls * gapMillis);
        for (int gift = gives ? random.nextInt(4) : 0; gift > 0; gift--) {
            long given = 1L + random.nextInt(40);
            fleet.loop.in((long) (random.nextDouble() * (lastsMillis + 500) * SimulatedFleet.MILLI), () -> give(given));
        }
        long troubleMillis = withTrouble ? trouble(lastsMillis) : 0;
        long pauseMillis = random.nextInt(3) == 0 ? random.nextInt(12_000) : random.nextInt(1_500);
        fleet.pass(Math.max(lastsMillis, troubleMillis) + pauseMillis);
        if (withTrouble && random.nextBoolean()) {
            fleet.pass(2 * LEASE_MILLIS);
        }
        if ((mishap == Mishap.LONG_CUTS || mishap == Mishap.FREEZES) && random.nextBoolean()) {
            fleet.pass(random.nextInt(90_000));
        }
    }

    /** An operator gives so many calls in each tier. */
    private void give(long calls) {
        List<Explanation> counters =
                fleet.instances.get(fleet.instances.size() - 1).limiter.explain(FleetSimulation.call(CALLER, 1));
        for (int tier = 0; tier < counters.size(); tier++) {
            Explanation found = counters.get(tier);
            CounterKey key = found.key();
            Rule rule = SharedLimits.of(found.tier(), key.start(), key.end()).rule();
            Statement gift =
                    new Statement(key, List.of(), 0, Need.NONE, 0, LEASE_MILLIS, rule, false, new Batch.Gift(calls, 0));
            gifts++;
            fleet.store
                    .exchange(new Batch("operator", gifts, List.of(gift)))
                    .toCompletableFuture()
                    .join();
            JudgedLimit limit = ledger.limits().get(tier);
            limit.give(calls, key.start());
            fleet.loop.in(
                    5 * fleet.longestTripMillis * SimulatedFleet.MILLI, () -> limit.haveGiven(calls, key.start()));
        }
    }

    private void call(int index, long cost, long lastsMillis) {
        SimulatedInstance instance = fleet.instances.get(index);
        while (instance.isDead()) {
            instance = fleet.instances.get((fleet.instances.indexOf(instance) + 1) % fleet.instances.size());
        }
        var unused = ledger.call(instance, FleetSimulation.call(CALLER, cost), cost, lastsMillis);
    }

    // ---- Trouble

    /** Cuts off one instance for a while, or lets it die, at some moment of the burst; returns how long that takes. */
    private long trouble(long burstMillis) {
        long beginMillis = random.nextInt((int) burstMillis + 1);
        long lastsMillis = 50L + random.nextInt((int) (2 * INTERVAL_MILLIS));
        SimulatedInstance victim = fleet.instances.get(random.nextInt(fleet.instances.size()));
        boolean dies = random.nextInt(3) == 0;
        double batchesLost = random.nextDouble();
        double repliesLost = random.nextDouble();
        fleet.loop.in(beginMillis * SimulatedFleet.MILLI, () -> {
            ledger.excuseUntil(fleet.millis()
                    + lastsMillis
                    + LEASE_MILLIS
                    + NOTICED_MILLIS
                    + PATIENT.timeout().toMillis());
            if (dies) {
                replace(victim);
            } else {
                victim.link.lose(() -> random.nextDouble() < batchesLost, () -> random.nextDouble() < repliesLost);
            }
        });
        fleet.loop.in((beginMillis + lastsMillis) * SimulatedFleet.MILLI, () -> {
            if (!victim.isDead()) {
                victim.link.mend();
            }
        });
        return beginMillis + lastsMillis;
    }

    /** An instance dies, and a new one takes its place. */
    private void replace(SimulatedInstance victim) {
        if (victim.isDead()) {
            return;
        }
        victim.die();
        var unused = fleet.add();
        for (int tier = 0; tier < ledger.limits().size(); tier++) {
            JudgedLimit limit = ledger.limits().get(tier);
            String name = "tier-" + tier;
            long slack = sync.slackOf(limit.limit.capacity());
            limit.allowOver(2 * slack); // unreported use of slack is lost, and the new instance has slack of its own
            unreported += slack;
            fleet.loop.in(LONGEST_TRIP_MILLIS * SimulatedFleet.MILLI, () -> countsWhatItHeld(victim, name, limit));
        }
    }

    /**
     * The store counts as used what the dead instance held: in a window what it has not used of it, otherwise all of it
     * once more, at the end of the lease.
     */
    private void countsWhatItHeld(SimulatedInstance victim, String tier, JudgedLimit limit) {
        for (Map.Entry<CounterKey, Long> held : victim.link.held.entrySet()) {
            CounterKey key = held.getKey();
            if (!key.tier().equals(tier)) {
                continue;
            }
            if (key.end() > key.start()) {
                limit.perhapsAdmit(held.getValue(), key.start() + 10);
            } else {
                fleet.loop.in(
                        LEASE_MILLIS * SimulatedFleet.MILLI, () -> limit.perhapsAdmit(held.getValue(), fleet.millis()));
            }
        }
    }

    // ---- Settled when quiet

    /**
     * A lease after the last call has ended, the store's totals are what was admitted, and nobody holds anything.
     */
    private void isSettled() {
        boolean isUnheard = mishap.silences() || mishap == Mishap.OUTAGES;
        if (isUnheard || mishap.overrides()) {
            fleet.pass(LEASE_MILLIS);
            for (int index = 0; index < fleet.instances.size(); index++) {
                int instance = index;
                fleet.loop.in(0, () -> call(instance, 1, 1));
            }
        }
        fleet.pass(1);
        while (ledger.isAnyInFlight()) {
            fleet.pass(1);
        }
        fleet.pass(LEASE_MILLIS + 3 * LONGEST_TRIP_MILLIS);
        List<Explanation> counters =
                fleet.instances.get(fleet.instances.size() - 1).limiter.explain(FleetSimulation.call(CALLER, 1));
        for (int i = 0; i < counters.size(); i++) {
            isSettled(counters.get(i).key(), ledger.limits().get(i));
        }
    }

    private void isSettled(CounterKey key, JudgedLimit limit) {
        Rule rule = fleet.traffic.counters.get(key);
        long total = rule == null ? 0 : storeTotal(key, rule);
        long oneWayMillis = fleet.longestTripMillis / 2;
        long least = Math.max(0, limit.usedAtLeast(fleet.millis(), oneWayMillis) - unreported);
        long most = limit.usedAtMost(fleet.millis(), oneWayMillis);
        // what is reported late counts from then on, or as if a bucket had been full before
        boolean isInexact = mishap == Mishap.OUTAGES && (rule instanceof Rule.Bucket || rule instanceof Rule.Log);
        if (!isInexact && (total < least || total > most)) {
            ledger.complaints.add("at %d ms not settled: the store has %d of %s, admitted were %d to %d"
                    .formatted(fleet.elapsedMillis(), total, key.text(), least, most));
        }
    }

    private long storeTotal(CounterKey key, Rule last) {
        Rule rule = last instanceof Rule.Slots slots ? new Rule.Slots(slots.most(), 0, 0, Long.MAX_VALUE) : last;
        Statement statement = new Statement(key, List.of(), 0, Need.NONE, 0, LEASE_MILLIS, rule);
        Batch batch = new Batch("observer of " + key.text(), 1, List.of(statement));
        Batch.Reply reply = fleet.store.exchange(batch).toCompletableFuture().join();
        long total = reply.grants().get(0).total();
        return rule instanceof Rule.Bucket flow
                ? -Math.floorDiv(reply.nowMillis() * flow.milli() - total, flow.token())
                : total;
    }
}
