package dev.sluice.cli.rehearse.tally;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a report on one endpoint of the file.
 *
 * @param methods as in the file, empty for all
 * @param pathPattern as in the file: a pattern, or a list of several
 * @param except as in the file, empty for none
 * @param calls the calls that it matches
 * @param clients the clients that made these calls
 * @param blocks how often clients were blocked, or would have been blocked but for a dry run
 * @param windows the demand of clients in windows of each period that a tier has
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

    /** The paths that it limits, in one line. */
    public String paths() {
        String limited = pathPattern instanceof List<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : String.valueOf(pathPattern);
        return limited + (except.isEmpty() ? "" : " except " + String.join(", ", except));
    }

    /**
     * The calls of an endpoint.
     *
     * @param refused calls that this endpoint refused, or would have refused but for a dry run
     * @param share the share of its calls that was refused
     * @param wouldRefuse refused calls that a dry run admits
     * @param refusedElsewhere calls that another endpoint refused
     */
    public record Calls(long all, long refused, double share, long wouldRefuse, long refusedElsewhere, long exempt) {}

    /**
     * The number of clients that called an endpoint, of those that were refused, and of those that were blocked. The
     * lists have the clients that were refused most often and blocked longest.
     */
    public record Clients(int all, int refused, int blocked, List<Client> mostRefused, List<Blocked> mostBlocked) {}

    /**
     * The refusals of one tier.
     *
     * @param text for example {@code 240 in 1m by token-bucket, burst 60}
     * @param period for example {@code 10s} or {@code a month in Europe/Berlin}; empty for {@code concurrency}
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
     * @param period as in {@link Tier}
     * @param windows the number of windows in which a client asked for something
     * @param p50 the median of the demand in these windows; the next parameters are other percentiles
     * @param distribution the number of windows by the demand of the client in them
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

    /** The number of windows in which the demand of the client was between {@code from} and {@code to}. */
    public record Range(long from, long to, long windows) {}

    /**
     * A threshold, and the calls that fixed windows with this threshold would refuse.
     *
     * @param aim for example {@code 0.1% of calls} or {@code 5 clients}
     */
    public record Threshold(String aim, long threshold, long refused, double share) {}

    /**
     * One client that was refused.
     *
     * @param name as people read it
     * @param calls of this client
     * @param first when it was first refused
     * @param windows the number of windows, of the tier's period, in which it was refused
     * @param forMillis the total length of those windows
     * @param tier that last refused it
     * @param peak its highest demand in one window of the tier's period
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
     * One client that was blocked, or would have been blocked but for a dry run.
     *
     * @param name as people read it
     * @param blocks how often
     * @param since when the first block began
     * @param until when the last block ends, which may be after the end of the log
     * @param forMillis the total length of all blocks
     */
    public record Blocked(String name, String tier, long blocks, String since, String until, long forMillis) {}

    /**
     * The calls of some clients over time.
     *
     * @param period the windows whose maximum is reported
     * @param allowed for each bucket, the largest number of calls that were admitted in one window that began there
     * @param refused for each bucket, the calls that were refused in it
     */
    public record Charts(
            long startMillis,
            long bucketMillis,
            int buckets,
            String period,
            long threshold,
            List<Line> allowed,
            List<Line> refused) {}

    /** One client's line in a chart. */
    public record Line(String client, List<Long> values) {}
}
