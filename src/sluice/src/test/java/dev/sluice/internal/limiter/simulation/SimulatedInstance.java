package dev.sluice.internal.limiter.simulation;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.ExchangeReport;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.sync.ExchangeLog;
import dev.sluice.internal.limiter.sync.StoreClock;
import dev.sluice.internal.limiter.sync.Synchroniser;
import dev.sluice.limits.Limits;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One instance of a {@link SimulatedFleet}. */
public final class SimulatedInstance implements Synchroniser.Driver {

    private static final long SWEEP_NANOS = 5_000 * SimulatedFleet.MILLI;
    private static final long STEP_TAKES_NANOS = 1_000;

    public final String name;
    public final SimulatedLink link;
    public final CountingRateLimiter limiter;

    /** By how much the clock of this instance's machine was set ahead. */
    public long clockAheadMillis;

    private final EventLoop loop;
    private final FleetObserver observer;
    /** The calls that stand in line here. */
    private final Set<CompletableFuture<Boolean>> inLine = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Synchroniser synchroniser;
    private long waits;
    private boolean dead;
    private long nextStepNanos = Long.MAX_VALUE;
    private long loopStalledUntilNanos;
    private long callsStalledUntilNanos;

    public SimulatedInstance(SimulatedFleet fleet, String name, Limits limits) {
        this.name = name;
        this.loop = fleet.loop;
        this.observer = fleet.observer;
        this.link = new SimulatedLink(fleet, this);
        this.synchroniser = new Synchroniser(
                link,
                name,
                new StoreClock(() -> Instant.ofEpochMilli(loop.millis() + clockAheadMillis), loop::nanos, loop::nanos),
                this,
                new Pending(limits.pendingCalls().awaitingOutcomes()),
                limits,
                new Heard(),
                new ExchangeLog());
        this.limiter = CountingRateLimiter.sharing(limits, synchroniser, RateLimitListener.NONE, null);
        wake();
        loop.in(SWEEP_NANOS, this::sweep);
    }

    /** Decides at this moment, or when this process goes on; called within an event. */
    public Decision decide(Call call) {
        awaitProcess();
        long before = waits;
        Decision decision = limiter.decide(call);
        if (before == waits) {
            observer.decidedAtOnce(this, decision.admitted());
        }
        return decision;
    }

    /** Tells the observer what the background has just done. */
    private final class Heard implements RateLimitListener {

        @Override
        public void onExchange(ExchangeReport exchange) {
            observer.answered(SimulatedInstance.this);
        }

        @Override
        public void onRecall(int counters) {
            observer.recalled(SimulatedInstance.this);
        }

        @Override
        public void onStoreUnavailable(String cause) {
            observer.storeIsUnavailable(SimulatedInstance.this);
        }
    }

    /** How many calls may be pending, and how long. */
    private final class Pending implements PendingPolicy {

        private final int mostOutcomes;
        private int outcomes;

        private Pending(int mostOutcomes) {
            this.mostOutcomes = mostOutcomes;
        }

        @Override
        public void await(CompletableFuture<Boolean> news, long atMostNanos) {
            if (!news.isDone() && inLine.add(news)) {
                waits++;
                observer.waits(SimulatedInstance.this);
                var unused = news.thenAccept(passes -> {
                    inLine.removeIf(CompletableFuture::isDone);
                    observer.waited(SimulatedInstance.this, passes);
                });
            }
            loop.await(news, atMostNanos);
            awaitProcess();
        }

        @Override
        public boolean beginAwaitingOutcomes(boolean isMadeUp) {
            boolean mayWait = outcomes < mostOutcomes;
            outcomes += mayWait ? 1 : 0;
            return mayWait;
        }

        @Override
        public void endAwaitingOutcomes() {
            outcomes--;
        }
    }

    /** The store's time, as this instance knows it. */
    public long storeMillis() {
        return synchroniser.nowMillis();
    }

    private void awaitProcess() {
        for (long remaining = callsStalledUntilNanos - loop.nanos(); remaining > 0; ) {
            loop.await(new CompletableFuture<>(), remaining);
            remaining = callsStalledUntilNanos - loop.nanos();
        }
    }

    /** Lets the thread of the background stand still for so long. */
    public void stallLoop(long nanos) {
        loopStalledUntilNanos = Math.max(loopStalledUntilNanos, loop.nanos() + nanos);
    }

    /** Lets the threads of calls stand still for so long. */
    public void stallCalls(long nanos) {
        callsStalledUntilNanos = Math.max(callsStalledUntilNanos, loop.nanos() + nanos);
    }

    public boolean isDead() {
        return dead;
    }

    /** Ends at this moment without a last exchange. */
    public void die() {
        dead = true;
        link.cut();
        observer.died(this);
    }

    private void sweep() {
        if (!dead) {
            limiter.sweep();
            loop.in(SWEEP_NANOS, this::sweep);
        }
    }

    @Override
    public void wake() {
        stepAt(loop.nanos());
    }

    private void stepAt(long when) {
        if (when < nextStepNanos) {
            nextStepNanos = when;
            loop.at(when, this::stepIfDue);
        }
    }

    private void stepIfDue() {
        loop.onceAt(() -> loopStalledUntilNanos, this::stepNowIfDue);
    }

    private void stepNowIfDue() {
        if (nextStepNanos <= loop.nanos() && !dead) {
            nextStepNanos = Long.MAX_VALUE;
            stepAt(Math.max(synchroniser.step(), loop.nanos() + STEP_TAKES_NANOS));
            observer.stepped(this);
        }
    }

    @Override
    public boolean stop() {
        dead = true;
        return true;
    }
}
