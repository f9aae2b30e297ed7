package dev.sluice.cli.rehearse.call;

/** Some bytes of a line, or of what was made of them; or nothing. */
public final class Span {

    private static final byte[] NOTHING = new byte[0];

    private byte[] bytes = NOTHING;
    private int from;
    private int length = -1;

    public Span() {}

    public void set(byte[] in, int first, int end) {
        bytes = in;
        from = first;
        length = end - first;
    }

    public void set(Span other) {
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

    /** In bytes; -1 if there is nothing. */
    int length() {
        return length;
    }
}
