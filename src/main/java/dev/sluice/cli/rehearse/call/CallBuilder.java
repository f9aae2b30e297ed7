package dev.sluice.cli.rehearse.call;

import java.util.Arrays;

/** Collects the parts of a call while its line is read, and writes them as bytes. For one thread. */
public final class CallBuilder {

    private static final byte[] GET = {'G', 'E', 'T'};
    private static final byte[] ROOT = {'/'};
    private static final int LONGEST_HEAD = 1 << 10;

    public final ByteSpan method = new ByteSpan();
    public final ByteSpan path = new ByteSpan();
    public final ByteSpan query = new ByteSpan();
    public final ByteSpan ip = new ByteSpan();
    public final ByteSpan user = new ByteSpan();
    private final LoggedCall call;
    private final int extras;
    private ByteSpan[] values = new ByteSpan[0];
    private int room;
    private byte[] written = new byte[LONGEST_HEAD];

    /** Builds calls with these extra fields. */
    public CallBuilder(FieldNames fieldNames, ExtraFields extras) {
        this.call = new LoggedCall(fieldNames);
        this.extras = fieldNames.add(extras);
    }

    /** Clears all parts, and makes room for this many extra values; it grows if there are more. */
    public void begin(int number) {
        method.clear();
        path.clear();
        query.clear();
        ip.clear();
        user.clear();
        for (int i = 0; i < room; i++) {
            values[i].clear();
        }
        makeRoom(number);
    }

    private void makeRoom(int number) {
        if (number > values.length) {
            int before = values.length;
            values = Arrays.copyOf(values, number);
            for (int i = before; i < number; i++) {
                values[i] = new ByteSpan();
            }
        }
        room = Math.max(room, number);
    }

    public void value(int number, byte[] bytes, int from, int to) {
        makeRoom(number + 1);
        values[number].set(bytes, from, to);
    }

    /** The call, which is valid until the next one is built. */
    public LoggedCall call(long startMillis, long durationMillis, int status) {
        if (!method.isPresent()) {
            method.set(GET, 0, GET.length);
        }
        if (!path.isPresent()) {
            path.set(ROOT, 0, ROOT.length);
        }
        int length = length();
        if (length > written.length) {
            written = new byte[2 * length];
        }
        CallLayout.INT.set(written, CallLayout.LENGTH, length);
        CallLayout.LONG.set(written, CallLayout.START, startMillis);
        CallLayout.LONG.set(written, CallLayout.DURATION, durationMillis);
        CallLayout.INT.set(written, CallLayout.STATUS, status);
        CallLayout.INT.set(written, CallLayout.METHOD_LENGTH, method.length());
        CallLayout.INT.set(written, CallLayout.PATH_LENGTH, path.length());
        CallLayout.INT.set(written, CallLayout.QUERY_LENGTH, query.length());
        CallLayout.INT.set(written, CallLayout.IP_LENGTH, ip.length());
        CallLayout.INT.set(written, CallLayout.USER_LENGTH, user.length());
        CallLayout.INT.set(written, CallLayout.EXTRAS, extras);
        CallLayout.INT.set(written, CallLayout.VALUES, room);
        int at = CallLayout.TEXTS;
        at = text(method, at);
        at = text(path, at);
        at = text(query, at);
        at = text(ip, at);
        at = text(user, at);
        for (int i = 0; i < room; i++) {
            CallLayout.INT.set(written, at, values[i].length());
            at = text(values[i], at + Integer.BYTES);
        }
        call.moveTo(written, 0);
        return call;
    }

    private int length() {
        int length = CallLayout.TEXTS + room * Integer.BYTES;
        length += Math.max(0, method.length()) + Math.max(0, path.length()) + Math.max(0, query.length());
        length += Math.max(0, ip.length()) + Math.max(0, user.length());
        for (int i = 0; i < room; i++) {
            length += Math.max(0, values[i].length());
        }
        return length;
    }

    private int text(ByteSpan span, int at) {
        if (span.length() > 0) {
            System.arraycopy(span.bytes(), span.from(), written, at, span.length());
            return at + span.length();
        }
        return at;
    }
}
