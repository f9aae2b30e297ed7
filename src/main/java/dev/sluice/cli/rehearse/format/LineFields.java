package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.ByteSpan;
import dev.sluice.cli.rehearse.call.CallBuilder;
import dev.sluice.cli.rehearse.call.ExtraFields;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a call of the fields of a line. Not thread-safe. */
final class LineFields {

    private static final double LONGEST_MILLIS = 1e9;
    private static final byte[] ROOT = {'/'};
    private static final byte[] PROTOCOL = {'H', 'T', 'T', 'P', '/'};
    private static final byte[] AUTHORITY = {':', '/', '/'};
    private static final int LONGEST_METHOD = 32;

    private final CallBuilder call;
    private final boolean isEscaped;
    private final ByteSpan plain = new ByteSpan();
    /** The last time that was parsed, since most lines have the same second as the line before. */
    private byte[] lastTime = new byte[0];

    private long lastMillis = LogTime.NONE;
    private long startMillis;
    private long endMillis;
    private long durationMillis;
    private int status;
    private boolean isRequest;

    /** Makes it for one format; {@code isEscaped} says whether a backslash escapes the next character. */
    LineFields(List<ExtraFields> fieldNames, ExtraFields extras, boolean isEscaped) {
        this.call = new CallBuilder(fieldNames, extras);
        this.isEscaped = isEscaped;
    }

    /** Begins a line, with room for this many extra values; the room grows if there are more. */
    void begin(int room) {
        call.begin(room);
        startMillis = LogTime.NONE;
        endMillis = LogTime.NONE;
        durationMillis = 0;
        status = 0;
        isRequest = true;
    }

    /** Takes a field; returns whether its text is valid for its kind. */
    boolean take(Field field, int extra, byte[] line, int from, int to) {
        return switch (field.kind()) {
            case START -> (startMillis = time(line, from, to)) != LogTime.NONE;
            case END -> (endMillis = time(line, from, to)) != LogTime.NONE;
            case REQUEST -> request(plain(line, from, to));
            case METHOD -> method(line, from, to);
            case TARGET -> target(plain(line, from, to));
            case DECODED_PATH -> decodedPath(plain(line, from, to));
            case DECODED_TARGET -> decodedTarget(plain(line, from, to));
            case QUERY -> query(plain(line, from, to));
            case STATUS -> status(line, from, to);
            case ADDRESS -> address(line, from, to);
            case ADDRESS_AND_PORT -> addressAndPort(line, from, to);
            case PEER -> addressAndAnyPort(line, from, to);
            case USER -> user(line, from, to);
            case SECONDS -> duration(line, from, to, 1000);
            case MILLIS -> duration(line, from, to, 1);
            case MICROS -> duration(line, from, to, 0.001);
            case NANOS -> duration(line, from, to, 0.000_001);
            case EXTRA -> extra(extra, line, from, to);
            case OTHER -> true;
        };
    }

    private long time(byte[] line, int from, int to) {
        if (!Arrays.equals(lastTime, 0, lastTime.length, line, from, to)) {
            lastMillis = LogTime.parse(line, from, to);
            lastTime = Arrays.copyOfRange(line, from, to);
        }
        return lastMillis;
    }

    private boolean request(ByteSpan text) {
        isRequest = requestLine(text.bytes(), text.from(), text.to());
        return true;
    }

    private boolean target(ByteSpan text) {
        isRequest &= target(text.bytes(), text.from(), text.to());
        return true;
    }

    private boolean method(byte[] line, int from, int to) {
        isRequest &= isMethod(line, from, to);
        call.method.set(line, from, to);
        return true;
    }

    private boolean decodedPath(ByteSpan text) {
        isRequest &= text.from() < text.to() && text.bytes()[text.from()] == '/';
        if (!call.path.isPresent()) {
            call.path.set(LogEscapes.encoded(text));
        }
        return true;
    }

    /** Takes a decoded path, with a query behind it that was not decoded. */
    private boolean decodedTarget(ByteSpan text) {
        int question = ByteSpan.indexOf(text.bytes(), (byte) '?', text.from(), text.to());
        if (question < text.to()) {
            call.query.set(text.bytes(), question + 1, text.to());
            text.set(text.bytes(), text.from(), question);
        }
        return decodedPath(text);
    }

    private boolean query(ByteSpan text) {
        if (isAbsent(text.bytes(), text.from(), text.to())) {
            call.query.clear();
        } else {
            int mark = text.bytes()[text.from()] == '?' ? 1 : 0;
            call.query.set(text.bytes(), text.from() + mark, text.to());
        }
        return true;
    }

    private boolean status(byte[] line, int from, int to) {
        int number = LogTime.digits(line, from, to - from);
        status = Math.max(0, number);
        return number >= 0 || isAbsent(line, from, to);
    }

    private boolean address(byte[] line, int from, int to) {
        boolean isThere = from < to && !isAbsent(line, from, to);
        if (isThere) {
            call.ip.set(line, from, to);
        }
        return isThere;
    }

