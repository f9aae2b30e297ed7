package dev.sluice.cli.compare;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.internal.text.SafeText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Reads a file that contains one time per line, either as milliseconds since 1970 or as an ISO timestamp. Lines can be
 * in any order. Empty lines are ignored.
 */
final class TrafficFile {

    private static final int MOST_CALLS = 5_000_000;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    /**
     * The smallest accepted time in milliseconds. Smaller numbers are probably seconds. As milliseconds, they would
     * denote times in the first months of 1970.
     */
    private static final long LEAST_MILLIS = 20_000_000_000L;

    private static final long MOST_MILLIS = 4_102_444_800_000L;

    private TrafficFile() {}

    /** Reads the file, or standard input if the name is {@code -}. */
    static SampleTraffic read(String file) {
        String name = file.equals("-") ? "standard input" : file;
        try (BufferedReader lines = open(file)) {
            LongStream.Builder moments = LongStream.builder();
            int calls = 0;
            String line;
            for (int number = 1; (line = lines.readLine()) != null; number++) {
                String text = line.strip();
                if (!text.isEmpty()) {
                    moments.add(moment(text, name + ":" + number));
                    if (++calls > MOST_CALLS) {
                        throw new CommandFailure(name + " has more than " + MOST_CALLS + " calls; use a part of it");
                    }
                }
            }
            if (calls == 0) {
                throw new CommandFailure(name + " has no calls; write the time of one call per line");
            }
            return new SampleTraffic("the traffic of " + name, moments.build());
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new CommandFailure(
                    "--traffic " + file + ": there is no such file; write random, bursty, edge, or the name of a file",
                    e);
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + name + " as text: " + e, e);
        }
    }

    private static BufferedReader open(String file) throws IOException {
        return file.equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file));
    }

    private static long moment(String text, String where) {
        long millis = NUMBER.matcher(text).matches() ? number(text, where) : timestamp(text, where);
        if (millis < 0 || millis > MOST_MILLIS) {
            throw new CommandFailure(where + ": \"" + shown(text) + "\" is not between 1970 and 2100");
        }
        return millis;
    }

    private static long number(String text, String where) {
        long number = Long.parseLong(text);
        if (number < LEAST_MILLIS) {
            throw new CommandFailure(where + ": " + text + " would be in 1970; write milliseconds, such as "
                    + (text.length() == 10 ? text + "000" : "1767225600000"));
        }
        return number;
    }

    private static long timestamp(String text, String where) {
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException e) {
            throw new CommandFailure(
                    where + ": \"" + shown(text) + "\" "
                            + (hasNoZone(text)
                                    ? "has no time zone; write " + shown(text) + "Z if it is UTC"
                                    : "is not a time; write milliseconds since 1970 or a timestamp such as 2026-01-01T00:00:00.000Z"),
                    e);
        }
    }

    private static boolean hasNoZone(String text) {
        try {
            LocalDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static String shown(String text) {
        return SafeText.cut(text, 41);
    }
}
