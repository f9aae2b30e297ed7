package dev.sluice.cli.rehearse.tally;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a report says about one endpoint of the file.
 *
 * @param methods as in the file, empty for all
 * @param pathPattern as in the file: a pattern, or a list of several
 * @param except as in the file, empty for none
 * @param calls the calls that it matches
 * @param clients who made them
 * @param blocks how often clients were blocked, or would have been but for a dry run
 * @param windows what clients asked for in each period of the tiers
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
     * @param refused by this endpoint, or would have been but for a dry run
     * @param share the share of its calls that was refused
     * @param wouldRefuse refused calls that a dry run admits
     * @param refusedElsewhere calls that another endpoint refused
     */
    public record Calls(long all, long refused, double share, long wouldRefuse, long refusedElsewhere, long exempt) {}

    /** How many clients called an endpoint, were refused and blocked, and the first of these. */
    public record Clients(int all, int refused, int blocked, List<Client> mostRefused, List<Blocked> mostBlocked) {}

    /**
     * What one tier refused.
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
     * How much clients asked for in windows of one period.
     *
     * @param period as in {@link Tier}
     * @param windows in which a client asked for something
     * @param p50 half of the windows have at most this
     * @param distribution the number of windows by what a client asked for in them
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

    /** The number of windows in which a client asked for {@code from} to {@code to}. */
    public record Range(long from, long to, long windows) {}

    /**
     * A threshold, and what fixed windows with it would refuse.
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
     * @param forMillis the length of those windows together
     * @param tier that last refused it
     * @param peak the most that it asked for in one window of the tier's period
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
     * One client that was blocked, or would have been but for a dry run.
     *
     * @param name as people read it
     * @param blocks how often
     * @param since when the first block began
     * @param until when the last block ends, which may be after the end of the log
     * @param forMillis the length of all blocks together
     */
    public record Blocked(String name, String tier, long blocks, String since, String until, long forMillis) {}

    /**
     * What some clients did over time.
     *
     * @param period the windows whose maximum is reported
     * @param allowed the most calls admitted in one window that began in the bucket
     * @param refused the calls refused in the bucket
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
