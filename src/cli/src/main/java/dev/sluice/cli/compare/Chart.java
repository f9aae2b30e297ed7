package dev.sluice.cli.compare;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.tier.Limit;
import java.time.Duration;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * An SVG chart of one algorithm. It adapts to the light or dark mode of the surrounding page. For each moment, the
 * chart shows three numbers of calls in the preceding period. These are the calls that passed, the calls that a perfect
 * window would have admitted (in grey), and the calls that the algorithm counted.
 */
final class Chart {

    /** The CSS of all charts on a page. */
    static final String STYLE = """
            svg.course { font: 11px system-ui, sans-serif; }
            .course text { fill: #57606a; }
            .course .title { fill: #1f2328; font-size: 13px; font-weight: 600; }
            .course .perfect { fill: #8c959f; fill-opacity: .35; }
            .course .passed { fill: none; stroke: #0969da; stroke-width: 1.6; stroke-linejoin: round; }
            .course .counted { fill: none; stroke: #bc4c00; stroke-width: 1; stroke-dasharray: 3 2; }
            .course .limit { stroke: #cf222e; stroke-width: 1; }
            .course .mark { stroke: #8c959f; stroke-opacity: .35; stroke-width: 1; }
            @media (prefers-color-scheme: dark) {
              .course text { fill: #9198a1; }
              .course .title { fill: #f0f6fc; }
              .course .perfect { fill: #9198a1; fill-opacity: .35; }
              .course .passed { stroke: #58a6ff; }
              .course .counted { stroke: #f0883e; }
              .course .limit { stroke: #ff7b72; }
            }
            """;

    private static final int WIDTH = 720;
    private static final int HEIGHT = 220;
    private static final int LEFT = 44;
    private static final int TOP = 30;
    private static final int RIGHT = WIDTH - 12;
    private static final int BOTTOM = HEIGHT - 26;
    private static final int PERIODS = 6;
    private static final int STEPS = 600;

    private final Playback playback;
    private final SampleTraffic traffic;
    private final long limit;
    private final Duration period;
    private final long from;
    private final long to;

    /** Creates a chart that covers the periods around the given moment. */
    Chart(Playback playback, long momentMillis) {
        Limit figures = playback.algorithm.limit();
        this.playback = playback;
        this.traffic = playback.traffic;
        this.limit = figures.threshold();
        this.period = figures.period();
        long length = period.toMillis();
        long first = Math.floorDiv(traffic.moment(0), length);
        this.from = Math.max(first, Math.floorDiv(momentMillis, length) - PERIODS / 2) * length;
        this.to = from + PERIODS * length;
    }

    /** Returns the chart's file name without the extension. */
    String name() {
        return playback.algorithm.name();
    }

