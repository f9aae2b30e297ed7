package dev.sluice.internal.match.caller;

import org.jspecify.annotations.Nullable;

/**
 * Parses IPv4 and IPv6 addresses. An IPv4 address consists of four decimal numbers. Leading zeros are not allowed,
 * because some parsers read numbers with leading zeros as octal. An IPv6 address can use any notation of RFC 4291, with
 * or without a zone. Not thread-safe, because an instance parses a single text.
 */
final class AddressParser {

    private static final int MOST_CHARACTERS = 100; // the longest IPv6 address has 45, plus a zone

    private final String text;
    private final int end;
    private int at;

    private AddressParser(String text, int end) {
        this.text = text;
        this.end = end;
    }

    /** Parses an address. Returns {@code null} if the text is not exactly one address. Never resolves host names. */
    static @Nullable IpAddress parse(String text) {
        if (text.length() > MOST_CHARACTERS) {
            return null;
        }
        if (text.indexOf(':') < 0) {
            long address = v4(text, 0, text.length());
            return address < 0 ? null : IpAddress.ofV4(address);
        }
        long[] halves = halves(text);
        return halves == null ? null : IpAddress.of(halves[0], halves[1]);
    }

    /**
     * Returns the address in a caller's key: the whole key, or the part before a slash. Returns {@code null} if there
     * is no address.
     */
    static @Nullable IpAddress parseKey(String key) {
        int slash = key.indexOf('/');
        return parse(slash < 0 ? key : key.substring(0, slash));
    }

    /** Whether the text is an IPv4-mapped IPv6 address, such as {@code ::ffff:10.0.0.7}. */
    static boolean isMapped(String text) {
        long[] halves = text.indexOf(':') < 0 || text.length() > MOST_CHARACTERS ? null : halves(text);
        return halves != null && IpAddress.isV4(halves[0], halves[1]);
    }

    private static long @Nullable [] halves(String text) {
        int zone = text.indexOf('%');
        boolean emptyZone = zone == text.length() - 1;
        return emptyZone ? null : new AddressParser(text, zone < 0 ? text.length() : zone).v6();
    }

    /**
     * Parses a node's address in the notation that servers and proxies use. The address can have a port, and an IPv6
     * address can be in brackets. Returns {@code null} if the text is not such an address.
     */
    static @Nullable IpAddress parseNode(String node) {
        if (node.startsWith("[")) {
            int close = node.indexOf(']');
            boolean sound = close > 0 && node.lastIndexOf(':', close) > 0 && isPort(node.substring(close + 1));
            return sound ? parse(node.substring(1, close)) : null;
        }
        int colon = node.indexOf(':');
        if (colon > 0 && colon == node.lastIndexOf(':')) {
            return isPort(node.substring(colon)) ? parse(node.substring(0, colon)) : null;
        }
        return parse(node);
    }

    /** Whether the text is empty or a port. A port consists of a colon and either a number or an obfuscated name. */
    private static boolean isPort(String text) {
        if (text.isEmpty()) {
            return true;
        }
        boolean obfuscated = text.startsWith(":_");
        int digits = obfuscated ? 2 : 1;
        boolean sound = text.charAt(0) == ':' && text.length() > digits && (obfuscated || text.length() <= 6);
        for (int i = digits; i < text.length() && sound; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || "._-".indexOf(c) >= 0;
            sound = (c >= '0' && c <= '9') || (obfuscated && letter);
        }
        return sound;
    }

    /** Parses the IPv4 address between two indexes. Returns -1 if there is none. Allocates no memory. */
    static long v4(String text, int from, int to) {
        if (to - from > 15) {
            return -1;
        }
        long address = 0;
        int parts = 0;
        int part = -1;
        for (int i = from; i <= to; i++) {
            char c = i < to ? text.charAt(i) : '.';
            if (c == '.') {
                if (part < 0) {
                    return -1;
                }
                address = address << 8 | part;
                parts++;
                part = -1;
            } else if (c < '0' || c > '9' || part == 0) { // part == 0: a leading zero
                return -1;
            } else {
                part = part < 0 ? c - '0' : part * 10 + c - '0';
                if (part > 255) {
                    return -1;
                }
            }
        }
        return parts == 4 ? address : -1;
    }

    private long @Nullable [] v6() {
        int[] groups = new int[8];
        int count = 0;
        int gap = -1;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < end) {
            if (count == 8) {
                return null;
            }
            long tail = text.indexOf('.', at) < 0 || text.indexOf(':', at) >= 0 ? -1 : v4(text, at, end);
            if (tail >= 0 && count <= 6) {
                groups[count++] = (int) (tail >>> 16);
                groups[count++] = (int) (tail & 0xffff);
                at = end;
                break;
            }
            int group = group();
            if (group < 0) {
                return null;
            }
            groups[count++] = group;
            if (at < end && !separator()) {
                return null;
            }
            if (at < end && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                at++;
            } else if (at == end && text.charAt(end - 1) == ':') {
                return null; // the text ends with a single colon
            }
        }
        return assembled(groups, count, gap);
    }

    /** Reads a number with one to four hexadecimal digits. Returns -1 if there are no digits or more than four. */
    private int group() {
        int start = at;
        int value = 0;
        while (at < end && at - start < 5) {
            int digit = hex(text.charAt(at));
            if (digit < 0) {
                break;
            }
            value = value << 4 | digit;
            at++;
        }
        return at == start || at - start > 4 ? -1 : value;
    }

    private boolean separator() {
        return text.charAt(at++) == ':';
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }

    private static long @Nullable [] assembled(int[] groups, int count, int gap) {
        if (gap < 0 ? count != 8 : count > 7) {
            return null;
        }
        long[] halves = new long[2];
        for (int i = 0; i < count; i++) {
            int index = gap >= 0 && i >= gap ? i + 8 - count : i;
            halves[index >> 2] |= (long) groups[i] << (48 - 16 * (index & 3));
        }
        return halves;
    }
}
