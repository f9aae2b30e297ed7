package dev.sluice.internal.page.content;

import dev.sluice.Block;
import dev.sluice.Condition;
import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.config.keys.FileWords;
import dev.sluice.internal.page.content.PageData.BlockData;
import dev.sluice.internal.page.content.PageData.BlockRuleData;
import dev.sluice.internal.page.content.PageData.BlocksData;
import dev.sluice.internal.page.content.PageData.CountersData;
import dev.sluice.internal.page.content.PageData.EndpointData;
import dev.sluice.internal.page.content.PageData.ExchangesData;
import dev.sluice.internal.page.content.PageData.FileData;
import dev.sluice.internal.page.content.PageData.OverrideData;
import dev.sluice.internal.page.content.PageData.OverridesData;
import dev.sluice.internal.page.content.PageData.StandingData;
import dev.sluice.internal.page.content.PageData.StandingsData;
import dev.sluice.internal.page.content.PageData.StoreData;
import dev.sluice.internal.page.content.PageData.TierData;
import dev.sluice.internal.page.content.PageData.TrafficData;
import dev.sluice.internal.page.content.PageData.WatchData;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import dev.sluice.limits.Standing;
import dev.sluice.open.Sluice;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.Traffic;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the figures of a limiter into the history, and assembles the data of the page. Thread-safe: guarded by
 * {@code this}.
 */
final class Sampler {

    private static final int MOST_OVERRIDES = 50;
    private static final int MOST_BLOCKS = 50;
    private static final int LONGEST_REFUSAL = 4000;
    private static final double NANOS_A_MILLI = 1e6;
    private static final OverrideNote NO_NOTE = new OverrideNote(0, 0, "", "");

    private final Sluice sluice;
    private final Traffic traffic;
    private final TrafficHistory history = new TrafficHistory();
    private final CallerNames names;
    private final long watchingSince;
    private long sampledMillis;
    private LimiterStatus status;
    /** The limits that readers have; endpoints are sent again when these change. */
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

