package dev.sluice.cli.rehearse;

import dev.sluice.cli.output.TimeText;
import dev.sluice.cli.rehearse.log.Logs;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows on a terminal how far the logs have been read, at what speed, and how much time remains. Not thread-safe. */
final class Progress {

    private static final int LOOK_EVERY = 8_192;
    private static final long SHOW_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int WIDTH = 24;
    private static final String CLEARED = "\r\u001b[K";

    private final Logs logs;
    private final PrintWriter out;
    private final boolean isShown;
    private final long begunNanos = System.nanoTime();
    private long shownNanos = begunNanos;
    private int calls;

    /** Creates a progress line. It is printed only if {@code isShown} is {@code true}. */
    Progress(Logs logs, PrintWriter out, boolean isShown) {
        this.logs = logs;
        this.out = out;
        this.isShown = isShown;
    }

    /** Counts a call, and occasionally updates the line. */
    void step() {
        // We do not read the clock for each call, because that would consume a large part of the total time.
        if (isShown && ++calls % LOOK_EVERY == 0 && System.nanoTime() - shownNanos > SHOW_EVERY_NANOS) {
            shownNanos = System.nanoTime();
            double seconds = (shownNanos - begunNanos) / 1e9;
            out.print(CLEARED + line(logs.summary().read(), logs.position(), logs.size(), seconds));
            out.flush();
        }
    }

    /** Formats the line, for example {@code [####      ] 42%  1200000 lines  610000/s  3s left}. */
    static String line(long lines, long position, long size, double seconds) {
        String speed = lines + " lines  " + Math.round(lines / seconds) + "/s";
        if (size <= 0 || position <= 0) {
            return speed;
        }
        double part = Math.min(1, (double) position / size);
        int filled = (int) (part * WIDTH);
        long left = (long) (1000 * seconds * (1 - part) / part);
        return String.format(
                Locale.ROOT,
                "[%s%s] %d%%  %s  %s left",
                "#".repeat(filled),
                " ".repeat(WIDTH - filled),
                (int) (part * 100),
                speed,
                TimeText.span(left));
    }

    /** Clears the line. */
    void end() {
        if (isShown) {
            out.print(CLEARED);
            out.flush();
        }
    }
}
