package dev.sluice.metrics;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReader;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one limiter in a Micrometer registry; {@code docs/metrics.md} lists them.
 *
 * <pre>{@code
 * Sluice limiter = Sluice.builder()
 *         .config("rate-limits.yml")
 *         .listener(new SluiceMeters(registry))
 *         .open();
 * }</pre>
 *
 * <p>The Spring Boot starter registers them automatically. The number of series is bounded, no matter what callers
 * send.
 *
 * <p>Thread-safe. Decisions take no lock, except for the first decision of a tier, because it creates the tier's
 * meters.
 */
public final class SluiceMeters implements TrafficReader {

    /**
     * The default number of clients with gauges in each of three groups: the busiest clients, the most refused clients,
     * and the clients nearest their limits.
     */
    public static final int CLIENTS = 20;

    /** The maximum number of clients in each group. */
    public static final int MOST_CLIENTS = 1_000;

    private final MeterRegistry registry;
    private final DecisionCounters decisions;
    private final ClientMeters clients;
    private final boolean showsClients;
    private final Counter evictions;
    private final Counter reloads;
    private final Counter refusedReloads;
    private volatile @Nullable Traffic traffic;
    private volatile @Nullable StoreMeters store;
    /** The files whose latest change was rejected: the limits file, its table of clients, or both. */
    private final Set<String> refusedFiles = ConcurrentHashMap.newKeySet();

    private volatile int counters;
    private volatile int overrides;

    /**
     * Registers the meters, with gauges for {@link #CLIENTS} clients in each group.
     *
     * @param registry not {@code null}
     */
    public SluiceMeters(MeterRegistry registry) {
        this(registry, CLIENTS);
    }

    /**
     * Registers the meters, with gauges for this number of clients in each group.
     *
     * @param registry not {@code null}
     * @param clients the number of clients with gauges in each group, up to {@link #MOST_CLIENTS}; if 0, no gauge names
     *     a client
     * @throws IllegalArgumentException if the number is out of range
     */
    public SluiceMeters(MeterRegistry registry, int clients) {
        if (clients < 0 || clients > MOST_CLIENTS) {
            throw new IllegalArgumentException(
                    "clients " + clients + " is out of range; expected 0 to " + MOST_CLIENTS);
        }
        this.registry = registry;
        this.decisions = new DecisionCounters(registry);
        this.clients = new ClientMeters(registry, clients);
        this.showsClients = clients > 0;
        this.evictions = MeterDefinition.EVICTIONS.counter(registry);
        this.reloads = MeterDefinition.RELOADS.counter(registry, "loaded");
        this.refusedReloads = MeterDefinition.RELOADS.counter(registry, "refused");
        MeterDefinition.COUNTERS.gauge(registry, this, meters -> meters.counters);
        MeterDefinition.FILE_IN_FORCE.gauge(registry, this, meters -> meters.refusedFiles.isEmpty() ? 1 : 0);
        MeterDefinition.CLIENT_OVERRIDES.gauge(registry, this, meters -> meters.overrides);
    }

    @Override
    public boolean wantsTraffic() {
        return showsClients;
    }

    @Override
    public void read(Traffic ofLimiter) {
        traffic = ofLimiter;
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        decisions.count(decision);
    }

    @Override
    public void onBlock(Block block) {
        MeterDefinition.BLOCKS
                .counter(registry, block.key().endpoint(), block.key().tier())
                .increment();
    }

    @Override
    public void onStoreWait(long waitedNanos) {
        store().waited(waitedNanos);
    }

    @Override
    public void onOutcomesAwaited(long awaitedNanos) {
        MeterDefinition.OUTCOMES_AWAITED.timer(registry).record(Math.max(0, awaitedNanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onEviction() {
        evictions.increment();
    }

    /**
     * Also updates the gauges of clients. This method suits that purpose, because the limiter calls it every few
     * seconds.
     */
    @Override
    public void onCounters(int now) {
        counters = now;
        Traffic known = traffic;
        if (known != null && showsClients) {
            showClients(known);
        }
    }

    private synchronized void showClients(Traffic known) {
        clients.show(known.report());
    }

    @Override
    public void onExchange(ExchangeReport exchange) {
        store().record(exchange);
    }

    @Override
    public void onExchangeFailed(Duration took, int counters, String cause) {
        store().failed();
    }

    @Override
    public void onRecall(int recalled) {
        store().recalled(recalled);
    }

    @Override
    public void onStoreUnavailable(String cause) {
        store().setUnavailable(true);
    }

    @Override
    public void onStoreBack(Duration outage) {
        store().setUnavailable(false);
    }

    private StoreMeters store() {
        StoreMeters known = store;
        return known == null ? firstStore() : known;
    }

    private synchronized StoreMeters firstStore() {
        StoreMeters known = store;
        StoreMeters made = known == null ? new StoreMeters(registry) : known;
        store = made;
        return made;
    }

    @Override
    public void onReload(List<Endpoint> endpoints) {
        refusedFiles.clear();
        reloads.increment();
    }

    @Override
    public void onClientTable(String file, int listed) {
        refusedFiles.remove(file);
    }

    @Override
    public void onReloadRefused(LimitsException mistakes) {
        refusedFiles.add(mistakes.problems().stream()
                .map(LimitsException.Problem::file)
                .findFirst()
                .orElse(""));
        refusedReloads.increment();
    }

    @Override
    public void onClientOverrides(int now) {
        overrides = now;
    }
}