    /** {@code 10.0.0.1:443}, {@code [2001:db8::1]:443} or an address alone. */
    private boolean addressAndPort(byte[] line, int from, int to) {
        if (from < to && line[from] == '[') {
            int end = ByteSpan.indexOf(line, (byte) ']', from, to);
            return end == to ? address(line, from, to) : address(line, from + 1, end);
        }
        int colon = ByteSpan.lastIndexOf(line, (byte) ':', from, to);
        return address(line, from, colon > from ? colon : to);
    }

    /** The same where there may be no port: an IPv6 address without brackets has none. */
    private boolean addressAndAnyPort(byte[] line, int from, int to) {
        int colon = ByteSpan.indexOf(line, (byte) ':', from, to);
        boolean mayHavePort =
                (from < to && line[from] == '[') || ByteSpan.indexOf(line, (byte) ':', colon + 1, to) >= to;
        return mayHavePort ? addressAndPort(line, from, to) : address(line, from, to);
    }

    private boolean user(byte[] line, int from, int to) {
        boolean isEmpty = to - from == 2 && line[from] == '"' && line[from + 1] == '"';
        if (!isEmpty && !isAbsent(line, from, to)) {
            call.user.set(plain(line, from, to));
        }
        return true;
    }

    private boolean duration(byte[] line, int from, int to, double millis) {
        double number = LogTime.decimal(line, from, to);
        durationMillis = number > 0 ? Math.round(Math.min(number * millis, LONGEST_MILLIS)) : 0;
        return true; // one that cannot be read is unknown
    }

    private boolean extra(int extra, byte[] line, int from, int to) {
        if (extra >= 0 && !isAbsent(line, from, to)) {
            ByteSpan text = plain(line, from, to);
            call.value(extra, text.bytes(), text.from(), text.to());
        }
        return true;
    }

    private static boolean isAbsent(byte[] line, int from, int to) {
        return from == to || (to - from == 1 && line[from] == '-');
    }

    private ByteSpan plain(byte[] line, int from, int to) {
        plain.set(line, from, to);
        for (int i = from; isEscaped && i < to; i++) {
            if (line[i] == '\\') {
                byte[] unescaped = LogEscapes.unescaped(line, from, to);
                plain.set(unescaped, 0, unescaped.length);
                break;
            }
        }
        return plain;
    }

    /** The call; {@code null} if the line lacks a time or an address. */
    @Nullable LoggedCall call() {
        boolean hasStart = startMillis != LogTime.NONE;
        boolean hasEnd = endMillis != LogTime.NONE;
        if ((!hasStart && !hasEnd) || !call.ip.isPresent()) {
            return null;
        }
        if (!isRequest) {
            return LoggedCall.NO_REQUEST;
        }
        long start = hasStart ? startMillis : endMillis - durationMillis;
        long end = hasEnd ? Math.max(start, endMillis) : startMillis + durationMillis;
        return call.call(start, end - start, status);
    }

    /** Takes {@code GET /product/1?page=2 HTTP/1.1}; returns whether that is a request. */
    private boolean requestLine(byte[] line, int from, int to) {
        int space = ByteSpan.indexOf(line, (byte) ' ', from, Math.min(to, from + LONGEST_METHOD + 1));
        if (space == to || !isMethod(line, from, space)) {
            return false;
        }
        int last = ByteSpan.lastIndexOf(line, (byte) ' ', space, to);
        int end = last > space && ByteSpan.startsWith(line, last + 1, to, PROTOCOL) ? last : to;
        if (!target(line, space + 1, end)) {
            return false;
        }
        call.method.set(line, from, space);
        return true;
    }

    /** The same for a target only: {@code /product/1?page=2} or {@code https://shop/product/1}. */
    private boolean target(byte[] line, int from, int to) {
        int start = from;
        if (start < to && line[start] != '/') {
            int scheme = ByteSpan.indexOf(line, (byte) ':', start, Math.min(to, start + 8));
            if (ByteSpan.startsWith(line, scheme, to, AUTHORITY)) {
                start = ByteSpan.indexOf(line, (byte) '/', scheme + 3, to);
                int question = ByteSpan.indexOf(line, (byte) '?', scheme + 3, start);
                start = question < start ? question : start;
            } else if (to - start != 1 || line[start] != '*') {
                return false; // the target of CONNECT, or nothing that a servlet would see
            }
        }
        int question = ByteSpan.indexOf(line, (byte) '?', start, to);
        if (question == start) {
            call.path.set(ROOT, 0, ROOT.length);
        } else {
            call.path.set(line, start, question);
        }
        if (question == to) {
            call.query.clear();
        } else {
            call.query.set(line, question + 1, to);
        }
        return from < to;
    }

    /** Whether that can be a method; TLS on a port for HTTP cannot. */
    private static boolean isMethod(byte[] line, int from, int to) {
        if (to - from < 1 || to - from > LONGEST_METHOD) {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte c = line[i];
            boolean isLetter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
            if (!isLetter) {
                return false;
            }
        }
        return line[from] != '-';
    }
}
