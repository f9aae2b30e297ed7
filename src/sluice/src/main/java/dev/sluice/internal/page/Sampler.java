package dev.sluice.internal.page;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.EndpointNotation;
import dev.sluice.internal.instance.status.ShownState.BlockedCaller;
import dev.sluice.internal.instance.status.ShownState.CallerStanding;
import dev.sluice.internal.instance.status.ShownState.OverriddenLimit;
import dev.sluice.internal.page.PageData.BlocksData;
import dev.sluice.internal.page.PageData.CountersData;
import dev.sluice.internal.page.PageData.ExchangesData;
import dev.sluice.internal.page.PageData.FileData;
import dev.sluice.internal.page.PageData.OverridesData;
import dev.sluice.internal.page.PageData.StandingsData;
import dev.sluice.internal.page.PageData.StoreData;
import dev.sluice.internal.page.PageData.TrafficData;
import dev.sluice.internal.page.PageData.WatchData;
import dev.sluice.internal.page.TrafficHistory.ClientAtEndpoint;
import dev.sluice.limits.Client;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import dev.sluice.open.Sluice;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.Traffic;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds a limiter's figures to the history, and assembles the page's data. Thread-safe; {@code this} guards its state.
 */
final class Sampler {

    private static final int MOST_OVERRIDES = 50;
    private static final int MOST_BLOCKS = 50;
    private static final int LONGEST_REFUSAL = 4000;
    private static final double NANOS_A_MILLI = 1e6;

    private final Sluice sluice;
    private final Traffic traffic;
    private final TrafficHistory history = new TrafficHistory();
    private final CallerNames names;
    private final long watchingSince;
    private long sampledMillis;
    private LimiterStatus status;
    /** The limits that readers last received. When the limits change, readers receive the endpoints again. */
    private Limits sent;

    private Map<Client, OverrideNote> sentNotes;
    private List<Block> blocks = List.of();
    private List<Block> sentBlocks = List.of();

    Sampler(Sluice sluice) {
        this.sluice = sluice;
        this.traffic = sluice.traffic();
        this.names = sluice::nameOf;
        this.status = sluice.status();
        this.watchingSince = status.nowMillis();
        this.sent = status.limits();
        this.sentNotes = status.notes();
        sample();
    }

    /** Returns the current time, measured by the limiter's clock. */
    long nowMillis() {
        return sluice.status().nowMillis();
    }

    /** Reads the counts since the previous sample. */
    private void sample() {
        Limits before = status.limits();
        List<Block> blocksBefore = blocks;
        status = sluice.status();
        blocks = sluice.blocks();
        if (!status.limits().equals(before)) {
            history.forgetShortestLimits(new ChangedLimits(before, status.limits()));
        }
        history.add(traffic.slices(sampledMillis), status.nowMillis());
        sampledMillis = status.nowMillis();
        Set<CounterKey> blocked = blocks.stream().map(Block::key).collect(Collectors.toSet());
        blocksBefore.stream()
                .filter(block -> block.isInForce(sampledMillis) && !blocked.contains(block.key()))
                .forEach(block -> unblock(block.key()));
    }

    private void unblock(CounterKey key) {
        sluice.standings(key.subjects()).stream()
                .filter(standing -> standing.endpoint().equals(key.endpoint())
                        && standing.method().equals(key.method())
                        && standing.tier().name().equals(key.tier()))
                .forEach(standing -> history.unblock(key.subjects(), standing, sampledMillis));
    }

    /** Returns all data, excluding the limiter's diagnostics. */
    synchronized PageData everything() {
        return everything(null);
    }

    /** Returns all data, including the limiter's diagnostics. */
    synchronized PageData diagnosed() {
        return everything(sluice.diagnostics());
    }

    private PageData everything(@Nullable LimiterDiagnostics diagnostics) {
        sample();
        return data(true, diagnostics);
    }

    /** Returns the data that has changed since the previous call of this method. */
    synchronized PageData takeChanges() {
        sample();
        PageData changes = data(false, null);
        history.beginGeneration();
        sent = status.limits();
        sentBlocks = blocks;
        sentNotes = status.notes();
        return changes;
    }

