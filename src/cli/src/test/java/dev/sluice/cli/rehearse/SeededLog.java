package dev.sluice.cli.rehearse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/** Generates a log in the combined format, of any length and always the same: 2000 calls a second. */
final class SeededLog {

    private static final long START = 1_772_409_600_000L;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String REST =
            " HTTP/1.1\" 200 1532 \"-\" \"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\"\n";

    private SeededLog() {}

    /** Calls of so many callers, a few of whom make many; 0 if each call is of another. */
    static void write(long lines, int callers, OutputStream out) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        StringBuilder some = new StringBuilder();
        String time = "";
        for (long i = 0; i < lines; i++) {
            if (i % 2000 == 0) {
                time = " - - [" + TIME.format(Instant.ofEpochMilli(START + i / 2)) + "] \"GET /product/";
            }
            double part = random.nextDouble();
            long caller = callers == 0 ? i : (long) (callers * part * part * part);
            some.append(10 + (caller >>> 24))
                    .append('.')
                    .append(caller >>> 16 & 255)
                    .append('.');
            some.append(caller >>> 8 & 255).append('.').append(caller & 255);
            some.append(time).append(random.nextInt(5000)).append(REST);
            if (some.length() > 1 << 16 || i == lines - 1) {
                out.write(some.toString().getBytes(StandardCharsets.ISO_8859_1));
                some.setLength(0);
            }
        }
    }

    /** {@code java … SeededLog 5000000 10000}. */
    public static void main(String[] arguments) throws IOException {
        write(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]), System.out);
        System.out.flush();
    }
}
