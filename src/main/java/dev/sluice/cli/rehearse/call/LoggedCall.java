package dev.sluice.cli.rehearse.call;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.Call;
import dev.sluice.internal.http.call.QueryString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a log, as a view of its bytes. A reader moves one view from call to call, so that calls need no objects,
 * and text is decoded only when it is asked for. To keep a call, copy its bytes and move another view to them. Not
 * thread-safe.
 *
 * <p>Numbers stand at fixed offsets, the lengths of the texts among them; then the texts; then the values of extra
 * fields, each behind its length. A length of -1 stands for a missing text.
 */
public final class LoggedCall implements Call {

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The number of bytes of the call. */
    static final int LENGTH = 0;

    static final int START = 4;
    static final int DURATION = 12;
    static final int STATUS = 20;
    /** The number of its {@link ExtraFields} among those of all formats. */
    static final int EXTRAS = 24;
    /** The number of values of extra fields. */
    static final int VALUES = 28;
    /** The lengths of the texts that most formats have: method, path, query, address and user. */
    static final int LENGTHS = 32;

    private static final int METHOD = 0;
    private static final int PATH = 1;
    private static final int QUERY = 2;
    private static final int IP = 3;
    private static final int USER = 4;
    private static final int PARTS = 5;
    static final int TEXTS = LENGTHS + PARTS * Integer.BYTES;
    private static final byte[] NOTHING = new byte[TEXTS];

    /** Stands for a line without a request: the connection was only opened, or did not speak HTTP. */
    public static final LoggedCall NO_REQUEST = new LoggedCall(List.of());

    /** The field with what the application charged for a call. */
    public static final String CHARGE = "charge";

    private static final long NO_CHARGE = -1;

    private final List<ExtraFields> fieldNames;
    private byte[] bytes = NOTHING;
    private int from;
    /** The parts that were decoded. */
    private final @Nullable String[] decoded = new @Nullable String[PARTS];

    LoggedCall(List<ExtraFields> fieldNames) {
        this.fieldNames = fieldNames;
    }

    /** Another view of the same call, which can be moved to any call of the same logs. */
    public LoggedCall newView() {
        LoggedCall view = new LoggedCall(fieldNames);
        view.moveTo(this);
        return view;
    }

    /** Moves this view to the call that the other one shows. */
    public void moveTo(LoggedCall other) {
        moveTo(other.bytes, other.from);
    }

    /** Moves this view to the call that begins there. */
    public void moveTo(byte[] in, int first) {
        bytes = in;
        from = first;
        Arrays.fill(decoded, null);
    }

    /** Writes the bytes of the call there. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, from, target, at, length());
    }

    /** The number of its bytes. */
    public int length() {
        return number(LENGTH);
    }

    private int number(int place) {
        return (int) INT.get(bytes, from + place);
    }

    private int lengthOf(int part) {
        return number(LENGTHS + part * Integer.BYTES);
    }

    /** Where a part begins; where the values of extra fields begin for the number behind the last part. */
    private int begin(int part) {
        int at = from + TEXTS;
        for (int i = 0; i < part; i++) {
            at += Math.max(0, lengthOf(i));
        }
        return at;
    }

    private @Nullable String text(int part) {
        String known = decoded[part];
        int length = lengthOf(part);
        if (known == null && length >= 0) {
            known = part == METHOD && isGet(length) ? "GET" : text(begin(part), length);
            decoded[part] = known;
        }
        return known;
    }

    /** Most calls are GET, and need no new string. */
    private boolean isGet(int length) {
        int at = from + TEXTS;
        return length == 3 && bytes[at] == 'G' && bytes[at + 1] == 'E' && bytes[at + 2] == 'T';
    }

    /** Decodes UTF-8; each invalid byte becomes a replacement character. */
    private String text(int first, int length) {
        return new String(bytes, first, length, StandardCharsets.UTF_8);
    }

