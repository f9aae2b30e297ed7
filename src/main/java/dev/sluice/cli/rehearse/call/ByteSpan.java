package dev.sluice.cli.rehearse.call;

/** A range of bytes in a line, or in an unescaped copy; empty at first. Not thread-safe. */
public final class ByteSpan {

    private static final byte[] NOTHING = new byte[0];

    private byte[] bytes = NOTHING;
    private int from;
    private int length = -1;

    public ByteSpan() {}

    public void set(byte[] in, int first, int end) {
        bytes = in;
        from = first;
        length = end - first;
    }

    public void set(ByteSpan other) {
        bytes = other.bytes;
        from = other.from;
        length = other.length;
    }

    public void clear() {
        bytes = NOTHING;
        from = 0;
        length = -1;
    }

    public boolean isPresent() {
        return length >= 0;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int to() {
        return from + Math.max(0, length);
    }

    /** The number of bytes; -1 if the span is not set. */
    int length() {
        return length;
    }

    /** The index of a byte in a range of a line; the end of the range if the byte is not there. */
    public static int indexOf(byte[] line, byte sought, int from, int to) {
        int at = from;
        while (at < to && line[at] != sought) {
            at++;
        }
        return at;
    }

    /** The last index of a byte in a range of a line; the start of the range if the byte is not there. */
    public static int lastIndexOf(byte[] line, byte sought, int from, int to) {
        int at = to - 1;
        while (at > from && line[at] != sought) {
            at--;
        }
        return at;
    }

    /** Whether a range of a line starts with a text. Texts are short, so a loop is faster than {@code Arrays.equals}. */
    public static boolean startsWith(byte[] line, int from, int to, byte[] text) {
        if (to - from < text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (line[from + i] != text[i]) {
                return false;
            }
        }
        return true;
    }
}
