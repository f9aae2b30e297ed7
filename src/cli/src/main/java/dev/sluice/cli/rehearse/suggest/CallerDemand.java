package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Subject;
import dev.sluice.cli.rehearse.tally.DistinctCallers;
import dev.sluice.tier.Windows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The demand of each caller at one endpoint: the caller's maximum in any window of each length. */
final class CallerDemand {

    /** The maximum number of recorded callers. The demand of further callers is ignored. */
    private static final int MOST_CALLERS = 200_000;

    private static final int FEW = 4;
    private static final int ONE_IN = 50;

    private final List<Windows> windows;
    /**
     * The figures of each caller, by the caller's fingerprint. There are three figures for each window length: the
     * number of the latest window, the demand in that window, and the maximum of all windows. We use fingerprints to
     * save memory, because there can be a very large number of callers.
     */
    private final Map<Long, int[]> callers = new HashMap<>();

    private long calls;

    CallerDemand(List<Windows> windows) {
        this.windows = windows;
    }

    /** Adds a call made by the given caller, with the amount that the call requests. */
    void add(List<Subject> who, long nowMillis, long amount) {
        calls++;
        long caller = DistinctCallers.fingerprint(who);
        int[] figures = callers.get(caller);
        if (figures == null) {
            if (callers.size() == MOST_CALLERS) {
                return;
            }
            figures = new int[3 * windows.size()];
            callers.put(caller, figures);
        }
        for (int i = 0; i < windows.size(); i++) {
            int window = (int) windows.get(i).numberAt(nowMillis);
            int at = 3 * i;
            long before = figures[at] == window ? figures[at + 1] : 0;
            figures[at] = window;
            figures[at + 1] = (int) Math.min(Integer.MAX_VALUE, before + amount);
            figures[at + 2] = Math.max(figures[at + 2], figures[at + 1]);
        }
    }

    long calls() {
        return calls;
    }

    int callers() {
        return callers.size();
    }

    /**
     * Returns the number of callers that are considered unusual: one in fifty, but at least one. If there are fewer
     * than four callers, none is considered unusual.
     */
    int unusual() {
        return callers.size() < FEW ? 0 : Math.max(1, callers.size() / ONE_IN);
    }

    /** Returns the demand that no typical caller exceeded in any window of the given length. */
    long usual(int window) {
        return most(window, unusual());
    }

    /** Returns the highest demand of any caller in a window of the given length. */
    long most(int window) {
        return most(window, 0);
    }

    private long most(int window, int butFor) {
        long[] peaks = callers.values().stream()
                .mapToLong(figures -> figures[3 * window + 2])
                .sorted()
                .toArray();
        return peaks.length == 0 ? 0 : peaks[Math.max(0, peaks.length - 1 - butFor)];
    }
}
