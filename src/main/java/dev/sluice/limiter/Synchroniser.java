package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.CounterStore;
import dev.sluice.Limits;
import dev.sluice.Tier;
import dev.sluice.Together;
import dev.sluice.Together.OnFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the counters of this process with those of others through a store, on one thread of its own.
 *
 * <p>It takes ahead, never behind: each exchange reports what was used beyond the share in hand and takes as large a share as will
 * be needed until the next one, so that calls find permits in memory and the store's total is always at least what all
 * instances together have admitted. An exchange is due at the end of each interval for counters that need one, at once where a call
 * has found permits running low, and soon where it has opened a window; all that is due goes in one batch, and one batch is under way at a time.
 * {@link Exchanges} sees to it that each counts once.
 *
 * <p>While the store is away, shares in hand are used up first; then the file says who decides.
 */
final class Synchroniser implements Sharing {

    private static final Logger LOG = LoggerFactory.getLogger(Synchroniser.class);
    /**
     * While calls come, the background looks so often for notes they have left; what has become due in between goes in one exchange.
     * A call that must wait for the answer wakes it at once.
     */
    static final long PAUSE_NANOS = 10_000_000;
    /** A window that a call has opened is asked about together with others that are opened so soon after, if what it was lent lasts. */
    static final long BORN_PAUSE_NANOS = 100_000_000;

    private static final long GOODBYE_MILLIS = 2_000;
    private static final long AFTER_A_DEFECT_NANOS = 1_000_000_000;
    private static final long LONGEST_SILENCE_NANOS = 10_000_000_000L;

    private final CounterStore store;
    private final StoreClock clock;
    private final Ledger ledger;
    private final Exchanges exchanges;
    private final Thread thread;
    private final AtomicInteger waitingCalls = new AtomicInteger();

    private volatile Together together;
    private volatile long tickNanos;
    private volatile boolean closing;
    /** Nothing has been due for some time, so the background looks for notes only when woken. */
    private volatile boolean asleep;

    private long busyNanos = System.nanoTime();

    private Synchroniser(CounterStore store, String instance, InstantSource machine, Limits limits) {
        this.store = store;
        this.clock = new StoreClock(machine);
        this.ledger = new Ledger(limits.maximumCounters());
        this.together = limits.together();
        this.exchanges = new Exchanges(store, instance, clock, ledger, () -> together.onFailure(), LOG);
        this.tickNanos = limits.shortestInterval().toNanos();
        this.thread = new Thread(this::run, "sluice-synchroniser");
        this.thread.setDaemon(true);
    }

    /** Asks the store for the time, so that the first windows are cut by it, and starts the background. */
    static Synchroniser start(CounterStore store, String instance, InstantSource machine, Limits limits) {
        Synchroniser synchroniser = new Synchroniser(store, instance, machine, limits);
        synchroniser.exchanges.send(List.of());
        synchroniser.thread.start();
        return synchroniser;
    }

