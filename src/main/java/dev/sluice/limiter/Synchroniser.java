package dev.sluice.limiter;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Loss;
import dev.sluice.CounterStore;
import dev.sluice.CounterStore.News;
import dev.sluice.Limits;
import dev.sluice.SharingOptions;
import dev.sluice.SharingOptions.OnFailure;
import dev.sluice.Tier;
import dev.sluice.limiter.WaitingCalls.WaitingCall;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the counters of this process with those of others through a store: a machine with the clock outside. Whoever drives it calls {@link #step},
 * on one thread at a time, when the time has come that the last step named, and when {@link Driver#wake} is called.
 *
 * <p>It takes ahead, never behind. Each exchange tells what was used and what is held unspent, and asks for what calls will need until the
 * next one; the store grants from what is left, in one step. So calls find permits in memory, and the store's total is always at least what all instances
 * have admitted. A call that finds no permit waits for an exchange. If all that is left is held by others, the store recalls it from them, and
 * only when nobody holds any is the call refused.
 *
 * <p>An exchange is due when a quarter of an interval ends, for counters that were called, whose share will not last, or that are quiet; soon when a
 * share runs low; at once when a call waits or permits are recalled. All that is due goes in one batch. {@link Ledger} knows what is due,
 * {@link Exchanges} sees to it that each batch counts once.
 */
final class Synchroniser implements Sharing {

    private static final Logger LOG = LoggerFactory.getLogger(Synchroniser.class);

    /** Batches for which no call waits are so far apart; while calls come, their notes are read as often. */
    static final long PAUSE_NANOS = 25_000_000;

    private static final long GOODBYE_NANOS = 2_000_000_000;
    private static final long SHORTEST_SILENCE_NANOS = 1_000_000_000;
    private static final long LONGEST_SILENCE_NANOS = 10_000_000_000L;
    /** When this thread itself was late, the store is given so much longer to answer. */
    private static final long LATE_NANOS = 5_000_000;

    /** Only threads that wait longer than this part of the timeout, and than this time, are counted. */
    private static final int PART_FREE = 5;

    private static final long LONGEST_FREE_NANOS = 100_000_000;

    private final CounterStore store;
    private final StoreClock clock;
    private final LongSupplier nanos;
    private final Driver driver;
    private final Waiting waiting;
    private final Ledger ledger;
    private final Exchanges exchanges;
    private final Journal journal = new Journal();
    private final OutageLog outageLog = new OutageLog(LOG);
    private final Queue<News> news = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCalls = new AtomicInteger();

    /** Calls {@link #step}, on one thread at a time. */
    interface Driver {

        /** None is needed: whoever moves the clock calls it. */
        Driver NONE = new Driver() {
            @Override
            public void wake() {}

            @Override
            public void stop() {}
        };

        /** Calls it soon; from any thread. */
        void wake();

        /** Calls it no more. */
        void stop();
    }

    private volatile SharingOptions options;
    private volatile long everyNanos;
    private volatile boolean away;
    private volatile boolean left;
    private volatile boolean closed;
    /** Nothing was noted for some time, so the driver sleeps until woken. */
    private volatile boolean asleep;

    /** What is due waits for something else, such as the end of a call, that a tick or a note tells of. */
    private boolean blocked;
    /** Whether the thread was interrupted while it had to wait. */
    private boolean interrupted;

    private long busyNanos;
    private long tickedNanos;
    private long plannedNanos;

    /**
     * Makes a machine at rest.
     *
     * @param instance tells this one apart from all others on the store, for ever
     * @param machine this machine's clock
     * @param nanos a steady clock
     * @param driver calls {@link #step}
     * @param waiting how calls wait
     */
    Synchroniser(
            CounterStore store,
            String instance,
            InstantSource machine,
            LongSupplier nanos,
            Driver driver,
            Waiting waiting,
            Limits limits) {
        this.store = store;
        this.clock = new StoreClock(machine);
        this.nanos = nanos;
        this.driver = driver;
        this.waiting = waiting;
        this.ledger = new Ledger(limits.maximumCounters());
        this.exchanges = new Exchanges(store, instance, clock, nanos, driver::wake);
        this.options = limits.sharing();
        this.everyNanos = limits.shortestInterval().toNanos();
        this.busyNanos = nanos.getAsLong() - 2 * everyNanos;
        this.plannedNanos = nanos.getAsLong();
        this.tickedNanos = nanos.getAsLong();
        store.subscribe(instance, told -> {
            if (!closed) {
                news.add(told);
                driver.wake();
            }
        });
    }

    // ---- What calls ask; any thread

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public boolean isShared() {
        return !left || options.onFailure() != OnFailure.LOCAL;
    }

    @Override
    public boolean isStoreAway() {
        return away || left;
    }

    @Override
    public long lentAtFirst(Tier tier, long left) {
        return isStoreAway()
                ? Account.allowedAlone(options.onFailure(), left)
                : Math.min(tier.sync().slackOf(tier.most()), left);
    }

    @Override
    public void attend(SharedPool pool) {
        if (left && !pool.permits.isClosed()) {
            return; // nobody would ever read the note
        }
        if (ledger.notes.add(pool) && asleep) {
            driver.wake();
        }
    }

    @Override
    public long deadlineNanos() {
        return nanos.getAsLong() + options.timeout().toNanos() + 2 * LATE_NANOS;
    }

    @Override
    public Awaited await(List<Shortage> shortages, long deadlineNanos) {
        long now = clock.millis();
        boolean all = true;
        for (Shortage lacking : shortages) {
            all &= lacking.pool() instanceof SharedPool pool && pool.mayGet(lacking.need(), now);
        }
        long restNanos = deadlineNanos - nanos.getAsLong();
        if (!all || restNanos <= 0 || closed) {
            shortages.forEach(this::noteRefusal);
            return Awaited.NOTHING;
        }
        return await(shortages, (SharedPool) shortages.get(0).pool(), restNanos);
    }

    private void noteRefusal(Shortage lacking) {
        if (lacking.pool() instanceof SharedPool pool) {
            attend(pool);
            if (pool.permits.left() > 0) {
                driver.wake(); // what it was granted and cannot use is of use to others
            }
        }
    }

    private Awaited await(List<Shortage> shortages, SharedPool first, long restNanos) {
        waitingCalls.incrementAndGet();
        List<WaitingCall> waitingCall = new ArrayList<>(shortages.size());
        for (Shortage lacking : shortages) {
            waitingCall.add(((SharedPool) lacking.pool()).waiting.add(lacking.cost(), lacking.need(), lacking.isAll()));
        }
        boolean isNews;
        Awaited admitted;
        try {
            shortages.forEach(lacking -> ledger.notes.add((SharedPool) lacking.pool()));
            driver.wake();
            boolean waits = first.permits.left() < shortages.get(0).need() && !first.permits.isClosed();
            CompletableFuture<Boolean> told = waitingCall.get(0).news;
            isNews = (!waits || await(told, restNanos)) && told.getNow(true);
        } finally {
            admitted = stopWaiting(shortages, waitingCall);
        }
        return admitted != null ? admitted : isNews ? Awaited.NEWS : Awaited.NOTHING;
    }

    /** The call waits no more; {@code null} if it was not admitted meanwhile. */
    private @Nullable Awaited stopWaiting(List<Shortage> shortages, List<WaitingCall> calls) {
        waitingCalls.decrementAndGet();
        Awaited admitted = null;
        for (int i = 0; i < shortages.size(); i++) {
            if (((SharedPool) shortages.get(i).pool()).waiting.remove(calls.get(i))) {
                admitted = new Awaited(Awaited.Kind.ADMITTED, calls.get(i).reading());
            }
        }
        return admitted;
    }

    /** Whether the thread could wait until the end. */
    private boolean await(CompletableFuture<Boolean> told, long restNanos) {
        try {
            return waiting.awaitStore(told, restNanos, freeNanos(restNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How long a call that may still wait so long does so, however many others wait: a store that is well answers within that time. */
    private long freeNanos(long restNanos) {
        long timeout = options.timeout().toNanos();
        long waited = timeout + 2 * LATE_NANOS - restNanos;
        return Math.min(timeout / PART_FREE, LONGEST_FREE_NANOS) - waited;
    }

    @Override
    public void follow(Limits limits) {
        options = limits.sharing();
        everyNanos = limits.shortestInterval().toNanos();
        driver.wake();
    }

    // ---- The machine; one thread

    /** Does all that is to be done at this moment; when the next step is due at the latest, by the steady clock. */
    long step() {
        asleep = false;
        blocked = false;
        long now = nanos.getAsLong();
        do {
            readAnswers(now);
            for (News told = news.poll(); told != null; told = news.poll()) {
                ledger.hear(told, moment(now));
            }
            readNotes(now);
            if (ledger.tick(moment(now))) {
                tickedNanos = now; // what a tick has found goes at once
            }
            judgeSilence(now);
        } while (sendDue(now));
        plannedNanos = next(now);
        return plannedNanos;
    }

    private Moment moment(long now) {
        return new Moment(now, clock.millis());
    }

    private void readNotes(long now) {
        if (!ledger.notes.isEmpty()) {
            busyNanos = now;
            ledger.readNotes(moment(now));
        }
    }

    /** Sends what is due, if anything; whether there may be more to do at once. */
    private boolean sendDue(long now) {
        sendAgain(now);
        if (!exchanges.isFree()) {
            return false;
        }
        long urgentNanos = ledger.nextUrgentNanos(Long.MIN_VALUE);
        boolean urgent = urgentNanos != Long.MAX_VALUE && now - urgentNanos >= 0;
        boolean due = ledger.isAnyDue() && now - dueFromNanos() >= 0;
        boolean silent = now - exchanges.sentNanos() >= longestSilenceNanos();
        if (!urgent && !due && !silent) {
            return false;
        }
        List<Claim> claims = ledger.collect(true, moment(now));
        if (claims.isEmpty() && !silent) {
            blocked = true;
            return false;
        }
        exchanges.send(claims);
        return true;
    }

    private void sendAgain(long now) {
        if (exchanges.sendAgain(now)) {
            ledger.forgetClaims();
        }
    }

    /** From when on an exchange can be sent for which no call waits. */
    private long dueFromNanos() {
        boolean hasTicked = tickedNanos - exchanges.sentNanos() > 0;
        return hasTicked ? tickedNanos : exchanges.sentNanos() + PAUSE_NANOS;
    }

    /** While limits are in use the store is asked once an interval at least, to learn whether it has lost what it was told. */
    private long longestSilenceNanos() {
        return ledger.isAnyAccount() ? Math.max(everyNanos, SHORTEST_SILENCE_NANOS) : LONGEST_SILENCE_NANOS;
    }

    private void readAnswers(long now) {
        for (Exchanges.Answer answer = exchanges.nextAnswer(now); answer != null; answer = exchanges.nextAnswer(now)) {
            Batch.Reply reply = answer.reply();
            if (reply != null) {
                answered(answer.batch(), reply, now);
            } else {
                failed(answer, now);
            }
        }
    }

    private void answered(Batch batch, Batch.Reply reply, long now) {
        outageLog.isOver();
        Moment moment = moment(now);
        if (away) {
            away = false;
            ledger.endAlone(moment);
        }
        for (Loss loss : reply.losses()) {
            LOG.info("The store has lost counts that were reported to it. They are reported again");
            ledger.lose(loss, journal.entries(), moment); // before this batch is noted, which the store knows
        }
        ledger.apply(batch.claims(), reply.grants(), moment);
        journal.add(batch, reply, moment.millis());
    }

    private void failed(Exchanges.Answer answer, long now) {
        Throwable failure = answer.failure();
        outageLog.goesOn(String.valueOf(failure == null ? null : failure.getMessage()), options, now);
        if (exchanges.isFree()) {
            ledger.forgetClaims();
        }
        if (exchanges.failures() > 1) {
            goAlone();
        }
    }

    /** Calls that wait do so for the timeout at most, counted from when the store fell silent; then the file says who decides. */
    private void judgeSilence(long now) {
        if (waitingCalls.get() == 0) {
            return;
        }
        long lateNanos = Math.max(0, now - plannedNanos - LATE_NANOS);
        long timeout = options.timeout().toNanos() + Math.min(lateNanos, LATE_NANOS);
        if (away || exchanges.silenceNanos(now) >= timeout) {
            outageLog.delaysCalls(options, now);
            goAlone();
        }
        ledger.giveUpRecalls(now - options.timeout().toNanos(), moment(now));
    }

    private void goAlone() {
        away = true;
        outageLog.writesOff(ledger.goAlone(options.onFailure(), moment(nanos.getAsLong())));
    }

    /** When there is something to do next. */
    private long next(long now) {
        long next = Math.min(exchanges.nextAttemptNanos(), ledger.nextTickNanos());
        if (exchanges.isFree()) {
            next = Math.min(next, exchanges.sentNanos() + longestSilenceNanos());
            long urgentNanos = ledger.nextUrgentNanos(blocked ? now : Long.MIN_VALUE);
            next = urgentNanos == Long.MAX_VALUE ? next : Math.min(next, urgentNanos);
            next = ledger.isAnyDue() && !blocked ? Math.min(next, dueFromNanos()) : next;
        }
        if (waitingCalls.get() > 0) {
            long silentFrom = exchanges.isFree() ? now : exchanges.silentSinceNanos();
            next = Math.min(
                    next,
                    Math.max(now + 1_000_000, silentFrom + options.timeout().toNanos()));
        }
        boolean isBusy = now - busyNanos < 2 * everyNanos;
        if (isBusy) {
            return Math.min(next, now + PAUSE_NANOS);
        }
        asleep = true;
        if (!ledger.notes.isEmpty()) {
            asleep = false;
            return now;
        }
        return next;
    }

    // ---- Beginning and end

    /** Asks the store for the time, so that the first windows are cut by it, and waits for the answer; before the first step. */
    void greet(long nanosAtMost) {
        long deadline = nanos.getAsLong() + nanosAtMost;
        exchanges.send(List.of());
        while (!exchanges.isFree() && exchanges.failures() == 0 && nanos.getAsLong() - deadline < 0) {
            readAnswers(nanos.getAsLong());
            waitWhileUnanswered();
        }
        if (!exchanges.isFree() || exchanges.failures() > 0) {
            outageLog.startsAway(options, nanos.getAsLong());
        }
        interruptAgain();
    }

    /** An error has left some answers unread: what is not known to be told is told. */
    void recover() {
        if (exchanges.isFree()) {
            ledger.forgetClaims();
        }
    }

    @Override
    public void leave() {
        left = true;
    }

    /** Returns all that is held and tells all that was used, if the store answers soon; then closes it. */
    @Override
    public void close() {
        left = true;
        closed = true;
        driver.stop();
        long deadline = nanos.getAsLong() + GOODBYE_NANOS;
        int mostFailures = Math.max(1, exchanges.failures()); // a store that was away is tried once more
        exchanges.sendAgainNow();
        boolean goesOn = true;
        while (goesOn && exchanges.failures() <= mostFailures && nanos.getAsLong() - deadline < 0) {
            goesOn = finish(nanos.getAsLong());
        }
        goAlone();
        store.close();
        interruptAgain();
    }

    /** One step of the end; whether there is more to do. */
    private boolean finish(long now) {
        readAnswers(now);
        readNotes(now);
        sendAgain(now);
        if (!exchanges.isFree()) {
            waitWhileUnanswered();
            return true;
        }
        List<Claim> last = ledger.collectLast(moment(now));
        if (!last.isEmpty()) {
            exchanges.send(last);
        }
        return !last.isEmpty();
    }

    private void waitWhileUnanswered() {
        if (!exchanges.isFree()) {
            try {
                waiting.await(new CompletableFuture<>(), 200_000);
            } catch (InterruptedException e) {
                interrupted = true; // it is told once the store is
            }
        }
    }

    private void interruptAgain() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }
}