    /** Removes a context path from the bytes of the path; returns whether the path began with it. */
    public boolean removeContextPath(byte[] context) {
        int begin = begin(PATH);
        int end = begin(QUERY);
        int rest = begin + context.length;
        if (rest > end || !Arrays.equals(bytes, begin, rest, context, 0, context.length)) {
            return false;
        }
        if (rest < end && bytes[rest] != '/') {
            return false;
        }
        if (rest == end) {
            bytes[--rest] = '/';
        }
        System.arraycopy(bytes, rest, bytes, begin, from + length() - rest);
        INT.set(bytes, from + LENGTHS + PATH * Integer.BYTES, end - rest);
        INT.set(bytes, from + LENGTH, length() - (rest - begin));
        moveTo(bytes, from);
        return true;
    }

    /** When the line was written: when the call ended. */
    public long loggedMillis() {
        return startMillis() + durationMillis();
    }

    /** When the call began, in milliseconds since 1970. */
    public long startMillis() {
        return (long) LONG.get(bytes, from + START);
    }

    /** How long it took; 0 if unknown. */
    public long durationMillis() {
        return (long) LONG.get(bytes, from + DURATION);
    }

    /** How much the application charged for it; -1 if unknown. */
    public long charge() {
        String told = field(CHARGE);
        try {
            return told == null ? NO_CHARGE : Math.max(0, Long.parseLong(told));
        } catch (NumberFormatException e) {
            return NO_CHARGE;
        }
    }

    /** The status of its answer; 0 if the line has none. */
    public int status() {
        return number(STATUS);
    }

    @Override
    public String method() {
        return requireNonNullElse(text(METHOD), "");
    }

    @Override
    public String path() {
        return requireNonNullElse(text(PATH), "");
    }

    @Override
    public String ip() {
        return requireNonNullElse(text(IP), "");
    }

    @Override
    public @Nullable String principal() {
        return text(USER);
    }

    private @Nullable String value(int index) {
        if (index < 0 || index >= number(VALUES)) {
            return null;
        }
        int at = begin(PARTS);
        for (int i = 0; ; i++) {
            int length = (int) INT.get(bytes, at);
            at += Integer.BYTES;
            if (i == index) {
                return length < 0 ? null : text(at, length);
            }
            at += Math.max(0, length);
        }
    }

    private ExtraFields extras() {
        return fieldNames.get(number(EXTRAS));
    }

    private @Nullable String field(String name) {
        return number(VALUES) == 0 ? null : value(extras().names().indexOf(name));
    }

    private @Nullable String named(String kind, String name) {
        return number(VALUES) == 0 ? null : field(kind + ':' + name);
    }

    @Override
    public @Nullable String header(String name) {
        return number(VALUES) == 0 ? null : value(extras().header(name));
    }

    @Override
    public int queryReadings() {
        String whole = text(QUERY);
        return whole == null ? 1 : QueryString.readings(whole);
    }

    @Override
    public @Nullable String query(String name) {
        return query(name, 0);
    }

    @Override
    public @Nullable String query(String name, int reading) {
        String alone = named("query", name);
        String whole = alone == null ? text(QUERY) : null;
        return whole == null ? alone : QueryString.first(whole, name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        String alone = named("cookie", name);
        String header = alone == null ? header("Cookie") : null;
        if (header == null) {
            return alone;
        }
        for (String pair : header.split(";", -1)) {
            String stripped = pair.strip();
            if (stripped.indexOf('=') == name.length() && stripped.startsWith(name)) {
                String value = stripped.substring(name.length() + 1);
                boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                return isQuoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return null;
    }

    @Override
    public @Nullable String attribute(String name) {
        String alone = field(name);
        return alone != null ? alone : named("attribute", name);
    }

    @Override
    public @Nullable String claim(String name) {
        return named("claim", name);
    }

    @Override
    public @Nullable String session() {
        return field("session");
    }
}
