package dev.sluice.internal.page;

import dev.sluice.Subject;
import dev.sluice.internal.instance.status.ShownState.BlockedCaller;
import dev.sluice.internal.instance.status.ShownState.CallerStanding;
import dev.sluice.internal.instance.status.ShownState.OverriddenLimit;
import dev.sluice.internal.page.PageRequest.CsrfToken;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of {@code data.json} and of the events. Component names are the JSON member names; {@code docs/page.md}
 * explains them. An event omits data that has not changed.
 *
 * @param full whether this object contains all data; otherwise, it contains only the changes since the previous event
 * @param endpoints the endpoints in force, with the keys from the file
 * @param diagnostics the diagnostics; only {@code data.json} includes them
 */
record PageData(
        boolean full,
        Instant now,
        WatchData watch,
        FileData file,
        StoreData store,
        CountersData counters,
        TrafficData traffic,
        @Nullable BlocksData blocks,
        @Nullable List<Map<String, Object>> endpoints,
        @Nullable OverridesData overrides,
        @Nullable LimiterDiagnostics diagnostics) {

    /**
     * The instance that collects the figures, and the intervals into which it divides time.
     *
     * @param instance the name of this instance
     * @param since when the instance started to collect figures
     * @param bucketMillis the length of an interval
     * @param buckets the number of stored intervals
     */
    record WatchData(String instance, Instant since, long bucketMillis, int buckets) {}

    /**
     * The calls that this instance has received.
     *
     * @param gone the ids of clients that were dropped since the previous event
     */
    record TrafficData(List<EndpointCounts> counts, List<ClientData> clients, List<Integer> gone) {}

    /**
     * The file in force. If a later change was rejected, this object also contains the time, the file and the reason.
     *
     * @param refused the name of the rejected file: the limits file or its table of clients
     */
    record FileData(
            String name,
            Instant loadedAt,
            @Nullable Instant refusedAt,
            @Nullable String refused,
            @Nullable String refusal) {}

    /** The store. If there is none, {@code shared} is {@code false} and all other members are absent. */
    record StoreData(
            boolean shared,
            @Nullable String name,
            @Nullable Boolean up,
            @Nullable Instant unavailableSince,
            @Nullable String cause,
            @Nullable String warning,
            @Nullable OnFailure onFailure,
            @Nullable ExchangesData exchanges) {

        static final StoreData NONE = new StoreData(false, null, null, null, null, null, null, null);
    }

    /**
     * Exchanges with the store. The last three members are the time, the duration and the number of counters of the
     * latest exchange with a reply.
     */
    record ExchangesData(
            long answered,
            long failed,
            @Nullable Instant lastAt,
            @Nullable Double lastMillis,
            @Nullable Integer lastCounters) {}

    /** The counters in memory. */
    record CountersData(long count, long maximum, long evicted) {}

    /** The blocked callers that this instance knows about: their number, and a list of the first ones. */
    record BlocksData(int count, List<BlockedCaller> first) {}

    /** The limits that were set outside the file: their number, and a list of the first ones. */
    record OverridesData(int count, List<OverriddenLimit> first) {}

    /**
     * The counts of this instance at one endpoint.
     *
     * @param history one array for each interval with calls. It contains the interval's number, and the numbers of
     *     allowed calls, refused calls, calls that a dry run would have refused, and allowed calls whose decision
     *     reports a different endpoint
     */
    record EndpointCounts(String id, List<long[]> history) {}

    /**
     * A client at one endpoint.
     *
     * @param id an id that is unique while this instance runs
     * @param called the client's display name; {@code null} if there is none
     * @param address whether the caller is known only by its address or login; otherwise it is a customer
     * @param tier the name of the last reported tier
     * @param limit the limit as text, for example {@code 1000 in 10s}
     * @param line the limit with the shortest period among the tiers reported so far
     * @param capacity the number of calls that can pass or join the queue at the same time in the last reported tier
     * @param refusals the latest refusals, newest first
     */
    record ClientData(
            int id,
            @Nullable String called,
            List<Subject> caller,
            boolean address,
            String endpoint,
            String tier,
            String limit,
            LineData line,
            long capacity,
            long used,
            Instant resetAt,
            Instant lastAt,
            List<RefusalData> refusals,
            List<long[]> history) {}

    /** The limit that a chart draws as a line. The period is 0 if the limit has none. */
    record LineData(String limit, long threshold, long periodMillis) {}

    /** A second in which calls were refused, and the limit that refused them, as it was at that time. */
    record RefusalData(Instant at, String tier, String limit) {}

    /**
     * The standing of one client in each of its limits, its overrides, and its shared counters.
     *
     * @param mayChange whether the reader can give calls and reset usage
     * @param csrf the header that Spring Security's CSRF filter requires for changes; {@code null} if there is no such
     *     filter
     */
    record StandingsData(
            Instant now,
            List<CallerStanding> standings,
            List<OverriddenLimit> overrides,
            List<LimiterDiagnostics.Account> accounts,
            boolean mayChange,
            @Nullable CsrfToken csrf) {

        StandingsData forChanges(@Nullable CsrfToken token) {
            return new StandingsData(now, standings, overrides, accounts, true, token);
        }
    }

    /** The numbers of given calls, by tier, or by method and tier. */
    record ChangeData(Map<String, Long> given) {}
}
