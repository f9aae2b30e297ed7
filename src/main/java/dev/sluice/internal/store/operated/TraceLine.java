package dev.sluice.internal.store.operated;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line about what an instance did for a traced caller.
 *
 * @param atMillis when, in milliseconds since 1970 by the store's clock
 * @param number orders the lines of one instance
 * @param server the instance's display name
 */
public record TraceLine(long atMillis, long number, String server, String text) {

    private static final Pattern LINE = Pattern.compile("(\\d{1,15}) (\\d{1,15}) (\\S*) (.*)", Pattern.DOTALL);

    /** The line as stores keep it, which {@link #of} parses. */
    public String stored() {
        return atMillis + " " + number + ' ' + URLEncoder.encode(server, StandardCharsets.UTF_8) + ' ' + text;
    }

    /** Parses a line; empty if the text is not a line. */
    public static Optional<TraceLine> of(String stored) {
        Matcher line = LINE.matcher(stored);
        try {
            return line.matches()
                    ? Optional.of(new TraceLine(
                            Long.parseLong(line.group(1)),
                            Long.parseLong(line.group(2)),
                            URLDecoder.decode(line.group(3), StandardCharsets.UTF_8),
                            line.group(4)))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
