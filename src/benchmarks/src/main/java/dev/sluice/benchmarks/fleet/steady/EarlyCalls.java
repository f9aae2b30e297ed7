package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Early;
import java.util.stream.DoubleStream;

/**
 * Counts the calls of a play that were certainly refused early. Ignores refusals near a window boundary. A call
 * admitted there might have been counted in either window, so it is assumed to have used both, which favours the
 * limiter.
 */
final class EarlyCalls {

    private final Played played;
    private final double doubtMillis;
    private final int windows;
    private final DoubleStream.Builder[][] refusedAt;
    private final DoubleStream.Builder[][] admittedFrom;

    private EarlyCalls(Played played, double doubtMillis) {
        this.played = played;
        this.doubtMillis = doubtMillis;
        this.windows = played.arrivals.windows;
        this.refusedAt = builders();
        this.admittedFrom = builders();
    }

    static long count(Played played, double doubtMillis) {
        EarlyCalls calls = new EarlyCalls(played, doubtMillis);
        for (int call = 0; call < played.arrivals.size; call++) {
            if (played.hasAnswer(call)) {
                calls.add(call);
            }
        }
        return calls.count();
    }

    private DoubleStream.Builder[][] builders() {
        DoubleStream.Builder[][] builders = new DoubleStream.Builder[windows][Article.TENANTS];
        for (DoubleStream.Builder[] ofWindow : builders) {
            for (int tenant = 0; tenant < ofWindow.length; tenant++) {
                ofWindow[tenant] = DoubleStream.builder();
            }
        }
        return builders;
    }

    private void add(int call) {
        int tenant = played.arrivals.tenant(call);
        int earliest = played.windowAtBegin(call, -doubtMillis);
        int latest = played.windowAtEnd(call, doubtMillis);
        if (played.admitted(call)) {
            for (int possible = Math.max(0, earliest); possible <= Math.min(latest, windows - 1); possible++) {
                admittedFrom[possible][tenant].add(played.begunMillis(call));
            }
        } else if (earliest == latest && earliest >= 0 && earliest < windows) {
            refusedAt[earliest][tenant].add(played.begunMillis(call) + played.micros(call) / 1e3);
        }
    }

    private long count() {
        long early = 0;
        for (int window = 0; window < windows; window++) {
            for (int tenant = 0; tenant < Article.TENANTS; tenant++) {
                double[] refused = refusedAt[window][tenant].build().toArray();
                double[] admitted = admittedFrom[window][tenant].build().toArray();
                early += Early.refusals(refused, admitted, Article.THRESHOLD);
            }
        }
        return early;
    }
}
