package dev.sluice.internal.limiter.sync;

import dev.sluice.Decision;
import dev.sluice.RecordingListener;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A {@link Synchroniser} with a clock set by hand, and with a store in memory that answers at once, fails, or does not
 * answer.
 */
public final class ManualSynchroniser implements CounterStore, Synchroniser.Driver, AutoCloseable {

    public static final long MILLI = 1_000_000;
    /** How many counters are kept. */
    public static final int MAXIMUM = 1_000;

    private static final long SWEEP = 5_000 * MILLI;
    /** A synchroniser that asks more often to be called again at once is in a busy loop. */
    private static final int MOST_AT_ONCE = 3;

    public static final Sync NO_SLACK = new Sync(Duration.ofSeconds(1), 0, false);

    /** All batches that were sent, heartbeats too. */
    public final List<Batch> batches = new ArrayList<>();

    /** What the listener was told. */
    public final RecordingListener heard = new RecordingListener();

    /** For each statement, how much of its grant was for waiting calls. */
    private final List<Long> toWaiting = new ArrayList<>();

    public final CountingRateLimiter limiter;
    public final Synchroniser synchroniser;
    public boolean unresponsive;
    public boolean failing;
    /** Whether exchanges fail by conflicts, although the store answers. */
    public boolean conflicting;
    /** How long the background is starved of CPU while a call waits. */
    public long starvedNanos;
    /** Runs once while a call waits: after the store has answered, before the call is woken. */
    public Runnable meanwhile = () -> {};
    /** The store applies batches, and answers without any grant. */
    public boolean grantless;
    /** Whether another instance holds what calls wait for, and keeps it: they wait as long as they may. */
    public boolean isHeldElsewhere;
    /** Whether the store applies batches, and its answers get lost. */
    public boolean unheard;
    /** How long each exchange takes; nothing else happens meanwhile. */
    public long exchangeNanos;
    /** Whether a step hangs when the limiter is closed. */
    public boolean stuck;
    /** How many steps were made while time passed. */
    public int steps;
    /** The losses in the next answer. */
    public List<Loss> losses = List.of();

    private final InMemoryCounterStore store = new InMemoryCounterStore(this::instant, 10_000);
    private long nanos = 1_627_318_800_000L * MILLI;
    private long nextSweep = nanos + SWEEP;
    private Consumer<News> news = told -> {};
    private long sequenceOfOther;
    private final SharingOptions options;
    private final Sync sync;

    /** A limit of five calls an hour, with this policy for a store that is unavailable. */
    public static ManualSynchroniser deciding(OnFailure policy) {
        return new ManualSynchroniser(
                new SharingOptions(policy, Duration.ofMillis(50)), NO_SLACK, CallPattern.window(5, "PT1H"));
    }

    /** These limits with a slack of a fifth. */
    public static ManualSynchroniser withSlack(Limit... limits) {
        return new ManualSynchroniser(SharingOptions.DEFAULT, new Sync(Duration.ofSeconds(1), 0.2, false), limits);
    }

    public ManualSynchroniser(SharingOptions options, Sync sync, Limit... limits) {
        this(options, sync, new ExchangeLog(), limits);
    }

    ManualSynchroniser(SharingOptions options, Sync sync, ExchangeLog log, Limit... limits) {
        Limits all = limits(options, sync, limits);
        this.options = options;
        this.sync = sync;
        this.synchroniser = new Synchroniser(
                this,
                "me",
                new StoreClock(this::instant, () -> nanos, () -> nanos),
                this,
                this::waits,
                all,
                heard,
                log);
        this.limiter = CountingRateLimiter.sharing(all, synchroniser, heard, null);
    }

    public ManualSynchroniser(Limit... limits) {
        this(SharingOptions.DEFAULT, NO_SLACK, limits);
    }

    private static Limits limits(SharingOptions options, Sync sync, Limit... limits) {
        Limits of = FleetSimulation.limits(List.of(List.of(limits)), sync);
        return TestLimits.sharing(options, new Limits(of.endpoints(), of.subjects(), true, MAXIMUM, of.responses()));
    }

    /** Puts other limits in force. */
    public void replace(Limit... limits) {
        limiter.replace(limits(options, sync, limits));
    }

