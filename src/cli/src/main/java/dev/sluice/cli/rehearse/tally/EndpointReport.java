package dev.sluice.cli.rehearse.tally;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a report that covers one endpoint in the file.
 *
 * @param methods the methods as specified in the file; empty for all methods
 * @param pathPattern the pattern as specified in the file, or a list of several patterns
 * @param except the exceptions as specified in the file; empty if there are none
 * @param calls the calls that match the endpoint
 * @param clients the clients that made these calls
 * @param blocks the number of blocks, including blocks that a dry run only reported
 * @param windows the demand of clients in windows, for each period that a tier has
 */
public record EndpointReport(
        String id,
        List<String> methods,
        Object pathPattern,
        List<String> except,
        List<String> per,
        String mode,
        Calls calls,
        Clients clients,
        long blocks,
        List<Tier> tiers,
        List<Windows> windows,
        @Nullable Charts charts) {

    /** Returns the paths that the endpoint limits, on one line. */
    public String paths() {
        String limited = pathPattern instanceof List<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : String.valueOf(pathPattern);
        return limited + (except.isEmpty() ? "" : " except " + String.join(", ", except));
    }

    /**
     * The calls of an endpoint.
     *
     * @param refused the number of calls that this endpoint refused, or would have refused without a dry run
     * @param share the fraction of the endpoint's calls that were refused
     * @param wouldRefuse the number of refused calls that passed because of a dry run
     * @param refusedElsewhere the number of calls that a different endpoint refused
     */
    public record Calls(long all, long refused, double share, long wouldRefuse, long refusedElsewhere, long exempt) {}

    /**
     * The clients of an endpoint. The numbers state how many clients made calls, how many were refused, and how many
     * were blocked. The lists contain the clients that were refused most often, and those that were blocked longest in
     * total.
     */
    public record Clients(int all, int refused, int blocked, List<Client> mostRefused, List<Blocked> mostBlocked) {}

    /**
     * The refusals of one tier.
     *
     * @param text the limit as text, for example {@code 240 in 1m by token-bucket, burst 60}
     * @param period the period as text, for example {@code 10s} or {@code a month in Europe/Berlin}; empty for {@code
     *     concurrency}
     */
    public record Tier(
            String name,
            String text,
            String algorithm,
            long threshold,
            String period,
            long refused,
            double share,
            int refusedClients) {}

    /**
     * The demand of clients in windows of one period.
     *
     * @param period the period in the notation of {@link Tier}
     * @param windows the number of windows in which a client had any demand
     * @param p50 the median of the demand in these windows; the following parameters are other percentiles
     * @param distribution the number of windows for each range of demand
     */
    public record Windows(
            String period,
            long windows,
            long p50,
            long p90,
            long p99,
            long p999,
            long max,
            List<Range> distribution,
            List<Threshold> thresholds) {}

    /** The number of windows in which a client's demand was between {@code from} and {@code to}. */
    public record Range(long from, long to, long windows) {}

    /**
     * A threshold, and the number of calls that fixed windows with this threshold would refuse.
     *
     * @param aim the bound on refusals, for example {@code 0.1% of calls} or {@code 5 clients}
     */
    public record Threshold(String aim, long threshold, long refused, double share) {}

    /**
     * One refused client.
     *
     * @param name the client as text, for example {@code tenant=acme}
     * @param calls the number of the client's calls
     * @param first the time of the client's first refusal
     * @param windows the number of windows of the tier's period in which the client was refused
     * @param forMillis the total length of those windows
     * @param tier the tier that last refused the client
     * @param peak the client's highest demand in one window of the tier's period
     * @param timesThreshold the peak divided by the threshold
     */
    public record Client(
            String name,
            long calls,
            long refused,
            String first,
            String last,
            long windows,
            long forMillis,
            String tier,
            long threshold,
            long peak,
            double timesThreshold) {}

    /**
     * One client that was blocked, or would have been blocked without a dry run.
     *
     * @param name the client as text, for example {@code tenant=acme}
     * @param blocks the number of blocks
     * @param since the start of the first block
     * @param until the end of the last block. It can be after the end of the log
     * @param forMillis the total length of all blocks
     */
    public record Blocked(String name, String tier, long blocks, String since, String until, long forMillis) {}

    /**
     * The calls of a few clients over time.
     *
     * @param period the period of the windows for which maxima are reported
     * @param allowed for each bucket, the largest number of admitted calls in a single window that began in the bucket
     * @param refused for each bucket, the number of refused calls
     */
    public record Charts(
            long startMillis,
            long bucketMillis,
            int buckets,
            String period,
            long threshold,
            List<Line> allowed,
            List<Line> refused) {}

    /** The line of one client in a chart. */
    public record Line(String client, List<Long> values) {}
}