    /** Renders the chart as the content of a separate file. The file includes the CSS. */
    String standalone() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + content("<style>\n" + STYLE + "</style>\n");
    }

    /** Renders the chart as an element of a page. The page includes the CSS only once for all charts. */
    String inline() {
        return "<svg" + content("");
    }

    private String content(String style) {
        StringBuilder svg = new StringBuilder();
        svg.append(" class=\"course\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
                .formatted(WIDTH, HEIGHT, playback.algorithm.title()));
        svg.append(style);
        text(svg, "title", LEFT, 18, "start", playback.algorithm.title());
        text(
                svg,
                "",
                RIGHT,
                18,
                "end",
                "worst %s: %.0f%% of the limit"
                        .formatted(Durations.shortest(period), playback.percentOfLimit(playback.worst)));
        marks(svg);
        svg.append("<path class=\"perfect\" d=\"%s L%s %d L%s %d Z\"/>\n"
                .formatted(trailing(perfect()), x(to), BOTTOM, x(from), BOTTOM));
        for (long level = 0; level <= 2; level++) {
            text(svg, "", LEFT - 6, (int) Math.round(y(level * limit)) + 4, "end", String.valueOf(level * limit));
        }
        svg.append("<path class=\"limit\" d=\"M%d %s H%d\"/>\n".formatted(LEFT, number(y(limit)), RIGHT));
        svg.append("<path class=\"counted\" d=\"%s\"/>\n".formatted(counted()));
        svg.append("<path class=\"passed\" d=\"%s\"/>\n".formatted(trailing(playback.admitted::get)));
        return svg.append("</svg>\n").toString();
    }

    private void marks(StringBuilder svg) {
        for (int mark = 0; mark <= PERIODS; mark++) {
            long moment = from + mark * period.toMillis();
            svg.append("<path class=\"mark\" d=\"M%s %d V%d\"/>\n".formatted(x(moment), TOP, BOTTOM));
            String anchor = mark == 0 ? "start" : mark == PERIODS ? "end" : "middle";
            String label = mark == 0 ? "0" : Durations.shortest(period.multipliedBy(mark));
            text(svg, "", (int) Math.round(xOf(moment)), HEIGHT - 8, anchor, label);
        }
    }

    private static void text(StringBuilder svg, String kind, int x, int y, String anchor, String text) {
        svg.append("<text%s x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n"
                .formatted(kind.isEmpty() ? "" : " class=\"" + kind + "\"", x, y, anchor, text));
    }

    /** Selects the calls that a perfect window admits. */
    private IntPredicate perfect() {
        PerfectWindow window = new PerfectWindow(period.toMillis());
        BitSet passes = new BitSet();
        for (int call = 0; call < traffic.calls(); call++) {
            if (window.count(traffic.moment(call)) < limit) {
                window.add(traffic.moment(call));
                passes.set(call);
            }
        }
        return passes::get;
    }

    /** Draws a line that shows, for each moment, the number of selected calls in the preceding period. */
    private String trailing(IntPredicate which) {
        PerfectWindow window = new PerfectWindow(period.toMillis());
        Path path = new Path();
        int call = 0;
        for (int step = 0; step <= STEPS; step++) {
            long moment = from + (to - from) * step / STEPS;
            for (; call < traffic.calls() && traffic.moment(call) <= moment; call++) {
                if (which.test(call)) {
                    window.add(traffic.moment(call));
                }
            }
            path.to(moment, window.count(moment));
        }
        return path.toString();
    }

    /**
     * Draws a line that shows, for each moment, how many calls the algorithm counts. The counts are read from a
     * separate limiter with calls that take no permit, so that the results are not affected.
     */
    private String counted() {
        Path path = new Path();
        int call = 0;
        try (VirtualLimiter limiter = new VirtualLimiter(playback.algorithm.limit())) {
            for (int step = 0; step <= STEPS; step++) {
                long moment = from + (to - from) * step / STEPS;
                for (; call < traffic.calls() && traffic.moment(call) < moment; call++) {
                    limiter.decide(VirtualLimiter.name(0), traffic.moment(call));
                }
                path.to(moment, playback.algorithm.limit().capacity() - limiter.left(VirtualLimiter.name(0), moment));
            }
        }
        return path.toString();
    }

    /** The SVG path of a line. It omits repeated points, because a pause in the traffic would add hundreds of them. */
    private final class Path {
        private final StringBuilder text = new StringBuilder();
        private String last = "";

        private void to(long moment, long calls) {
            String point = x(moment) + " " + number(y(calls));
            if (!point.equals(last)) {
                text.append(text.isEmpty() ? "M" : " L").append(point);
                last = point;
            }
        }

        @Override
        public String toString() {
            return text.isEmpty() ? "M0 0" : text.toString();
        }
    }

    private String x(long moment) {
        return number(xOf(moment));
    }

    private double xOf(long moment) {
        return LEFT + (double) (moment - from) / (to - from) * (RIGHT - LEFT);
    }

    private double y(long calls) {
        return BOTTOM - (double) calls / (2.1 * limit) * (BOTTOM - TOP);
    }

    private static String number(double coordinate) {
        String text = String.format(Locale.ROOT, "%.1f", coordinate);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
