package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The few clients that asked for the most in one window. Not thread-safe. */
public final class Peaks {

    /** Enough for the report, which shows the threshold that ten clients exceed. */
    private static final int MOST = 12;

    private final List<Peak> peaks = new ArrayList<>(MOST);
    private long least;

    /** The most that a client asked for in one window. */
    private record Peak(List<Subject> who, long asked) {}

    /** Notes how much a client has asked for in a window so far. */
    void add(List<Subject> who, long asked) {
        if (asked <= least) {
            return;
        }
        for (int i = 0; i < peaks.size(); i++) {
            if (peaks.get(i).who.equals(who)) {
                if (peaks.get(i).asked < asked) {
                    peaks.set(i, new Peak(who, asked));
                }
                sort();
                return;
            }
        }
        if (peaks.size() == MOST) {
            peaks.remove(MOST - 1);
        }
        peaks.add(new Peak(who, asked));
        sort();
    }

    private void sort() {
        peaks.sort(Comparator.comparingLong(Peak::asked).reversed());
        least = peaks.size() < MOST ? 0 : peaks.get(MOST - 1).asked;
    }

    /** The lowest threshold that at most this many clients exceed. */
    public long thresholdPassedBy(int clients) {
        return clients < peaks.size() ? peaks.get(clients).asked : 1;
    }
}