    private PageData data(boolean full, @Nullable LimiterDiagnostics diagnostics) {
        boolean areChanged = full || !status.limits().equals(sent);
        Limits limits = status.limits();
        return new PageData(
                full,
                Instant.ofEpochMilli(sampledMillis),
                new WatchData(
                        status.instance(),
                        Instant.ofEpochMilli(watchingSince),
                        Traffic.SLICE_MILLIS,
                        OutcomeBuckets.KEPT),
                file(status.file()),
                store(status),
                new CountersData(status.counters(), limits.maximumCounters(), status.evictions()),
                new TrafficData(
                        history.counts(full),
                        full ? history.clients() : history.changedClients(),
                        full ? List.of() : history.gone()),
                full || !blocks.equals(sentBlocks) ? blocked() : null,
                areChanged
                        ? limits.endpoints().stream()
                                .map(EndpointNotation::words)
                                .toList()
                        : null,
                areChanged || !status.notes().equals(sentNotes) ? overrides() : null,
                diagnostics);
    }

    private static FileData file(LimiterStatus.LoadedFile file) {
        LimiterStatus.RefusedChange refused = file.refused();
        Instant loadedAt = Instant.ofEpochMilli(file.loadedMillis());
        return refused == null
                ? new FileData(file.name(), loadedAt, null, null, null)
                : new FileData(
                        file.name(),
                        loadedAt,
                        Instant.ofEpochMilli(refused.atMillis()),
                        refused.name(),
                        cut(refused.problems()));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_REFUSAL ? text : text.substring(0, LONGEST_REFUSAL) + "…";
    }

    private static StoreData store(LimiterStatus status) {
        LimiterStatus.Store store = status.store();
        if (store == null) {
            return StoreData.NONE;
        }
        LimiterStatus.Unavailable unavailable = store.unavailable();
        LimiterStatus.LastExchange last = store.last();
        ExchangesData exchanges = last == null
                ? new ExchangesData(store.answered(), store.failed(), null, null, null)
                : new ExchangesData(
                        store.answered(),
                        store.failed(),
                        Instant.ofEpochMilli(last.atMillis()),
                        last.took().toNanos() / NANOS_A_MILLI,
                        last.counters());
        return new StoreData(
                true,
                store.name(),
                unavailable == null,
                unavailable == null ? null : Instant.ofEpochMilli(unavailable.sinceMillis()),
                unavailable == null ? null : cut(unavailable.cause()),
                store.warning() == null ? null : cut(store.warning()),
                status.limits().sharing().onFailure(),
                exchanges);
    }

    private BlocksData blocked() {
        return new BlocksData(
                blocks.size(),
                blocks.stream()
                        .limit(MOST_BLOCKS)
                        .map(block -> BlockedCaller.of(block, names))
                        .toList());
    }

    private OverridesData overrides() {
        List<Client> all = status.limits().overrides();
        return new OverridesData(
                all.size(),
                all.stream().limit(MOST_OVERRIDES).flatMap(this::overrides).toList());
    }

    private Stream<OverriddenLimit> overrides(Client client) {
        return OverriddenLimit.of(client, status.notes(), status.limits()).stream();
    }

    /**
     * Finds the client with this id. The id is a text from a request. Returns {@code null} if the history does not
     * contain the client.
     */
    @Nullable ClientAtEndpoint client(@Nullable String id) {
        return id != null && id.matches("\\d{1,9}") ? history.client(Integer.parseInt(id)) : null;
    }

    /**
     * Returns the client's standing in each of its limits; {@code null} if the history contains no client with this id.
     */
    @Nullable StandingsData standings(@Nullable String id) {
        ClientAtEndpoint client = client(id);
        if (client == null) {
            return null;
        }
        List<Subject> caller = client.caller();
        long now = sluice.status().nowMillis();
        return new StandingsData(
                Instant.ofEpochMilli(now),
                sluice.standings(caller).stream()
                        .map(standing -> CallerStanding.of(standing, caller, now))
                        .toList(),
                overridesOf(caller),
                sluice.diagnostics(caller).accounts(),
                false,
                null);
    }

    /**
     * Returns the overrides of this caller. They are sent separately, because {@code data.json} might not list all
     * overrides. Overrides of plans are included, because the caller's plan might not be known before its next call.
     */
    private synchronized List<OverriddenLimit> overridesOf(List<Subject> caller) {
        return status.limits().overrides().stream()
                .sorted(Comparator.comparing(client -> client.overriddenPlan() != null))
                .filter(client -> client.overriddenPlan() != null
                        || caller.stream()
                                .anyMatch(subject -> client.who()
                                        .getOrDefault(subject.name(), List.of())
                                        .contains(subject.value())))
                .limit(MOST_OVERRIDES)
                .flatMap(this::overrides)
                .toList();
    }
}
