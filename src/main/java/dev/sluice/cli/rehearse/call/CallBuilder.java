package dev.sluice.cli.rehearse.call;

import java.util.Arrays;
import java.util.List;

/** Collects the parts of a call while its line is read, and writes them as bytes. Not thread-safe. */
public final class CallBuilder {

    private static final byte[] GET = {'G', 'E', 'T'};
    private static final byte[] ROOT = {'/'};
    private static final int LONGEST_HEAD = 1 << 10;

    public final ByteSpan method = new ByteSpan();
    public final ByteSpan path = new ByteSpan();
    public final ByteSpan query = new ByteSpan();
    public final ByteSpan ip = new ByteSpan();
    public final ByteSpan user = new ByteSpan();
    /** In the order of {@link LoggedCall#LENGTHS}. */
    private final ByteSpan[] texts = {method, path, query, ip, user};

    private final LoggedCall call;
    private final int extras;
    private ByteSpan[] values = new ByteSpan[0];
    private int room;
    private byte[] written = new byte[LONGEST_HEAD];

    /**
     * Builds calls with these extra fields.
     *
     * @param all the extra fields of all formats of the same logs, which get these too; a thread-safe list
     */
    public CallBuilder(List<ExtraFields> all, ExtraFields extras) {
        this.call = new LoggedCall(all);
        this.extras = all.size();
        all.add(extras);
    }

    /** Clears all parts, and makes room for this many extra values; it grows if there are more. */
    public void begin(int number) {
        for (ByteSpan text : texts) {
            text.clear();
        }
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
        LoggedCall.INT.set(written, LoggedCall.LENGTH, length);
        LoggedCall.LONG.set(written, LoggedCall.START, startMillis);
        LoggedCall.LONG.set(written, LoggedCall.DURATION, durationMillis);
        LoggedCall.INT.set(written, LoggedCall.STATUS, status);
        LoggedCall.INT.set(written, LoggedCall.EXTRAS, extras);
        LoggedCall.INT.set(written, LoggedCall.VALUES, room);
        int at = LoggedCall.TEXTS;
        for (int i = 0; i < texts.length; i++) {
            LoggedCall.INT.set(written, LoggedCall.LENGTHS + i * Integer.BYTES, texts[i].length());
            at = append(texts[i], at);
        }
        for (int i = 0; i < room; i++) {
            LoggedCall.INT.set(written, at, values[i].length());
            at = append(values[i], at + Integer.BYTES);
        }
        call.moveTo(written, 0);
        return call;
    }

    private int length() {
        int length = LoggedCall.TEXTS + room * Integer.BYTES;
        for (ByteSpan text : texts) {
            length += Math.max(0, text.length());
        }
        for (int i = 0; i < room; i++) {
            length += Math.max(0, values[i].length());
        }
        return length;
    }

    private int append(ByteSpan span, int at) {
        if (span.length() > 0) {
            System.arraycopy(span.bytes(), span.from(), written, at, span.length());
            return at + span.length();
        }
        return at;
    }
}
