package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One client at one endpoint: its calls and refusals. Not thread-safe. */
public final class ClientTally {

    private final List<Subject> who;
    private final Window[] windows;
    private long calls;
    private long lastMillis;
    private long refused;
    private long firstRefusedMillis;
    private long lastRefusedMillis;
    private long refusedWindows;
    private long refusedMillis;
    private long refusedUntilMillis;
    private @Nullable Tier tier;
    private @Nullable ClientSeries series;

    ClientTally(List<Subject> who, int periods) {
        this.who = who;
        this.windows = new Window[periods];
        Arrays.setAll(windows, period -> new Window());
    }

    void call(long nowMillis) {
        calls++;
        lastMillis = nowMillis;
    }

    void refusal(long nowMillis, Tier by) {
        if (refused++ == 0) {
            firstRefusedMillis = nowMillis;
        }
        lastRefusedMillis = nowMillis;
        tier = by;
        if (nowMillis >= refusedUntilMillis) { // the first refusal in a window
            refusedWindows++;
            Windows windows = by.limit().periods();
            long start = windows == null ? nowMillis : windows.startAt(nowMillis);
            long end = windows == null ? nowMillis + 1 : windows.endAt(nowMillis);
            refusedMillis += end - Math.max(refusedUntilMillis, start);
            refusedUntilMillis = end;
        }
    }

    void follow(@Nullable ClientSeries with) {
        series = with;
    }

    /** What it did over time; {@code null} unless it is one of the few that are followed. */
    public @Nullable ClientSeries series() {
        return series;
    }

    public List<Subject> who() {
        return who;
    }

    /** The number of its calls; if it was forgotten while idle, since it came back. */
    public long calls() {
        return calls;
    }

    /** When it last called. */
    long lastMillis() {
        return lastMillis;
    }

    public long refused() {
        return refused;
    }

    public long firstRefusedMillis() {
        return firstRefusedMillis;
    }

    public long lastRefusedMillis() {
        return lastRefusedMillis;
    }

    /** The number of windows, of the refusing tier's period, with a refused call. */
    public long refusedWindows() {
        return refusedWindows;
    }

    /** The length of those windows together. */
    public long refusedMillis() {
        return refusedMillis;
    }

    /** The tier that last refused it; {@code null} if none did. */
    public @Nullable Tier tier() {
        return tier;
    }

    /** The most that it asked for in one window of that period. */
    public long peak(int period) {
        return windows[period].peak;
    }

    /** What it asks for in windows of that period. */
    Window window(int period) {
        return windows[period];
    }

    /** What the client asks for in windows of one period: in the open window, and at most in any. */
    static final class Window {

        private long startMillis;
        private long endMillis;
        private long asked;
        private long admitted;
        private long peak;

        private Window() {}

        void open(long atMillis, long untilMillis) {
            startMillis = atMillis;
            endMillis = untilMillis;
            asked = 0;
            admitted = 0;
        }

        void ask(long amount, long admittedOfIt) {
            asked += amount;
            admitted += admittedOfIt;
            peak = Math.max(peak, asked);
        }

        boolean contains(long millis) {
            return millis >= startMillis && millis < endMillis;
        }

        long startMillis() {
            return startMillis;
        }

        /** What was asked for in the open window so far. */
        long asked() {
            return asked;
        }

        /** What was admitted of that. */
        long admitted() {
            return admitted;
        }
    }
}
