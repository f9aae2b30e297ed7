package dev.sluice.cli.rehearse.tally;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Subject;
import java.util.List;

/** Counts refused calls and their callers. Not thread-safe. */
public final class RefusalCount {

    private final DistinctCallers clients = new DistinctCallers();
    private long refused;

    /** Whether the call was refused, or would have been refused without a dry run. */
    public static boolean isRefusal(Decision decision) {
        return !decision.admitted() || decision.outcome() == Outcome.WOULD_REFUSE;
    }

    /** Adds a refused call made by the given caller. */
    public void add(List<Subject> who) {
        add(DistinctCallers.fingerprint(who));
    }

    void add(long fingerprint) {
        refused++;
        clients.add(fingerprint);
    }

    public long refused() {
        return refused;
    }

    /**
     * Returns the fraction of calls that were refused.
     *
     * @param calls the number of all calls
     */
    double share(long calls) {
        return Percentages.share(refused, calls);
    }

    /** Returns the number of different callers. */
    public int clients() {
        return clients.count();
    }
}
