package dev.sluice.internal.limiter.ledger;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Terms;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PatientCall;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.StoreState;
import dev.sluice.internal.limiter.shared.SharedCounter;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedWindows.Background;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.NOPLogger;

/**
 * A ledger whose calls, clock and store are played by hand. Time begins at 0 with a window of ten minutes, and an
 * interval has 1,000 ms.
 */
final class PlayedLedger implements Sharing, Background {

    static final long START = 1_627_318_800_000L;
    private static final int MOST_BATCHES = 20;
    static final Limit WINDOW = window(1_000_000);

    final StoreState store = new StoreState();
    final Ledger ledger;

    private final CounterFamilies families = new CounterFamilies(this, () -> 0, new Blocks(() -> 0));
    /** How many instances live. */
    int instances = 1;

    private long millis;
    private long sequence;
    private List<Statement> inFlight = List.of();
    /** What the store has last answered. */
    List<BatchInFlight.Answered> answered = List.of();

    PlayedLedger(int maximumCounters) {
        this.ledger = new Ledger(maximumCounters, store, NOPLogger.NOP_LOGGER);
    }

    PlayedLedger() {
        this(10_000);
    }

    static Limit window(long threshold) {
        return new Limit.FixedWindow(threshold, Duration.ofMinutes(10));
    }

    /** The store is unavailable for an instance that knows of no other. */
    static Outage unavailable(OnFailure policy) {
        return new Outage(policy, Fleet.assumed(1), START, false);
    }

    static Moment moment(long millis) {
        return new Moment(millis * 1_000_000, START + millis);
    }

    static Entry entry(SharedPool pool, Moment now) {
        return new Entry(pool, Terms.of(pool, pool.limit()), now);
    }

    Moment now() {
        return moment(millis);
    }

    PlayedLedger at(long nowMillis) {
        millis = nowMillis;
        return this;
    }

    // ---- Calls

    /** The pool of a new counter of this caller; another one of the same caller has the same key. */
    SharedPool pool(Limit limit, Duration every, String caller) {
        return pool(limit, new Sync(every, 0, false), caller);
    }

    SharedPool pool(Limit limit, Sync sync, String caller) {
        Tier tier = new Tier("t", limit, sync);
        CounterFamily family =
                families.of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
        return current(new SharedCounter(family, caller, this));
    }

    SharedPool pool(Limit limit, String caller) {
        return pool(limit, Duration.ofSeconds(1), caller);
    }

    SharedPool pool(String caller) {
        return pool(WINDOW, caller);
    }

    List<SharedPool> pools(String name, int number) {
        return IntStream.range(0, number).mapToObj(i -> pool(name + i)).toList();
    }

    /** The pool of the present window. */
    SharedPool current(Counter counter) {
        return (SharedPool) Objects.requireNonNull(counter.at(nowMillis()));
    }

    /** A call of each pool requests a check. */
    PlayedLedger check(List<SharedPool> pools) {
        pools.forEach(ledger.requests::add);
        ledger.processRequests(now());
        return this;
    }

    /** A quarter of an interval passes again and again, until then. */
    PlayedLedger ticksUntil(long nowMillis) {
        while (millis < nowMillis) {
            millis = Math.min(millis + 250, nowMillis);
            ledger.tick(now());
        }
        return this;
    }

    PlayedLedger check(SharedPool... pools) {
        return check(List.of(pools));
    }

    /** A call of each pool waits for a permit. */
    PlayedLedger waits(List<SharedPool> pools) {
        pools.forEach(pool -> waits(pool, 1));
        return check(pools);
    }

    /** A call waits for so many permits. */
    PendingCall waits(SharedPool pool, long cost) {
        List<Shortage> lacking = List.of(new Shortage(pool, cost, cost, true));
        PendingCall call = PatientCall.of(
                () -> pool.take(cost, nowMillis()) >= 0 ? List.of() : lacking,
                () -> now().nanos(),
                now().nanos(),
                this::requestCheck);
        call.standInLine(lacking);
        return call;
    }

