package dev.sluice.internal.match.caller;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * An IP address as 128 bits. Different notations of the same address are equal. IPv4-mapped addresses, NAT64 addresses
 * ({@code 64:ff9b::/96}) and 6to4 addresses ({@code 2002::/16}) are equal to the IPv4 address that they contain. Zones
 * are ignored.
 *
 * @param high the first 64 bits; 0 for IPv4
 * @param low the last 64 bits; for IPv4, {@code ffff} followed by the address
 */
record IpAddress(long high, long low) {

    private static final long MAPPED = 0xffffL << 32;
    private static final long LAST_32 = 0xffffffffL;
    private static final long NAT64 = 0x0064ff9b_00000000L;
    private static final long SIX_TO_FOUR = 0x2002;

    /** Creates an address from its 128 bits. */
    static IpAddress of(long high, long low) {
        if (high >>> 48 == SIX_TO_FOUR) {
            return ofV4(high >>> 16);
        }
        boolean translated = high == NAT64 && low >>> 32 == 0;
        return translated ? ofV4(low) : new IpAddress(high, low);
    }

    static IpAddress ofV4(long address) {
        return new IpAddress(0, lowOfV4(address));
    }

    /** Returns the last 64 bits of an IPv4 address. The first 64 bits are 0. */
    static long lowOfV4(long address) {
        return MAPPED | (address & LAST_32);
    }

    boolean isV4() {
        return isV4(high, low);
    }

    static boolean isV4(long high, long low) {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Returns the first address of the network that contains this address and has the given prefix length. */
    IpAddress network(int bits) {
        return new IpAddress(high & highMask(bits), low & lowMask(bits));
    }

    /** Returns the mask of the first 64 bits for a prefix of the given length. */
    static long highMask(int bits) {
        return bits == 0 ? 0 : -1L << Math.max(0, 64 - bits);
    }

    /** Returns the mask of the last 64 bits for a prefix of the given length. */
    static long lowMask(int bits) {
        return bits <= 64 ? 0 : -1L << (128 - bits);
    }

    /** Returns this address as an {@link InetAddress}. */
    InetAddress inet() {
        byte[] bytes = isV4()
                ? ByteBuffer.allocate(4).putInt((int) low).array()
                : ByteBuffer.allocate(16).putLong(high).putLong(low).array();
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 are the lengths of addresses", e);
        }
    }

    /** Formats the address in the canonical form of RFC 5952. */
    @Override
    public String toString() {
        if (isV4()) {
            return (low >>> 24 & 255) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
        }
        int gap = 0;
        int gapLength = 1; // a single zero is not abbreviated
        for (int i = 0; i < 8; i++) {
            int zeros = zerosFrom(i);
            if (zeros > gapLength) {
                gap = i;
                gapLength = zeros;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 8; i++) {
            if (gapLength > 1 && i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                boolean separated = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(separated ? "" : ":").append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }

    private int zerosFrom(int group) {
        int zeros = 0;
        while (group + zeros < 8 && group(group + zeros) == 0) {
            zeros++;
        }
        return zeros;
    }

    private int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
    }
}