    private Instant instant() {
        return Instant.ofEpochMilli(nanos / MILLI);
    }

    private void waits(CompletableFuture<Boolean> told, long atMostNanos) {
        long end = nanos + atMostNanos;
        long starved = Math.min(starvedNanos, atMostNanos);
        nanos += starved;
        starvedNanos -= starved;
        if (nanos == end) {
            return;
        }
        synchroniser.step();
        synchroniser.step();
        Runnable next = meanwhile;
        meanwhile = () -> {};
        next.run();
        if (unresponsive || failing || unheard || conflicting || grantless || isHeldElsewhere) {
            passUntil(end, told);
        }
    }

    public long nanos() {
        return nanos;
    }

    public Decision call(String caller) {
        return limiter.decide(FleetSimulation.call(caller, 1));
    }

    /** Lets time pass, and makes all steps that are due. */
    public void pass(long millis) {
        passUntil(nanos + millis * MILLI, new CompletableFuture<>());
    }

    /** Lets time pass until then, or until a call is told that its wait is over. */
    private void passUntil(long end, CompletableFuture<Boolean> told) {
        long next = synchroniser.step();
        int atOnce = 0;
        while (Math.min(next, nextSweep) <= end && !told.isDone()) {
            atOnce = next <= nanos ? atOnce + 1 : 0;
            if (atOnce > MOST_AT_ONCE) {
                throw new AssertionError("a step that has nothing to do asks for the next one at once");
            }
            nanos = Math.max(Math.min(next, nextSweep), nanos + 1_000);
            if (nanos >= nextSweep) {
                nextSweep = nanos + SWEEP;
                limiter.sweep();
            }
            next = synchroniser.step();
            steps++;
        }
        if (!told.isDone()) {
            nanos = end;
            synchroniser.step();
        }
    }

    /** All statements that were sent. */
    public List<Statement> statements() {
        return batches.stream().flatMap(batch -> batch.statements().stream()).toList();
    }

    public Statement lastStatement() {
        return statements().get(statements().size() - 1);
    }

    /**
     * The calls that the store counts by the statements after the first so many: reported ones, and waiting ones that
     * were granted permits.
     */
    public long told(int statementsBefore) {
        long told = statements().stream()
                .skip(statementsBefore)
                .mapToLong(Statement::used)
                .sum();
        return told
                + toWaiting.stream()
                        .skip(statementsBefore)
                        .mapToLong(Long::longValue)
                        .sum();
    }

    @Override
    public void subscribe(String name, Consumer<News> subscriber) {
        news = subscriber;
    }

    /** Another instance exchanges with the store. */
    public Batch.Reply exchangeOfOther(Statement... statements) {
        return store.exchange(new Batch("other", ++sequenceOfOther, List.of(statements)))
                .toCompletableFuture()
                .join();
    }

    /** Delivers news of another instance. */
    public void tell(News told) {
        news.accept(told);
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        batches.add(batch);
        nanos += exchangeNanos;
        if (unresponsive || failing || conflicting) {
            batch.statements().forEach(statement -> toWaiting.add(0L));
        }
        if (unresponsive) {
            return new CompletableFuture<>();
        }
        if (failing) {
            return CompletableFuture.failedFuture(StoreException.unavailable("failing", null));
        }
        if (conflicting) {
            return CompletableFuture.failedFuture(StoreException.conflict("conflicting"));
        }
        if (unheard) {
            var unused = store.exchange(batch);
            return CompletableFuture.failedFuture(StoreException.unavailable("unheard", null));
        }
        List<Loss> told = losses;
        losses = List.of();
        return store.exchange(batch).thenApply(reply -> {
            for (int i = 0; i < batch.statements().size(); i++) {
                Statement statement = batch.statements().get(i);
                toWaiting.add(statement.needed().usedOf(reply.grants().get(i).granted()));
            }
            return new Batch.Reply(
                    reply.nowMillis(), reply.appliedMillis(), grantless ? List.of() : reply.grants(), told);
        });
    }

    @Override
    public void wake() {}

    @Override
    public boolean stop() {
        return !stuck;
    }

    @Override
    public void close() {}
}