    /** The time by the limiter's clock. */
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
                .filter(block -> block.isUnderWay(sampledMillis) && !blocked.contains(block.key()))
                .forEach(block -> unblock(block.key()));
    }

    private void unblock(CounterKey key) {
        sluice.standings(key.subjects()).stream()
                .filter(standing -> standing.endpoint().equals(key.endpoint())
                        && standing.method().equals(key.method())
                        && standing.tier().name().equals(key.tier()))
                .forEach(standing -> history.unblock(key.subjects(), standing, sampledMillis));
    }

    /** All data. */
    synchronized PageData everything() {
        return everything(null);
    }

    /** All data, including the diagnostics of the limiter. */
    synchronized PageData diagnosed() {
        return everything(sluice.diagnostics());
    }

    private PageData everything(@Nullable LimiterDiagnostics diagnostics) {
        sample();
        return data(true, diagnostics);
    }

    /** The data that has changed since the previous call. */
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
                sampledMillis,
                new WatchData(status.instance(), watchingSince, Traffic.SLICE_MILLIS, OutcomeBuckets.KEPT),
                file(status.file()),
                store(status),
                new CountersData(status.counters(), limits.maximumCounters(), status.evictions()),
                new TrafficData(
                        history.counts(full),
                        full ? history.clients() : history.changedClients(),
                        full ? List.of() : history.gone()),
                full || !blocks.equals(sentBlocks) ? blocked() : null,
                areChanged ? limits.endpoints().stream().map(Sampler::endpoint).toList() : null,
                areChanged || !status.notes().equals(sentNotes) ? overrides() : null,
                diagnostics);
    }

    private static FileData file(LimiterStatus.LoadedFile file) {
        LimiterStatus.RefusedChange refused = file.refused();
        return refused == null
                ? new FileData(file.name(), file.loadedMillis(), null, null, null)
                : new FileData(
                        file.name(), file.loadedMillis(), refused.atMillis(), refused.name(), cut(refused.problems()));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_REFUSAL ? text : text.substring(0, LONGEST_REFUSAL) + "…";
    }

    private static StoreData store(LimiterStatus status) {
        LimiterStatus.Store store = status.store();
        if (store == null) {
            return StoreData.NONE;
        }
        LimiterStatus.Away away = store.away();
        LimiterStatus.LastExchange last = store.last();
        ExchangesData exchanges = last == null
                ? new ExchangesData(store.answered(), store.failed(), null, null, null)
                : new ExchangesData(
                        store.answered(),
                        store.failed(),
                        last.atMillis(),
                        last.took().toNanos() / NANOS_A_MILLI,
                        last.counters());
        return new StoreData(
                true,
                store.name(),
                away == null,
                away == null ? null : away.sinceMillis(),
                away == null ? null : cut(away.cause()),
                store.warning() == null ? null : cut(store.warning()),
                status.limits().sharing().onFailure().name().toLowerCase(Locale.ROOT),
                exchanges);
    }

    private static EndpointData endpoint(Endpoint endpoint) {
        return new EndpointData(
                endpoint.id(),
                List.copyOf(new TreeSet<>(endpoint.methods())),
                endpoint.on() == null ? endpoint.pathPattern() : endpoint.where(),
                endpoint.per(),
                endpoint.mode().word(),
                endpoint.when() != Condition.ALWAYS,
                counts(endpoint),
                endpoint.tiers().stream().map(Sampler::tier).toList());
    }

    private static @Nullable List<String> counts(Endpoint endpoint) {
        return endpoint.countsFailedLogins()
                ? List.of("login-failure")
                : endpoint.countedStatuses().isEmpty() ? null : FileWords.countedStatuses(endpoint);
    }

    private static TierData tier(Tier tier) {
        BlockRule block = tier.block();
        return new TierData(
                tier.name(),
                tier.limit().algorithm().word(),
                tier.limit().threshold(),
                tier.limit().period().toMillis(),
                tier.limit().capacity(),
                tier.limit().hasQueue(),
                block == null
                        ? null
                        : new BlockRuleData(
                                block.after(),
                                block.within().toMillis(),
                                block.lasts().toMillis(),
                                block.upTo().toMillis()));
    }

    private BlocksData blocked() {
        return new BlocksData(
                blocks.size(),
                blocks.stream().limit(MOST_BLOCKS).map(this::blocked).toList());
    }

    private BlockData blocked(Block block) {
        String name = names.of(block.key().subjects());
        return new BlockData(
                name.isEmpty() ? null : name,
                block.key().subjects(),
                block.key().endpoint(),
                block.key().method(),
                block.key().tier(),
                block.sinceMillis(),
                block.untilMillis(),
                block.number());
    }

    private OverridesData overrides() {
        List<Client> all = status.limits().overrides();
        return new OverridesData(
                all.size(),
                all.stream().limit(MOST_OVERRIDES).flatMap(this::overrides).toList());
    }

    private Stream<OverrideData> overrides(Client client) {
        Map.Entry<String, List<String>> who = client.who().entrySet().iterator().next();
        OverrideNote note = status.notes().getOrDefault(client, NO_NOTE);
        Map<String, List<Tier>> endpoints =
                client.endpoints().isEmpty() ? Map.of(ClientOverride.ALL_ENDPOINTS, List.of()) : client.endpoints();
        return endpoints.entrySet().stream()
                .map(there -> new OverrideData(
                        who.getValue().size() == 1
                                ? status.limits()
                                        .nameOf(who.getKey(), who.getValue().get(0))
                                : null,
                        who.getKey(),
                        String.join(", ", who.getValue()),
                        there.getKey(),
                        there.getValue().isEmpty() ? "x" + client.multiply().toPlainString() : text(there.getValue()),
                        note.setMillis() == 0 ? null : note.setMillis(),
                        note.by().isEmpty() ? null : note.by(),
                        note.why().isEmpty() ? null : note.why(),
                        note.untilMillis() == 0 ? null : note.untilMillis()));
    }

    /** For example {@code 100/1s,5000/10s}. */
    private static String text(List<Tier> tiers) {
        return tiers.stream()
                .map(tier -> tier.limit().threshold() + "/" + tier.name())
                .collect(Collectors.joining(","));
    }

    /** The standing of a client in each of its limits; {@code null} if the history has no such client. */
    @Nullable StandingsData standings(int client) {
        List<Subject> caller = history.caller(client);
        if (caller == null) {
            return null;
        }
        long now = sluice.status().nowMillis();
        return new StandingsData(
                now,
                sluice.standings(caller).stream()
                        .map(standing -> standing(standing, now))
                        .toList(),
                overridesOf(caller),
                sluice.diagnostics(caller).accounts());
    }

    /** The overrides of this caller, which {@code data.json} may not list. */
    private synchronized List<OverrideData> overridesOf(List<Subject> caller) {
        return status.limits().overrides().stream()
                .filter(client -> caller.stream()
                        .anyMatch(subject -> client.who()
                                .getOrDefault(subject.name(), List.of())
                                .contains(subject.value())))
                .limit(MOST_OVERRIDES)
                .flatMap(this::overrides)
                .toList();
    }

    private static StandingData standing(Standing standing, long now) {
        return new StandingData(
                standing.endpoint(),
                standing.method(),
                tier(standing.tier()),
                standing.remaining(),
                now + standing.resetAfterMillis());
    }
}
