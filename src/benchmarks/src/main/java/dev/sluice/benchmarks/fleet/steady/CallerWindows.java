package dev.sluice.benchmarks.fleet.steady;

import java.util.List;

/**
 * How exactly each tenant's limit was enforced in each window. Unless stated otherwise, the figures are means and
 * maxima over tenants and windows, as percentages of the threshold.
 *
 * @param maxBeyond the maximum number of calls that certainly passed beyond a limit
 * @param beyond the total number of calls that certainly passed beyond a limit. A call within a few milliseconds of a
 *     window boundary might have been counted in either window. It is assigned to the more favourable one here
 * @param early the number of calls that were certainly refused before their tenant's limit was used up
 * @param refusedUnderLimit the number of calls that were refused although their tenant's calls in that window did not
 *     exceed the threshold
 */
record CallerWindows(
        int count,
        double meanOver,
        double maxOver,
        double meanUnder,
        double maxUnder,
        double maxBeyond,
        long beyond,
        long early,
        long refusedUnderLimit) {

    /** The maximum difference between the limiters' clocks and the Redis clock. */
    private static final double DOUBT_MILLIS = 5;

    static CallerWindows of(List<Played> rounds) {
        Sum sum = new Sum();
        long early = 0;
        for (Played played : rounds) {
            early += EarlyCalls.count(played, DOUBT_MILLIS);
            Tally tally = new Tally(played);
            for (int tenant = 0; tenant < Article.TENANTS; tenant++) {
                sum.add(tally, tenant);
            }
        }
        double n = sum.windows;
        return new CallerWindows(
                sum.windows,
                sum.over / n,
                sum.maxOver,
                sum.under / n,
                sum.maxUnder,
                sum.maxBeyond,
                sum.beyond,
                early,
                sum.refusedUnderLimit);
    }

    /** The attempted and admitted calls, by window and tenant. */
    private static final class Tally {
        final int windows;
        final long[][] offered;
        final long[][] offeredAtMost;
        final long[][] admitted;
        final long[][] admittedSurely;
        final long[] admittedTogether = new long[Article.TENANTS];

        Tally(Played played) {
            this.windows = played.arrivals.windows;
            this.offered = new long[windows][Article.TENANTS];
            this.offeredAtMost = new long[windows][Article.TENANTS];
            this.admitted = new long[windows][Article.TENANTS];
            this.admittedSurely = new long[windows][Article.TENANTS];
            for (int call = 0; call < played.arrivals.size; call++) {
                if (played.begun(call)) {
                    add(played, call);
                }
            }
        }

        private void add(Played played, int call) {
            int tenant = played.arrivals.tenant(call);
            int window = played.windowAtBegin(call, 0);
            int earliest = played.windowAtBegin(call, -DOUBT_MILLIS);
            int latest = played.windowAtEnd(call, DOUBT_MILLIS);
            count(offered, window, tenant);
            for (int possible = earliest; possible <= latest; possible++) {
                count(offeredAtMost, possible, tenant);
            }
            if (played.admitted(call)) {
                count(admitted, window, tenant);
                if (earliest == latest) {
                    count(admittedSurely, window, tenant);
                }
                if (earliest >= 0 && latest < windows) {
                    admittedTogether[tenant]++;
                }
            }
        }

        private void count(long[][] counts, int window, int tenant) {
            if (window >= 0 && window < windows) {
                counts[window][tenant]++;
            }
        }
    }

    private static final class Sum {
        int windows;
        double over;
        double maxOver;
        double under;
        double maxUnder;
        double maxBeyond;
        long beyond;
        long refusedUnderLimit;

        void add(Tally tally, int tenant) {
            long surelyBeyond = 0;
            for (int w = 0; w < tally.windows; w++) {
                long offered = tally.offered[w][tenant];
                long admitted = tally.admitted[w][tenant];
                double tooMany = percent(admitted - Article.THRESHOLD);
                double tooFew = percent(Math.min(Article.THRESHOLD, offered) - admitted);
                windows++;
                over += tooMany;
                under += tooFew;
                maxOver = Math.max(maxOver, tooMany);
                maxUnder = Math.max(maxUnder, tooFew);
                long surely = tally.admittedSurely[w][tenant] - Article.THRESHOLD;
                maxBeyond = Math.max(maxBeyond, percent(surely));
                surelyBeyond += Math.max(0, surely);
                if (tally.offeredAtMost[w][tenant] <= Article.THRESHOLD) {
                    refusedUnderLimit += offered - admitted;
                }
            }
            beyond += Math.max(surelyBeyond, tally.admittedTogether[tenant] - tally.windows * Article.THRESHOLD);
        }

        private static double percent(long calls) {
            return 100.0 * Math.max(0, calls) / Article.THRESHOLD;
        }
    }
}
