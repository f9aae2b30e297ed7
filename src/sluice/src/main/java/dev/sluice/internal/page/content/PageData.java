package dev.sluice.internal.page.content;

import dev.sluice.Subject;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code data.json} and of the events. The names are those of the JSON, which {@code docs/page.md}
 * explains. An event leaves out what has not changed.
 *
 * @param full whether this is all data; otherwise it contains only what has changed since the previous event
 * @param diagnostics only in {@code data.json}
 */
record PageData(
        boolean full,
        long now,
        WatchData watch,
        FileData file,
        StoreData store,
        CountersData counters,
        TrafficData traffic,
        @Nullable BlocksData blocks,
        @Nullable List<EndpointData> endpoints,
        @Nullable OverridesData overrides,
        @Nullable LimiterDiagnostics diagnostics) {

    /**
     * Who watches, and in which intervals it counts.
     *
     * @param instance the name of this instance
     * @param since when it began
     * @param bucketMillis the length of an interval
     * @param buckets how many intervals it remembers
     */
    record WatchData(String instance, long since, long bucketMillis, int buckets) {}

    /**
     * The calls to this instance.
     *
     * @param gone the ids of clients that it has forgotten since the previous event
     */
    record TrafficData(List<EndpointCounts> counts, List<ClientData> clients, List<Integer> gone) {}

    /**
     * The file in force. If a later change was refused: when, which file, and why.
     *
     * @param refused the name of the refused file: of the limits, or of their table of clients
     */
    record FileData(
            String name,
            long loadedAt,
            @Nullable Long refusedAt,
            @Nullable String refused,
            @Nullable String refusal) {}

    /** The store. Without one, {@code shared} is {@code false} and the rest is absent. */
    record StoreData(
            boolean shared,
            @Nullable String name,
            @Nullable Boolean up,
            @Nullable Long awaySince,
            @Nullable String cause,
            @Nullable String warning,
            @Nullable String onFailure,
            @Nullable ExchangesData exchanges) {

        static final StoreData NONE = new StoreData(false, null, null, null, null, null, null, null);
    }

    /**
     * Exchanges with the store. The last three describe the latest one that was answered: when, how long it took, and
     * how many counters it had.
     */
    record ExchangesData(
            long answered,
            long failed,
            @Nullable Long lastAt,
            @Nullable Double lastMillis,
            @Nullable Integer lastCounters) {}

    /** Counters in memory. */
    record CountersData(long count, long maximum, long evicted) {}

    /**
     * One endpoint in force.
     *
     * @param counts what counts, as the file writes it: statuses such as {@code 4xx}, or {@code login-failure};
     *     {@code null} if all calls count
     */
    record EndpointData(
            String id,
            List<String> methods,
            String pathPattern,
            List<String> per,
            String mode,
            boolean conditional,
            @Nullable List<String> counts,
            List<TierData> tiers) {}

    /**
     * One limit.
     *
     * @param hasQueue whether all calls of {@code capacity} but the first wait in a queue for their turn
     */
    record TierData(
            String name,
            String algorithm,
            long threshold,
            long periodMillis,
            long capacity,
            boolean hasQueue,
            @Nullable BlockRuleData block) {}

    /** When a limit blocks a caller, and for how long. */
    record BlockRuleData(int after, long withinMillis, long forMillis, long upToMillis) {}

    /** Blocked callers, as far as this instance knows: how many there are, and the first of them. */
    record BlocksData(int count, List<BlockData> first) {}

    /**
     * A blocked caller.
     *
     * @param called the caller's name for people; {@code null} if there is none
     * @param number how many blocks in a row this is
     */
    record BlockData(
            @Nullable String called,
            List<Subject> caller,
            String endpoint,
            String method,
            String tier,
            long since,
            long until,
            int number) {}

    /** Limits set outside the file: how many there are, and the first of them. */
    record OverridesData(int count, List<OverrideData> first) {}

    /**
     * A limit set outside the file, with the time, the operator, the reason and the end, as far as known.
     *
     * @param called the client's name for people; {@code null} if there is none
     */
    record OverrideData(
            @Nullable String called,
            String subject,
            String value,
            String endpoint,
            String limits,
            @Nullable Long setAt,
            @Nullable String by,
            @Nullable String why,
            @Nullable Long until) {}

    /**
     * The counts of this instance at one endpoint.
     *
     * @param history for each interval with calls: its number, and the calls that were allowed, refused, and would have
     *     been refused; then how many of the allowed ones count for clients at another endpoint
     */
    record EndpointCounts(String id, List<long[]> history) {}

    /**
     * A client at one endpoint.
     *
     * @param id unique while this instance runs
     * @param called the client's name for people; {@code null} if there is none
     * @param limit the threshold of the tier that was reported last
     * @param lineTier the reported tier with the shortest period
     * @param lineLimit its threshold
     * @param linePeriodMillis its period
     * @param capacity how many calls the tier that was reported last lets pass, or join its queue, at one moment
     * @param hasQueue whether all of these but the first wait in a queue for their turn
     * @param refusals the latest refusals, newest first
     */
    record ClientData(
            int id,
            @Nullable String called,
            List<Subject> caller,
            String endpoint,
            String tier,
            long limit,
            long periodMillis,
            String lineTier,
            long lineLimit,
            long linePeriodMillis,
            long capacity,
            boolean hasQueue,
            long used,
            long resetAt,
            long lastAt,
            List<RefusalData> refusals,
            List<long[]> history) {}

    /** A second in which calls were refused, and the limit that refused them, as it was at that time. */
    record RefusalData(long at, String tier, long limit, long periodMillis, long capacity, boolean hasQueue) {}

    /** Where one client stands in each of its limits, its limits outside the file, and its shared counters. */
    record StandingsData(
            long now,
            List<StandingData> standings,
            List<OverrideData> overrides,
            List<LimiterDiagnostics.Account> accounts) {}

    /** Where a client stands in one limit. */
    record StandingData(String endpoint, String method, TierData tier, long left, long resetAt) {}
}