    @Override
    public void follow(Limits limits) {
        together = limits.together();
        tickNanos = limits.shortestInterval().toNanos();
        LockSupport.unpark(thread);
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public long opening(Tier tier) {
        return exchanges.isAway()
                ? Share.inAbsence(together.onFailure(), tier.most())
                : tier.sync().slackOf(tier.limit().threshold());
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void born(Window window) {
        if (ledger.notes.born(window)) {
            wakeIfAsleep();
        }
    }

    @Override
    public void due(Window window) {
        if (ledger.notes.due(window)) {
            wakeIfAsleep();
        }
    }

    /** Waking a thread takes a call far longer than being decided does, so one that sleeps lightly is left to find the note. */
    private void wakeIfAsleep() {
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public Hope await(Window window, long cost) {
        Window.Shared shared = window.shared;
        if (shared == null || !shared.isHopeful(clock.millis()) || exchanges.isAway() || closing) {
            due(window);
            return Hope.NONE;
        }
        shared.awaited.addAndGet(cost);
        waitingCalls.incrementAndGet();
        CompletableFuture<Boolean> news = shared.nextNews();
        try {
            ledger.notes.due(window);
            if (window.permits.left() < cost && shared.isHopeful(clock.millis())) {
                LockSupport.unpark(thread);
                news.get(patienceNanos(), TimeUnit.NANOSECONDS);
            }
            return Hope.AGAIN;
        } catch (TimeoutException e) {
            return passesUnheard(shared, cost) ? Hope.UNHEARD : Hope.NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return passesUnheard(shared, cost) ? Hope.UNHEARD : Hope.NONE;
        } catch (ExecutionException e) {
            throw new IllegalStateException("news never fail", e);
        } finally {
            waitingCalls.decrementAndGet();
            shared.awaited.addAndGet(-cost);
        }
    }

    /** A call waits for as long as the definitions allow; where the store has been silent for some time already, so much less. */
    private long patienceNanos() {
        return Math.max(0, together.timeout().toNanos() - exchanges.silenceNanos());
    }

    private boolean passesUnheard(Window.Shared shared, long cost) {
        OnFailure policy = together.onFailure();
        if (policy == OnFailure.DENY) {
            return false;
        }
        long passed = shared.unheard.addAndGet(cost);
        if (policy == OnFailure.LOCAL && passed > shared.beyond(clock.millis())) {
            shared.unheard.addAndGet(-cost);
            return false;
        }
        return true;
    }

    private void run() {
        long tick = System.nanoTime() + tickNanos;
        boolean more = false;
        while (!closing) {
            try {
                if (!more) {
                    pause(tick);
                }
                more = false;
                long now = System.nanoTime();
                boolean regular = now - tick >= 0;
                more = turn(regular);
                tick = regular && !more ? now + tickNanos : tick;
            } catch (RuntimeException e) {
                LOG.error(
                        "Counting together has stumbled over a defect; limits go on to be enforced, and it tries again",
                        e);
                LockSupport.parkNanos(this, AFTER_A_DEFECT_NANOS);
            }
        }
    }

    private void pause(long tick) {
        if (exchanges.areStuck()) {
            LockSupport.parkNanos(this, exchanges.pauseNanos());
            return;
        }
        long now = System.nanoTime();
        long unnoted = now;
        while (tick - now > 0 && !closing) {
            boolean noted = ledger.notes.any();
            unnoted = noted ? unnoted : now;
            long distance = distance(now, unnoted);
            if (noted && distance <= 0) {
                return;
            }
            if (noted || now - busyNanos < 2 * tickNanos) {
                LockSupport.parkNanos(
                        this, Math.min(noted ? Math.min(distance, PAUSE_NANOS) : PAUSE_NANOS, tick - now));
            } else {
                sleep(tick - now);
            }
            now = System.nanoTime();
        }
    }

    /** The time until the next exchange, for notes of which there were none at that moment. */
    private long distance(long now, long unnotedNanos) {
        if (waitingCalls.get() > 0) {
            return 0;
        }
        return (ledger.notes.isPressed() ? exchanges.sentNanos() + PAUSE_NANOS : unnotedNanos + BORN_PAUSE_NANOS) - now;
    }

    /** Sleeps until woken, or for so long. A note that is left while falling asleep is seen here or wakes. */
    private void sleep(long nanos) {
        asleep = true;
        if (!ledger.notes.any()) {
            LockSupport.parkNanos(this, nanos);
        }
        asleep = false;
    }

    /** One exchange, if anything is due; the one that was not answered first. Whether there is more to exchange at once. */
    private boolean turn(boolean regular) {
        if (exchanges.areStuck()) {
            exchanges.again();
            return false;
        }
        long now = clock.millis();
        List<Claim> claims = regular ? ledger.collectRegular(now) : ledger.collectRushed(now);
        boolean longSilence = regular && System.nanoTime() - exchanges.heardNanos() > LONGEST_SILENCE_NANOS;
        if (!claims.isEmpty()) {
            busyNanos = System.nanoTime();
        }
        if (!claims.isEmpty() || longSilence) {
            exchanges.send(claims);
        }
        return Ledger.isFull(claims) && exchanges.goWell();
    }

    /** Returns all shares and reports all debts, if the store answers soon; then closes it. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(GOODBYE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!thread.isAlive()) {
            turnLast();
        }
        store.close();
    }

    private void turnLast() {
        exchanges.again();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GOODBYE_MILLIS);
        List<Claim> last = !exchanges.areStuck() ? ledger.collectLast(clock.millis()) : List.of();
        while (!last.isEmpty()) {
            exchanges.send(last);
            boolean goesOn = !exchanges.areStuck() && System.nanoTime() - deadline < 0;
            last = goesOn ? ledger.collectLast(clock.millis()) : List.of();
        }
    }
}
