package dev.sluice.cli.sandbox;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The response that a caller requests from the sandbox.
 *
 * @param status the status of the response
 * @param delayMillis the wait before the response
 */
record RequestedAnswer(int status, long delayMillis) {

    private static final Pattern DELAY = Pattern.compile("(\\d{1,6})(ms|s)");
    private static final Pattern STATUS = Pattern.compile("[2-5]\\d\\d");
    private static final long LONGEST_MILLIS = 60_000;

    /**
     * Reads {@code status} and {@code delay} from a query. Other parameters are ignored.
     *
     * @throws IllegalArgumentException if a value is invalid. The message is a sentence that can be shown to the caller
     */
    static RequestedAnswer of(@Nullable String query) {
        String status = value(query, "status");
        String delay = value(query, "delay");
        return new RequestedAnswer(status == null ? 200 : status(status), delay == null ? 0 : delayMillis(delay));
    }

    private static @Nullable String value(@Nullable String query, String name) {
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            if (parameter.startsWith(name + "=")) {
                return parameter.substring(name.length() + 1);
            }
        }
        return null;
    }

    private static int status(String text) {
        if (!STATUS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "status=" + text + " is not a status that the sandbox can return; write 200 to 599");
        }
        return Integer.parseInt(text);
    }

    private static long delayMillis(String text) {
        Matcher parts = DELAY.matcher(text);
        long millis = parts.matches() ? Long.parseLong(parts.group(1)) * ("s".equals(parts.group(2)) ? 1000 : 1) : -1;
        if (millis < 0 || millis > LONGEST_MILLIS) {
            throw new IllegalArgumentException("delay=" + text + " is not a delay; write 50ms or 2s, at most 60s");
        }
        return millis;
    }
}
