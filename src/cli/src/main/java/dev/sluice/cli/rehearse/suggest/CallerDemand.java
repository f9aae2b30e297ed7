package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Subject;
import dev.sluice.cli.rehearse.tally.DistinctCallers;
import dev.sluice.tier.Windows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What each caller asked one endpoint for: the most in any window of each length. */
final class CallerDemand {

    /** Callers beyond these are not looked at one by one. */
    private static final int MOST_CALLERS = 200_000;

    private static final int FEW = 4;
    private static final int ONE_IN = 50;

    private final List<Windows> windows;
    /**
     * By the fingerprint of a caller, since there may be very many: for each window its number, its calls, and the
     * most.
     */
    private final Map<Long, int[]> callers = new HashMap<>();

    private long calls;

    CallerDemand(List<Windows> windows) {
        this.windows = windows;
    }

    /** A call of that caller, which asks for that much. */
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

    /** How many callers are taken for unusual: one in fifty, and one where there are few. */
    int unusual() {
        return callers.size() < FEW ? 0 : Math.max(1, callers.size() / ONE_IN);
    }

    /** What all callers but the unusual ones never exceeded in a window of that length. */
    long usual(int window) {
        return most(window, unusual());
    }

    /** The most that any caller asked for in a window of that length. */
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
