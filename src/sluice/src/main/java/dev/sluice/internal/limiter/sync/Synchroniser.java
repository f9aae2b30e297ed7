package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.GRACE_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LATE_BACKGROUND_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_GRACE_NANOS;

import dev.sluice.CounterKey;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.PendingCall;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.PendingLog;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.ledger.CheckRequests;
import dev.sluice.internal.limiter.local.LocalCounters;
import dev.sluice.internal.limiter.local.LocalLines;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedCounter;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedWindows.Background;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.Background.State;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Synchronises the counters of this process with those of other instances, through a store. Thread-safe, except for
 * {@link #step}.
 *
 * <p>The synchroniser requests permits before calls need them. The store grants the permits in one atomic step, and
 * calls then find them in memory. Apart from slack, the store's total is never less than the number of calls that all
 * instances together have admitted. A call that finds no permit waits for an exchange. The call is refused if no
 * instance holds permits, or if the instances that hold permits do not return them in time.
 *
 * <p>Calls use this class. {@link ExchangeLoop} does the remaining work in the background.
 */
public final class Synchroniser implements Sharing, Background {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    private final CounterStore store;
    private final String instance;
    private final StoreClock clock;
    private final Driver driver;
    private final PendingPolicy policy;
    private final PendingCall.Surroundings surroundings;
    private final CheckRequests requests;
    private final ReplyReader replies;
    private final ExchangeLog log;
    private final AtomicInteger callsInLine = new AtomicInteger();
    private final LocalLines localLines = new LocalLines();
    final ExchangeLoop loop;
    /** The latest time at which the clock was checked and found to be reliable. */
    private volatile long soundMillis;

    private volatile boolean departed;
    private volatile boolean closed;

    /** Runs the background work by calling {@link #step} on one thread at a time. */
    public interface Driver {

        /** A driver for virtual time. The code that advances the clock calls {@link #step} itself. */
        Driver NONE = new Driver() {
            @Override
            public void wake() {}

            @Override
            public boolean stop() {
                return true;
            }
        };

        /** Requests that a step be run soon. Any thread may call this method. */
        void wake();

        /**
         * Stops the driver, and waits a limited time for the current step to end. Returns {@code false} if that step is
         * still in progress.
         */
        boolean stop();
    }

    /**
     * Creates a synchroniser. It does nothing until the driver calls {@link #step}.
     *
     * @param instance the name of this instance. No other instance on this store may ever have used that name
     */
    public Synchroniser(
            CounterStore store,
            String instance,
            StoreClock clock,
            Driver driver,
            PendingPolicy policy,
            Limits limits,
            RateLimitListener listener,
            ExchangeLog log) {
        this.store = store;
        this.instance = instance;
        this.clock = clock;
        this.driver = driver;
        this.policy = policy;
        this.surroundings =
                new PendingCall.Surroundings(clock::nanos, policy, this::requestCheck, callsInLine::decrementAndGet);
        this.log = log;
        this.loop =
                new ExchangeLoop(store, instance, clock, driver::wake, policy, callsInLine::get, limits, listener, log);
        this.requests = loop.ledger.requests;
        this.replies = loop.replies;
        store.subscribe(instance, received -> {
            if (!closed) {
                loop.receive(received);
                driver.wake();
            }
        });
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public long elapsedNanos() {
        return clock.elapsedNanos();
    }

    /** Checks whether this process was stopped, but only for the first call in each millisecond. */
    @Override
    public long decisionMillis() {
        long now = clock.millis();
        return now == soundMillis ? now : soundMillisNow();
    }

    private long soundMillisNow() {
        CompletableFuture<Boolean> sound = soundTime();
        if (sound != null) {
            try {
                policy.await(sound, replies.options().timeout().toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        long now = clock.millis();
        soundMillis = now;
        return now;
    }

    @Override
    public @Nullable CompletableFuture<Boolean> soundTime() {
        if (!clock.disagrees() && !loop.isOverdue()) {
            return null;
        }
        CompletableFuture<Boolean> step = loop.nextSoundStep();
        driver.wake();
        return step;
    }

    /** Whether new counters are shared. After this instance has left the fleet, it counts alone. */
    @Override
    public boolean opensSharedCounters() {
        OnFailure policy = replies.options().onFailure();
        return !departed || policy == OnFailure.ALLOW || policy == OnFailure.DENY;
    }

    @Override
    public @Nullable Outage outage() {
        return departed ? replies.outageFromNowOn() : loop.store.latest();
    }

    @Override
    public int instances() {
        return replies.instances();
    }

    /**
     * Requests a check of the pool. If the background thread no longer serves calls, serves them on the current thread.
     */
    @Override
    public void requestCheck(Pool pool) {
        checkSoon(pool);
        localLines.serve();
    }

    @Override
    public void checkSoon(Pool pool) {
        if (pool instanceof SharedPool shared && (!departed || shared.permits.isClosed())) {
            boolean isNew = requests.add(shared);
            if ((isNew && loop.isAsleep()) || shared.isUsedUpByCharges(clock.millis())) {
                driver.wake();
            }
        } else {
            localLines.add(pool); // no further step will process a request
        }
    }

    @Override
    public Counter open(CounterFamily family, Object values) {
        return opensSharedCounters() && family.compiledLimit.isFleetWide
                ? new SharedCounter(family, values, this)
                : LocalCounters.open(family, values);
    }

    @Override
    public void afterTake(Pool pool, long state) {
        if (pool instanceof SharedPool shared && shared.isLow(state)) {
            requestCheck(shared);
        }
    }

    @Override
    public long arrivalNanos() {
        return clock.nanos();
    }

    @Override
    public @Nullable PendingCall standInLine(
            Supplier<List<Shortage>> attempt, List<Shortage> shortages, long arrivalNanos) {
        long timeoutNanos = replies.options().timeout().toNanos();
        long mostNanos = timeoutNanos + LATE_BACKGROUND_NANOS;
        boolean isTooLate = clock.nanos() - arrivalNanos >= mostNanos;
        if (isTooLate || shortages.stream().anyMatch(this::isInVain)) {
            shortages.forEach(this::noteRefusal);
            return null;
        }
        long graceNanos = Math.min(timeoutNanos / GRACE_DIVISOR, LONGEST_GRACE_NANOS);
        PendingCall call = new PendingCall(attempt, surroundings, arrivalNanos, mostNanos, timeoutNanos, graceNanos);
        callsInLine.incrementAndGet();
        call.standInLine(shortages);
        driver.wake();
        return call;
    }

    private boolean isInVain(Shortage lacking) {
        return lacking.isHopeless(!closed, clock.millis());
    }

    @Override
    public boolean isHopeless(Shortage lacking) {
        boolean isHopeless = isInVain(lacking);
        if (isHopeless) {
            noteRefusal(lacking);
        }
        return isHopeless;
    }

    @Override
    public void wasPending(Shortage lacking, Reason reason, long nanos, Outcome outcome) {
        if (log.wantsPending()) {
            boolean isTooLong = reason == Reason.STORE
                    && nanos >= replies.options().timeout().toNanos();
            String took = PendingLog.millis(nanos) + (isTooLong ? ", all of sync.timeout," : "");
            CounterKey key = PendingLog.keyOf(lacking.pool(), clock.millis());
            String whence = outcome == Outcome.REFUSED && lacking.pool() instanceof SharedPool pool ? whence(pool) : "";
            log.wasPending(key, lacking.need(), reason, took, outcome, whence);
        }
    }

    /** Returns the reason why this instance has concluded that a call can get no permits. */
    private String whence(SharedPool pool) {
        SharedSnapshot known = pool.snapshot();
        boolean isUsedUp = known.outlook().usedUpUntilMillis() > clock.millis();
        return switch (known.mode()) {
            case NEW -> " (the store has not answered)";
            case SHARED ->
                !isUsedUp
                        ? " (other instances hold permits, or the store has not answered in time)"
                        : known.outlook().retryAtMillis() == Long.MAX_VALUE
                                ? " (the store has reported that the limit is used up)"
                                : " (an unresponsive instance holds the remaining permits)";
            case WITHOUT_STORE -> " (the store is unavailable, and this instance has used up its part of the limit)";
            case DENYING -> " (the store is unavailable, and onFailure is deny)";
            case STORE_BACK ->
                " (others have yet to report after an outage, and this instance has used up its part of the limit)";
        };
    }

    @Override
    public CompletableFuture<LimiterDiagnostics> diagnose(@Nullable Predicate<CounterKey> keys, int most) {
        if (closed) {
            return CompletableFuture.completedFuture(LimiterDiagnostics.unresponsive(State.CLOSED));
        }
        CompletableFuture<LimiterDiagnostics> answer = loop.diagnose(keys, most);
        driver.wake();
        return answer;
    }

    private void noteRefusal(Shortage lacking) {
        if (lacking.pool() instanceof SharedPool pool) {
            requestCheck(pool);
            if (pool.permits.left() > 0) {
                driver.wake(); // other calls can use the permits granted to this call
            }
        }
    }

    @Override
    public void follow(Limits limits) {
        loop.follow(limits);
        driver.wake();
    }

    /**
     * Does all due work, on the driver's thread. Returns the time of the next step, according to the monotonic clock.
     */
    public long step() {
        return loop.step();
    }

    @Override
    public void leave() {
        departed = true;
    }

    /** Returns the held permits and reports the use if the store answers promptly. Then closes the store. */
    @Override
    public void close() {
        departed = true;
        closed = true;
        if (driver.stop()) {
            loop.end();
        } else {
            LOG.warn("The limiter is closed, but its background thread did not stop in time. The use since the "
                    + "last exchange is not reported to the store. The permits that this instance held count as used, "
                    + "as if it had been killed. Slots of concurrency limits become free when their lease ends");
        }
        store.unsubscribe(instance);
        store.close();
        loop.interruptAgain();
    }
}