    // ---- The store

    /** The statements of the next batch. */
    List<Statement> collect() {
        inFlight = ledger.batch.collect(now());
        return inFlight;
    }

    /** The statements of the next batch, by the names of their callers. */
    List<String> collectNames() {
        return collect().stream().map(PlayedLedger::name).toList();
    }

    static String name(Statement statement) {
        return statement.key().subjects().get(0).value();
    }

    /** The store applies the batch in flight. */
    PlayedLedger answer(Function<Statement, Grant> grant) {
        List<Grant> grants = inFlight.stream().map(grant).toList();
        Batch batch = new Batch("me", ++sequence, inFlight);
        answered = ledger.batch.applyReply(batch, new Batch.Reply(now().millis(), grants), now().millis(), now());
        return this;
    }

    /** The store applied the batch in flight so long ago that all leases are over. */
    PlayedLedger answerLate(Function<Statement, Grant> grant) {
        List<Grant> grants = inFlight.stream().map(grant).toList();
        Batch batch = new Batch("me", ++sequence, inFlight);
        Batch.Reply reply = new Batch.Reply(now().millis(), now().millis() - 5_000, grants, List.of());
        ledger.batch.applyReply(batch, reply, now().millis(), now());
        return this;
    }

    /** The store grants each statement of a call that waits what it needs, and so many permits more. */
    PlayedLedger grantAhead(long permits) {
        return answer(statement -> {
            long needed = statement.needed().all();
            long granted = needed == 0 ? 0 : needed + permits;
            return new Grant(statement.used() + statement.held() + granted, granted, 0, List.of(0L, 0L, 0L, 0L));
        });
    }

    /** Exchanges until nothing more is due. */
    PlayedLedger exchangeAll(long permits) {
        for (int batches = 0; batches < MOST_BATCHES; batches++) {
            if (collect().isEmpty()) {
                return this;
            }
            grantAhead(permits);
        }
        throw new AssertionError("there is always something to send: " + collect());
    }

    /** The store has lost what the statements after that batch have said. */
    PlayedLedger lose(long afterSequence) {
        ledger.lost(List.of(new Loss(Loss.ALL_SHARDS, afterSequence)), now());
        return this;
    }

    long lastSequence() {
        return sequence;
    }

    // ---- What counters need

    @Override
    public long nowMillis() {
        return now().millis();
    }

    @Override
    public boolean opensSharedCounters() {
        return true;
    }

    @Override
    public Counter open(CounterFamily family, Object values) {
        return new SharedCounter(family, values, this);
    }

    /** The store is unavailable from now on, or answers again. */
    PlayedLedger outage(@Nullable Outage outage) {
        if (outage != null) {
            beginOutage(outage);
        } else {
            endOutage();
        }
        return this;
    }

    /** The store is unavailable, and this decides; returns how many evicted accounts were dropped. */
    int beginOutage(Outage outage) {
        store.begin(outage);
        ledger.decideByOutage(outage, now());
        return ledger.dropEvicted(now());
    }

    /** The store answers again, and all instances have reported. */
    void endOutage() {
        store.answered();
        store.othersHaveReported();
        ledger.endOutage(now());
    }

    @Override
    public int instances() {
        return instances;
    }

    @Override
    public @Nullable Outage outage() {
        return store.latest();
    }

    @Override
    public void requestCheck(Pool pool) {
        checkSoon(pool);
    }

    @Override
    public void checkSoon(Pool pool) {
        ledger.requests.add((SharedPool) pool);
    }

    @Override
    public boolean isHopeless(Shortage lacking) {
        return true;
    }

    @Override
    public void afterTake(Pool pool, long state) {}

    @Override
    public long arrivalNanos() {
        return 0;
    }

    @Override
    public @Nullable PendingCall standInLine(
            Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos) {
        return null;
    }

    @Override
    public void follow(Limits limits) {}

    @Override
    public void leave() {}

    @Override
    public void close() {}
}
