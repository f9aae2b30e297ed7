package dev.sluice.cli.rehearse.call;

import dev.sluice.Call;
import dev.sluice.internal.http.call.QueryString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A call of a log, as a view of its bytes. A reader moves one view from call to call, so that calls need no objects,
 * and text is decoded only when it is asked for. To keep a call, copy its bytes and move another view to them. For one
 * thread.
 */
public final class LoggedCall implements Call {

    private static final byte[] NOTHING = new byte[CallLayout.TEXTS];

    /** Stands for a line without a request: of a connection that was only opened, or that was not HTTP. */
    public static final LoggedCall NO_REQUEST = new LoggedCall(new FieldNames());

    /** The field with what the application charged for a call. */
    public static final String CHARGE = "charge";

    private static final long NO_CHARGE = -1;

    private final FieldNames fieldNames;
    private byte[] bytes = NOTHING;
    private int from;
    private @Nullable String method;
    private @Nullable String path;
    private @Nullable String ip;
    private @Nullable String user;
    private @Nullable String query;

    LoggedCall(FieldNames fieldNames) {
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
        method = null;
        path = null;
        ip = null;
        user = null;
        query = null;
    }

    /** Writes the bytes of the call there. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, from, target, at, length());
    }

    /** The number of its bytes. */
    public int length() {
        return number(CallLayout.LENGTH);
    }

    /** As UTF-8; bytes that are none are each a replacement character. */
    private String text(int first, int end) {
        return new String(bytes, first, end - first, StandardCharsets.UTF_8);
    }

    private int number(int place) {
        return (int) CallLayout.INT.get(bytes, from + place);
    }

    /** Removes a context path from the bytes of the path; returns whether the path began with it. */
    public boolean removeContextPath(byte[] context) {
        int begin = pathFrom();
        int end = queryFrom();
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
        CallLayout.INT.set(bytes, from + CallLayout.PATH_LENGTH, end - rest);
        CallLayout.INT.set(bytes, from + CallLayout.LENGTH, length() - (rest - begin));
        moveTo(bytes, from);
        return true;
    }

    /** When the line was written, by its start and duration. */
    public long loggedMillis() {
        return startMillis() + durationMillis();
    }

    /** When the call began, in milliseconds since 1970. */
    public long startMillis() {
        return (long) CallLayout.LONG.get(bytes, from + CallLayout.START);
    }

    /** How long it took; 0 if unknown. */
    public long durationMillis() {
        return (long) CallLayout.LONG.get(bytes, from + CallLayout.DURATION);
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
        return number(CallLayout.STATUS);
    }

    @Override
    public String method() {
        String known = method;
        if (known == null) {
            known = isGet() ? "GET" : text(from + CallLayout.TEXTS, pathFrom());
            method = known;
        }
        return known;
    }

    /** Most calls are GET, and need no new string. */
    private boolean isGet() {
        int at = from + CallLayout.TEXTS;
        return number(CallLayout.METHOD_LENGTH) == 3
                && bytes[at] == 'G'
                && bytes[at + 1] == 'E'
                && bytes[at + 2] == 'T';
    }

    private int pathFrom() {
        return from + CallLayout.TEXTS + number(CallLayout.METHOD_LENGTH);
    }

    private int queryFrom() {
        return pathFrom() + number(CallLayout.PATH_LENGTH);
    }

    private int ipFrom() {
        return queryFrom() + Math.max(0, number(CallLayout.QUERY_LENGTH));
    }

    private int userFrom() {
        return ipFrom() + Math.max(0, number(CallLayout.IP_LENGTH));
    }

    @Override
    public String path() {
        String known = path;
        if (known == null) {
            known = text(pathFrom(), queryFrom());
            path = known;
        }
        return known;
    }

    @Override
    public String ip() {
        String known = ip;
        if (known == null) {
            known = text(ipFrom(), userFrom());
            ip = known;
        }
        return known;
    }

    @Override
    public @Nullable String principal() {
        int length = number(CallLayout.USER_LENGTH);
        if (user == null && length >= 0) {
            user = text(userFrom(), userFrom() + length);
        }
        return user;
    }

    /** Without the question mark; {@code null} if there is none. */
    private @Nullable String query() {
        int length = number(CallLayout.QUERY_LENGTH);
        if (query == null && length >= 0) {
            query = text(queryFrom(), queryFrom() + length);
        }
        return query;
    }

    private @Nullable String value(int index) {
        if (index < 0 || index >= number(CallLayout.VALUES)) {
            return null;
        }
        int at = userFrom() + Math.max(0, number(CallLayout.USER_LENGTH));
        for (int i = 0; ; i++) {
            int length = (int) CallLayout.INT.get(bytes, at);
            at += Integer.BYTES;
            if (i == index) {
                return length < 0 ? null : text(at, at + length);
            }
            at += Math.max(0, length);
        }
    }

    private ExtraFields extras() {
        return fieldNames.get(number(CallLayout.EXTRAS));
    }

    private @Nullable String field(String name) {
        return number(CallLayout.VALUES) == 0 ? null : value(extras().field(name));
    }

    private @Nullable String named(String kind, String name) {
        return number(CallLayout.VALUES) == 0 ? null : value(extras().named(kind, name));
    }

    @Override
    public @Nullable String header(String name) {
        return number(CallLayout.VALUES) == 0 ? null : value(extras().header(name));
    }

    @Override
    public int queryReadings() {
        String whole = query();
        return whole == null ? 1 : QueryString.readings(whole);
    }

    @Override
    public @Nullable String query(String name) {
        return query(name, 0);
    }

    @Override
    public @Nullable String query(String name, int reading) {
        String alone = named("query", name);
        String whole = alone == null ? query() : null;
        return whole == null ? alone : QueryString.first(whole, name, reading);
    }

    @Override
    public @Nullable String cookie(String name) {
        String alone = named("cookie", name);
        return alone != null ? alone : Cookies.value(header("Cookie"), name);
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
