package dev.sluice.cli.rehearse.format.field;

import dev.sluice.cli.rehearse.call.ByteSpan;

/** Reads a caller's address, with a port or without; whether there is one. */
public final class LoggedAddress {

    private LoggedAddress() {}

    public static boolean read(byte[] line, int from, int to, ByteSpan address) {
        boolean isNothing = from >= to || (to - from == 1 && line[from] == '-');
        if (!isNothing) {
            address.set(line, from, to);
        }
        return !isNothing;
    }

    /** {@code 10.0.0.1:443}, {@code [2001:db8::1]:443} or an address alone. */
    public static boolean readWithPort(byte[] line, int from, int to, ByteSpan address) {
        if (from < to && line[from] == '[') {
            int end = ByteSpan.indexOf(line, (byte) ']', from, to);
            return end == to ? read(line, from, to, address) : read(line, from + 1, end, address);
        }
        int colon = ByteSpan.lastIndexOf(line, (byte) ':', from, to);
        return read(line, from, colon > from ? colon : to, address);
    }

    /** The same where there may be none: an IPv6 address without brackets has no port. */
    public static boolean readWithAnyPort(byte[] line, int from, int to, ByteSpan address) {
        int colon = ByteSpan.indexOf(line, (byte) ':', from, to);
        boolean mayHavePort =
                (from < to && line[from] == '[') || ByteSpan.indexOf(line, (byte) ':', colon + 1, to) >= to;
        return mayHavePort ? readWithPort(line, from, to, address) : read(line, from, to, address);
    }
}
