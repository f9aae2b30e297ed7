package dev.sluice.cli.rehearse.format;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of one line, as they are found, until they make a call. For one thread. */
final class LineFields {

    private static final @Nullable String[] NONE = new String[0];

    private final TextPool pool;
    private final Extras extras;
    private final boolean isEscaped;
    private final RequestLine request;
    private @Nullable String[] values = NONE;
    private long startMillis;
    private long endMillis;
    private long durationMillis;
    private int status;
    private String ip = "";
    private @Nullable String user;
    private @Nullable String method;
    private @Nullable String path;
    private @Nullable String query;
    private boolean isRequest;

    /** Makes one; with backslashes that escape, or that stand for themselves. */
    LineFields(TextPool pool, Extras extras, boolean isEscaped) {
        this.pool = pool;
        this.extras = extras;
        this.isEscaped = isEscaped;
        this.request = new RequestLine(pool);
    }

    /** A line with so many values beside what all lines have; more find room, if there are any. */
    void begin(int room) {
        values = room == 0 ? NONE : new String[room];
        startMillis = Moments.NONE;
        endMillis = Moments.NONE;
        durationMillis = 0;
        status = 0;
        ip = "";
        user = null;
        method = null;
        path = null;
        query = null;
        isRequest = true;
    }

    /** Takes a field; whether it is written as such a field is. */
    boolean take(Field field, int extra, byte[] line, int from, int to) {
        return switch (field.kind()) {
            case START -> (startMillis = Moments.parse(line, from, to)) != Moments.NONE;
            case END -> (endMillis = Moments.parse(line, from, to)) != Moments.NONE;
            case REQUEST -> request(plain(line, from, to));
            case METHOD -> method(line, from, to);
            case TARGET -> target(plain(line, from, to));
            case DECODED_PATH -> decodedPath(line, from, to);
            case DECODED_TARGET -> decodedTarget(line, from, to);
            case QUERY -> query(line, from, to);
            case STATUS -> status(line, from, to);
            case ADDRESS -> address(pool.text(line, from, to));
            case ADDRESS_AND_PORT -> address(withoutPort(pool.text(line, from, to)));
            case PEER -> address(withoutAnyPort(pool.text(line, from, to)));
            case USER -> user(line, from, to);
            case SECONDS -> duration(line, from, to, 1000);
            case MILLIS -> duration(line, from, to, 1);
            case MICROS -> duration(line, from, to, 0.001);
            case NANOS -> duration(line, from, to, 0.000_001);
            case EXTRA -> extra(extra, line, from, to);
            case OTHER -> true;
        };
    }

    private boolean request(Span text) {
        isRequest = request.read(text.bytes, text.from, text.to);
        if (isRequest) {
            method = request.method();
            path = request.path();
            query = request.query();
        }
        return true;
    }

    private boolean target(Span text) {
        isRequest &= request.readTarget(text.bytes, text.from, text.to);
        path = request.path();
        query = request.query();
        return true;
    }

    private boolean method(byte[] line, int from, int to) {
        isRequest &= RequestLine.isMethod(line, from, to);
        method = pool.text(line, from, to);
        return true;
    }

    /** To be decoded again as it is matched, it is encoded. */
    private boolean decodedPath(byte[] line, int from, int to) {
        return decodedPath(text(line, from, to));
    }

    private boolean decodedPath(String text) {
        isRequest &= text.startsWith("/");
        if (path == null) {
            path = text.indexOf('%') < 0 && text.indexOf('?') < 0 && text.indexOf(';') < 0
                    ? text
                    : text.replace("%", "%25").replace("?", "%3F").replace(";", "%3B");
        }
        return true;
    }

    /** A path that was decoded, and the query behind it that was not. */
    private boolean decodedTarget(byte[] line, int from, int to) {
        String text = text(line, from, to);
        int question = text.indexOf('?');
        query = question < 0 ? null : text.substring(question + 1);
        return decodedPath(question < 0 ? text : text.substring(0, question));
    }

    private boolean query(byte[] line, int from, int to) {
        String text = text(line, from, to);
        query = text.isEmpty() || text.equals("-") ? null : text.startsWith("?") ? text.substring(1) : text;
        return true;
    }

    private boolean status(byte[] line, int from, int to) {
        int number = Moments.digits(line, from, to - from);
        status = Math.max(0, number);
        return number >= 0 || isNothing(line, from, to);
    }

    private boolean address(String text) {
        ip = text;
        return !text.isEmpty() && !text.equals("-");
    }

    /** {@code 10.0.0.1:443}, {@code [2001:db8::1]:443} or an address alone. */
    private static String withoutPort(String text) {
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            return end < 0 ? text : text.substring(1, end);
        }
        int colon = text.lastIndexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    /** The same where there may be none: an IPv6 address without brackets has no port. */
    private static String withoutAnyPort(String text) {
        return text.startsWith("[") || text.indexOf(':') == text.lastIndexOf(':') ? withoutPort(text) : text;
    }

    private boolean user(byte[] line, int from, int to) {
        if (!isNothing(line, from, to)) {
            String text = text(line, from, to);
            user = text.equals("\"\"") ? null : text;
        }
        return true;
    }

    private boolean duration(byte[] line, int from, int to, double millis) {
        double number = Moments.decimal(line, from, to);
        durationMillis = number > 0 ? Math.round(Math.min(number * millis, 1e9)) : 0;
        return true; // one that cannot be read is not known
    }

    private boolean extra(int extra, byte[] line, int from, int to) {
        if (extra >= 0 && !isNothing(line, from, to)) {
            values = extra < values.length ? values : Arrays.copyOf(values, extra + 4);
            values[extra] = text(line, from, to);
        }
        return true;
    }

    private static boolean isNothing(byte[] line, int from, int to) {
        return from == to || (to - from == 1 && line[from] == '-');
    }

    private String text(byte[] line, int from, int to) {
        Span span = plain(line, from, to);
        return pool.text(span.bytes, span.from, span.to);
    }

    private Span plain(byte[] line, int from, int to) {
        for (int i = from; isEscaped && i < to; i++) {
            if (line[i] == '\\') {
                byte[] undone = Escapes.undone(line, from, to);
                return new Span(undone, 0, undone.length);
            }
        }
        return new Span(line, from, to);
    }

    /** Some bytes of a line. */
    private static final class Span {

        private final byte[] bytes;
        private final int from;
        private final int to;

        private Span(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.from = from;
            this.to = to;
        }
    }

    /** The call; {@code null} if the line does not say enough. */
    @Nullable LoggedCall call() {
        boolean hasStart = startMillis != Moments.NONE;
        boolean hasEnd = endMillis != Moments.NONE;
        if ((!hasStart && !hasEnd) || ip.isEmpty()) {
            return null;
        }
        if (!isRequest) {
            return LoggedCall.NO_REQUEST;
        }
        long start = hasStart ? startMillis : endMillis - durationMillis;
        long end = hasEnd ? Math.max(start, endMillis) : startMillis + durationMillis;
        return new LoggedCall(
                end,
                start,
                end - start,
                status,
                Objects.requireNonNullElse(method, "GET"),
                Objects.requireNonNullElse(path, "/"),
                query,
                ip,
                user,
                values,
                extras);
    }
}
