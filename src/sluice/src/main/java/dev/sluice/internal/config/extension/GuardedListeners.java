package dev.sluice.internal.config.extension;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.OverrideChange;
import dev.sluice.RateLimitListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes events to several listeners, in the order in which they were added. If a listener throws an exception, the
 * other listeners still receive the event. Each kind of exception is logged once. Thread-safe.
 */
public final class GuardedListeners implements RateLimitListener {

    private final FaultLog faults;
    private volatile RateLimitListener[] listeners;
    private volatile boolean storeUnavailable;

    GuardedListeners(FaultLog faults, List<RateLimitListener> listeners) {
        this.faults = faults;
        this.listeners = listeners.toArray(RateLimitListener[]::new);
    }

    /** Adds a listener. It receives only events that occur after this call. */
    public synchronized void add(RateLimitListener listener) {
        RateLimitListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
        more[more.length - 1] = listener;
        listeners = more;
    }

    /** Whether the store is unavailable, according to the events that have occurred so far. */
    public boolean isStoreUnavailable() {
        return storeUnavailable;
    }

    /**
     * Notifies all listeners, as {@link #notifyEach} does. Because this event occurs on every call, this method
     * allocates no memory.
     */
    @Override
    public void onDecision(Call call, Decision decision) {
        for (RateLimitListener listener : listeners) {
            try {
                listener.onDecision(call, decision);
            } catch (Throwable thrown) {
                report(listener, thrown);
            }
        }
    }

    @Override
    public void onStoreWait(long waitedNanos) {
        notifyEach(listener -> listener.onStoreWait(waitedNanos));
    }

    @Override
    public void onOutcomesAwaited(long awaitedNanos) {
        notifyEach(listener -> listener.onOutcomesAwaited(awaitedNanos));
    }

    @Override
    public void onEviction() {
        notifyEach(RateLimitListener::onEviction);
    }

    @Override
    public void onCounters(int counters) {
        notifyEach(listener -> listener.onCounters(counters));
    }

    @Override
    public void onExchange(ExchangeReport exchange) {
        notifyEach(listener -> listener.onExchange(exchange));
    }

    @Override
    public void onExchangeFailed(Duration took, int counters, String cause) {
        notifyEach(listener -> listener.onExchangeFailed(took, counters, cause));
    }

    @Override
    public void onRecall(int counters) {
        notifyEach(listener -> listener.onRecall(counters));
    }

    @Override
    public void onStoreUnavailable(String cause) {
        storeUnavailable = true;
        notifyEach(listener -> listener.onStoreUnavailable(cause));
    }

    @Override
    public void onStoreBack(Duration outage) {
        storeUnavailable = false;
        notifyEach(listener -> listener.onStoreBack(outage));
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        notifyEach(listener -> listener.onReload(endpoints));
    }

    @Override
    public void onClientTable(String file, int clients) {
        notifyEach(listener -> listener.onClientTable(file, clients));
    }

    @Override
    public void onReloadRefused(LimitsException mistakes) {
        notifyEach(listener -> listener.onReloadRefused(mistakes));
    }

    @Override
    public void onClientOverrides(int limits) {
        notifyEach(listener -> listener.onClientOverrides(limits));
    }

    @Override
    public void onOverrideChange(OverrideChange change) {
        notifyEach(listener -> listener.onOverrideChange(change));
    }

    @Override
    public void onBlock(Block block) {
        notifyEach(listener -> listener.onBlock(block));
    }

    @Override
    public void onBlockEnd(Block block) {
        notifyEach(listener -> listener.onBlockEnd(block));
    }

    private void notifyEach(Consumer<RateLimitListener> event) {
        for (RateLimitListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable thrown) {
                report(listener, thrown);
            }
        }
    }

    private void report(RateLimitListener listener, Throwable thrown) {
        faults.report(
                "The listener " + listener.getClass().getName()
                        + " failed. Decisions are not affected, but it might have missed events.",
                thrown);
    }
}
