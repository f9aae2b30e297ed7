package dev.sluice.cli.compare;

import dev.sluice.Decision;
import java.util.Arrays;
import java.util.BitSet;

/** The result of playing traffic to one algorithm, compared with the result of a perfect window. */
final class Playback {

    final ComparedAlgorithm algorithm;
    final SampleTraffic traffic;
    /** The indices of the calls that passed. */
    final BitSet admitted = new BitSet();
    /** The number of calls that passed even though the limit was used up in the preceding period. */
    long tooMany;
    /** The number of calls that were refused even though the limit was not used up in the preceding period. */
    long tooFew;
    /** The largest number of calls that passed in any period. */
    int worst;
    /** The index of the last call in the period with the largest number of calls. */
    int worstAt;
    /** The average difference between the number of calls that the algorithm counted and the number that passed. */
    double drift;

    private Playback(ComparedAlgorithm algorithm, SampleTraffic traffic) {
        this.algorithm = algorithm;
        this.traffic = traffic;
    }

    /** Plays all of the traffic. */
    static Playback of(ComparedAlgorithm algorithm, SampleTraffic traffic) {
        Playback playback = new Playback(algorithm, traffic);
        try (VirtualLimiter limiter = new VirtualLimiter(algorithm.limit())) {
            playback.play(limiter);
        }
        return playback;
    }

    private void play(VirtualLimiter limiter) {
        long period = algorithm.limit().period().toMillis();
        PerfectWindow[] passedBy = new PerfectWindow[traffic.callers()];
        Arrays.setAll(passedBy, caller -> new PerfectWindow(period));
        double sumOfDrift = 0;
        for (int call = 0; call < traffic.calls(); call++) {
            long now = traffic.moment(call);
            PerfectWindow passed = passedBy[traffic.caller(call)];
            Decision decision = limiter.decide(VirtualLimiter.name(traffic.caller(call)), now);
            // We add the call only after the comparison, because a perfect window decides on the basis of the calls
            // before it.
            note(call, decision.admitted(), passed, now);
            long counted = algorithm.limit().capacity() - decision.remaining();
            sumOfDrift += Math.abs(counted - passed.count(now));
        }
        drift = sumOfDrift / traffic.calls();
    }

    private void note(int call, boolean passes, PerfectWindow passed, long now) {
        boolean full = passed.count(now) >= algorithm.limit().threshold();
        tooMany += passes && full ? 1 : 0;
        tooFew += passes || full ? 0 : 1;
        if (passes) {
            admitted.set(call);
            passed.add(now);
        }
        if (passed.count(now) > worst) {
            worst = passed.count(now);
            worstAt = call;
        }
    }

    /** Expresses a number of calls as a percentage of the limit. */
    double percentOfLimit(double calls) {
        return 100 * calls / algorithm.limit().threshold();
    }
}
