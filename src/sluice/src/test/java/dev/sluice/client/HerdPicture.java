package dev.sluice.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws how many attempts a {@link Herd} makes in each quarter of a second, with a row for each way to retry. */
final class HerdPicture {

    static final Path FILE = Path.of("docs/images/herd.svg");

    private static final long SHOWN_MILLIS = 40_000;
    private static final long SLICE_MILLIS = 250;
    private static final int WIDTH = 800;
    private static final int ROW = 130;
    private static final int HEIGHT = 90;
    private static final int LEFT = 40;
    private static final int MOST = 160;

    private final StringBuilder svg = new StringBuilder();

    private HerdPicture() {}

    static String of(Map<String, Herd.HerdResult> rows) {
        return new HerdPicture().drawn(rows);
    }

    private String drawn(Map<String, Herd.HerdResult> rows) {
        int height = rows.size() * ROW + 30;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                        + "font-size=\"13\" role=\"img\" aria-label=\"Calls in each quarter of a second\">",
                WIDTH, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        int row = 0;
        for (Map.Entry<String, Herd.HerdResult> one : rows.entrySet()) {
            row(row++ * ROW + 10, one.getKey(), one.getValue().atMillis());
        }
        for (long seconds = 0; seconds <= SHOWN_MILLIS / 1_000; seconds += 10) {
            line(
                    "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\" fill=\"#57606a\">%d s</text>",
                    x(seconds * 1_000), height - 8, seconds);
        }
        return svg.append("</svg>\n").toString();
    }

    private void row(int top, String name, List<Long> atMillis) {
        int base = top + 20 + HEIGHT;
        line("<text x=\"%d\" y=\"%d\" fill=\"#1f2328\">%s</text>", LEFT, top + 12, name);
        for (int calls : new int[] {0, 50, 100, 150}) {
            double y = base - (double) HEIGHT * calls / MOST;
            line("<path d=\"M%d %.1fH%d\" stroke=\"#d0d7de\" stroke-width=\"1\"/>", LEFT, y, WIDTH - 10);
            line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#57606a\">%d</text>", LEFT - 6, y + 4, calls);
        }
        for (long from = 0; from < SHOWN_MILLIS; from += SLICE_MILLIS) {
            long since = from;
            long calls = atMillis.stream()
                    .filter(at -> at >= since && at < since + SLICE_MILLIS)
                    .count();
            if (calls > 0) {
                double length = (double) HEIGHT * Math.min(calls, MOST) / MOST;
                line(
                        "<rect x=\"%s\" y=\"%.1f\" width=\"3.6\" height=\"%.1f\" fill=\"#0969da\"/>",
                        x(from), base - length, length);
            }
        }
    }

    private static String x(long millis) {
        return String.format(Locale.ROOT, "%.1f", LEFT + (double) (WIDTH - LEFT - 30) * millis / SHOWN_MILLIS);
    }

    private void line(String format, Object... figures) {
        svg.append(String.format(Locale.ROOT, format, figures)).append('\n');
    }

    /** Draws it anew. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(FILE, of(HerdTest.rows()));
        HerdTest.table().forEach(System.out::println);
    }
}
