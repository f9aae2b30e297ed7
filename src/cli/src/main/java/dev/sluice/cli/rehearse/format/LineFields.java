package dev.sluice.cli.rehearse.format;

import static java.util.Objects.requireNonNullElse;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Assembles a call from the fields of one line. Not thread-safe. */
final class LineFields {

    private static final double LONGEST_MILLIS = 1e9;
    private static final Pattern STATUS = Pattern.compile("\\d{1,9}");
    private static final Pattern METHOD = Pattern.compile("[A-Za-z_][A-Za-z_-]{0,31}");
    /** A complete request, for example {@code GET /product/1?page=2 HTTP/1.1}. */
    private static final Pattern REQUEST = Pattern.compile("(" + METHOD + ") (.+?)(?: HTTP/[^ ]*)?", Pattern.DOTALL);
    /** A request target, for example {@code /product/1?page=2}, {@code https://shop/product/1} or {@code *}. */
    private static final Pattern TARGET =
            Pattern.compile("(?:[^:/]{1,7}://[^/?]*(?=[/?]|$))?([^?]*)(?:\\?(.*))?", Pattern.DOTALL);

    private final boolean isEscaped;
    private final Map<String, String> others = new HashMap<>();
    private long startMillis = LogTime.NONE;
    private long endMillis = LogTime.NONE;
    private long durationMillis;
    private int status;
    private @Nullable String method;
    private @Nullable String path;
    private @Nullable String query;
    private @Nullable String ip;
    private @Nullable String user;
    private boolean isRequest = true;

    /** Starts a line. If {@code isEscaped} is {@code true}, a backslash in a field escapes the next character. */
    LineFields(boolean isEscaped) {
        this.isEscaped = isEscaped;
    }

    /** Sets a field. Returns whether its text is valid for its kind. */
    boolean take(Field field, String text) {
        switch (field.kind()) {
            case START -> startMillis = LogTime.parse(text);
            case END -> endMillis = LogTime.parse(text);
            case REQUEST -> isRequest = request(plain(text));
            case METHOD -> method(text);
            case TARGET -> isRequest &= target(plain(text));
            case DECODED_PATH -> decodedPath(plain(text));
            case DECODED_TARGET -> decodedTarget(plain(text));
            case QUERY -> query(plain(text));
            case STATUS -> status = status(text);
            case ADDRESS -> ip = text;
            case ADDRESS_AND_PORT -> ip = withoutPort(text);
            case PEER -> ip = mayHavePort(text) ? withoutPort(text) : text;
            // Apache logs an empty name as two quotes.
            case USER -> user = isAbsent(text) || text.equals("\"\"") ? user : plain(text);
            case SECONDS -> duration(text, 1000);
            case MILLIS -> duration(text, 1);
            case MICROS -> duration(text, 0.001);
            case NANOS -> duration(text, 0.000_001);
            case EXTRA -> other(field.name(), text);
            case OTHER -> {}
        }
        return switch (field.kind()) {
            case START -> startMillis != LogTime.NONE;
            case END -> endMillis != LogTime.NONE;
            case STATUS -> status >= 0;
            case ADDRESS, ADDRESS_AND_PORT, PEER -> ip != null && !isAbsent(ip);
            default -> true;
        };
    }

    /** Parses the status. Returns 0 if there is none, and a negative number if the text is not a number. */
    private static int status(String text) {
        return isAbsent(text) ? 0 : STATUS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }

    private void method(String text) {
        isRequest &= METHOD.matcher(text).matches();
        method = text;
    }

    /**
     * Sets a complete request. Returns whether the text is a request. A log can also contain other text, such as the
     * bytes that a TLS client has sent to an HTTP port.
     */
    private boolean request(String text) {
        Matcher request = REQUEST.matcher(text);
        if (!request.matches() || !target(request.group(2))) {
            return false;
        }
        method = request.group(1);
        return true;
    }

    /** Sets a target. Returns whether the request would reach a servlet. A CONNECT request, for example, never does. */
    private boolean target(String text) {
        Matcher target = TARGET.matcher(text);
        if (text.isEmpty() || !target.matches()) {
            return false;
        }
        String found = target.group(1);
        path = found.isEmpty() ? "/" : found;
        query = target.group(2);
        return path.startsWith("/") || path.equals("*");
    }

    private void decodedPath(String text) {
        isRequest &= text.startsWith("/");
        path = path == null ? LogEscapes.encoded(text) : path;
    }

    /** Sets a target that consists of a decoded path and a query that was not decoded. */
    private void decodedTarget(String text) {
        int question = text.indexOf('?');
        query = question < 0 ? query : text.substring(question + 1);
        decodedPath(question < 0 ? text : text.substring(0, question));
    }

    private void query(String text) {
        query = isAbsent(text) ? null : text.startsWith("?") ? text.substring(1) : text;
    }

    /** Removes the port, if there is one, from an address such as {@code 10.0.0.1:443} or {@code [2001:db8::1]:443}. */
    private static String withoutPort(String text) {
        int end = text.startsWith("[") ? text.indexOf(']') : text.lastIndexOf(':');
        return end <= 0 ? text : text.substring(text.startsWith("[") ? 1 : 0, end);
    }

    /** Whether the text might end with a port. An IPv6 address without brackets never does. */
    private static boolean mayHavePort(String text) {
        return text.startsWith("[") || text.indexOf(':') == text.lastIndexOf(':');
    }

    /** Sets the duration. If it cannot be parsed, it is treated as unknown. */
    private void duration(String text, double millis) {
        double number = LogTime.decimal(text);
        durationMillis = number > 0 ? Math.round(Math.min(number * millis, LONGEST_MILLIS)) : 0;
    }

    private void other(String name, String text) {
        if (!isAbsent(text)) {
            others.put(name, plain(text));
        }
    }

    private static boolean isAbsent(String text) {
        return text.isEmpty() || text.equals("-");
    }

    private String plain(String text) {
        return isEscaped ? LogEscapes.unescaped(text) : text;
    }

    /** Returns the call; {@code null} if the line lacks a time or an address. */
    @Nullable LoggedCall call() {
        boolean hasStart = startMillis != LogTime.NONE;
        boolean hasEnd = endMillis != LogTime.NONE;
        if ((!hasStart && !hasEnd) || ip == null) {
            return null;
        }
        if (!isRequest) {
            return LoggedCall.NO_REQUEST;
        }
        // Most logs record the time when a call ends, but a limit counts the call when it begins.
        long start = hasStart ? startMillis : endMillis - durationMillis;
        long end = hasEnd ? Math.max(start, endMillis) : startMillis + durationMillis;
        return new LoggedCall(
                start,
                end - start,
                status,
                requireNonNullElse(method, "GET"),
                requireNonNullElse(path, "/"),
                query,
                ip,
                user,
                others);
    }
}
