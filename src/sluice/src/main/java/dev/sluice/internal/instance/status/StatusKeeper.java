package dev.sluice.internal.instance.status;

import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import dev.sluice.limits.Client;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.LimiterStatus.LastExchange;
import dev.sluice.limits.LimiterStatus.LoadedFile;
import dev.sluice.limits.LimiterStatus.RefusedChange;
import dev.sluice.limits.LimiterStatus.Unavailable;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records the latest events and a few counts, and derives the limiter's state from them. Thread-safe. */
public final class StatusKeeper implements RateLimitListener {

    private final InstantSource clock;
    private final String instance;
    /** The name of the store, without secrets; {@code null} if none is used. */
    private final @Nullable String store;

    private final Supplier<@Nullable String> storeWarning;

    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final LongAdder evictions = new LongAdder();
    private volatile LoadedFile file;
    /** The latest change to the client table, if it was rejected; otherwise {@code null}. */
    private volatile @Nullable RefusedChange refusedTable;

    private volatile @Nullable Unavailable unavailable;
    private volatile @Nullable LastExchange last;
    private volatile int counters;

    /**
     * Creates a keeper that has not recorded any events.
     *
     * @param store the name of the store; {@code null} if none is used
     * @param storeWarning returns a sentence about what operators should change about the store; {@code null} if no
     *     change is needed
     */
    public StatusKeeper(
            InstantSource clock,
            String instance,
            @Nullable String store,
            Supplier<@Nullable String> storeWarning,
            String file) {
        this.clock = clock;
        this.instance = instance;
        this.store = store;
        this.storeWarning = storeWarning;
        this.file = new LoadedFile(file, clock.millis(), null);
    }

    @Override
    public void onEviction() {
        evictions.increment();
    }

    @Override
    public void onCounters(int now) {
        counters = now;
    }

    @Override
    public void onExchange(ExchangeReport exchange) {
        answered.incrementAndGet();
        last = new LastExchange(clock.millis(), exchange.took(), exchange.counters());
    }

    @Override
    public void onExchangeFailed(Duration took, int counters, String cause) {
        failed.incrementAndGet();
        Unavailable known = unavailable;
        if (known != null) {
            unavailable = new Unavailable(known.sinceMillis(), cause);
        }
    }

    @Override
    public void onStoreUnavailable(String cause) {
        unavailable = new Unavailable(clock.millis(), cause);
    }

    @Override
    public void onStoreBack(Duration after) {
        unavailable = null;
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        file = new LoadedFile(file.name(), clock.millis(), null);
        refusedTable = null;
    }

    @Override
    public void onClientTable(String table, int clients) {
        refusedTable = null;
    }

    @Override
    public void onReloadRefused(LimitsException mistakes) {
        LoadedFile inForce = file;
        String of = mistakes.problems().isEmpty()
                ? inForce.name()
                : mistakes.problems().get(0).file();
        RefusedChange refused = new RefusedChange(of, clock.millis(), String.valueOf(mistakes.getMessage()));
        if (of.equals(inForce.name())) {
            file = new LoadedFile(of, inForce.loadedMillis(), refused);
        } else {
            refusedTable = refused;
        }
    }

    /**
     * The state of the file, including a rejected change to its client table. If a change to the file itself was
     * rejected, that change is reported instead.
     */
    private LoadedFile withTable(LoadedFile loaded) {
        RefusedChange ofTable = refusedTable;
        return loaded.refused() != null || ofTable == null
                ? loaded
                : new LoadedFile(loaded.name(), loaded.loadedMillis(), ofTable);
    }

    /**
     * The limiter's current state, given the limits in force.
     *
     * @param notes the notes about the overrides in force
     */
    public LimiterStatus status(Limits limits, Map<Client, OverrideNote> notes) {
        return new LimiterStatus(
                clock.millis(),
                instance,
                withTable(file),
                limits,
                notes,
                store == null
                        ? null
                        : new LimiterStatus.Store(
                                store, unavailable, storeWarning.get(), last, answered.get(), failed.get()),
                counters,
                evictions.sum());
    }
}
