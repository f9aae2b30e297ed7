package dev.sluice.config.fault;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells several listeners, in the order in which they were given. What one throws is logged once a kind; the others are
 * told all the same. Safe for any threads.
 */
public final class GuardedListeners implements RateLimitListener {

    private final FaultLog faults;
    private volatile RateLimitListener[] listeners;
    private volatile boolean storeAway;

    GuardedListeners(FaultLog faults, List<RateLimitListener> listeners) {
        this.faults = faults;
        this.listeners = listeners.toArray(RateLimitListener[]::new);
    }

    /** Tells this one too, from now on. */
    public synchronized void add(RateLimitListener listener) {
        RateLimitListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
        more[more.length - 1] = listener;
        listeners = more;
    }

    /** Whether listeners and the log have been told that the store is away, and not yet that it is back. */
    public boolean isStoreAway() {
        return storeAway;
    }

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
        tell(listener -> listener.onStoreWait(waitedNanos));
    }

    @Override
    public void onEviction() {
        tell(RateLimitListener::onEviction);
    }

    @Override
    public void onCounters(int counters) {
        tell(listener -> listener.onCounters(counters));
    }

    @Override
    public void onExchange(ExchangeReport exchange) {
        tell(listener -> listener.onExchange(exchange));
    }

    @Override
    public void onExchangeFailed(Duration took, int claims, String cause) {
        tell(listener -> listener.onExchangeFailed(took, claims, cause));
    }

    @Override
    public void onRecall(int counters) {
        tell(listener -> listener.onRecall(counters));
    }

    @Override
    public void onStoreAway(String cause) {
        storeAway = true;
        tell(listener -> listener.onStoreAway(cause));
    }

    @Override
    public void onStoreBack(Duration away) {
        storeAway = false;
        tell(listener -> listener.onStoreBack(away));
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        tell(listener -> listener.onReload(endpoints));
    }

    @Override
    public void onReloadRefused(LimitsException mistakes) {
        tell(listener -> listener.onReloadRefused(mistakes));
    }

    @Override
    public void onClientOverrides(int limits) {
        tell(listener -> listener.onClientOverrides(limits));
    }

    private void tell(Consumer<RateLimitListener> event) {
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
                        + " failed. Decisions are not affected, but it may have missed some.",
                thrown);
    }
}
