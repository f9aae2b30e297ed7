package dev.sluice.internal.match.caller;

import org.jspecify.annotations.Nullable;

/**
 * A network of addresses, or a single address. Its text is canonical, so equal networks have equal texts.
 *
 * @param network the first address of the network
 * @param bits the number of leading bits that all addresses of the network share, out of 128 bits even for IPv4
 */
public record AddressRange(IpAddress network, int bits) {

    /**
     * Parses a range, such as {@code 10.0.0.0/8}, {@code 2001:db8::/32} or an address. An IPv4 network can also be
     * written in IPv4-mapped notation, such as {@code ::ffff:10.0.0.0/104}.
     *
     * @throws IllegalArgumentException if the text is not a range; the message explains what to write
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        IpAddress address = AddressParser.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException("write an address, such as 10.0.0.7, or a network, such as 10.0.0.0/8");
        }
        boolean dotted = text.indexOf(':') < 0;
        int length = slash < 0 ? (dotted ? 32 : 128) : length(text.substring(slash + 1), dotted ? 32 : 128);
        int bits = dotted ? 96 + length : length;
        boolean isMapped = !dotted && bits >= 96 && AddressParser.isMapped(text.substring(0, Math.max(0, slash)));
        if (address.isV4() && !dotted && slash >= 0 && !isMapped) { // otherwise 64:ff9b::/96 would contain all of IPv4
            throw new IllegalArgumentException("write IPv4 networks in IPv4 notation, for example 10.0.0.0/8");
        }
        IpAddress network = address.network(bits);
        if (!network.equals(address)) {
            String meant = new AddressRange(network, bits).toString();
            throw new IllegalArgumentException("it has bits set after its prefix; write " + meant);
        }
        return new AddressRange(network, bits);
    }

    /**
     * Parses a network, such as {@code 10.0.0.0/8}. Returns {@code null} for a single address and for any other text.
     */
    public static @Nullable AddressRange networkIn(String text) {
        return text.indexOf('/') < 0 ? null : in(text);
    }

    /** Parses a range. Returns {@code null} if the text is not a range. */
    public static @Nullable AddressRange in(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static int length(String digits, int most) {
        int length = digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
        if (length < 0 || length > most) {
            throw new IllegalArgumentException("the number after the slash must be from 0 to " + most);
        }
        return length;
    }

    /** Whether this range contains all addresses of the other range. */
    public boolean contains(AddressRange other) {
        return bits <= other.bits && contains(other.network.high(), other.network.low());
    }

    /**
     * Whether this range contains the callers with the given key. The key can be an address or a network. For any other
     * text, the result is {@code false}.
     */
    public boolean containsKey(String key) {
        IpAddress address = AddressParser.parseKey(key);
        return address != null && contains(address.high(), address.low());
    }

    /** Whether the range contains the address with these 128 bits. */
    boolean contains(long high, long low) {
        return (bits >= 96 || !IpAddress.isV4(high, low))
                && ((high ^ network.high()) & IpAddress.highMask(bits)) == 0
                && ((low ^ network.low()) & IpAddress.lowMask(bits)) == 0;
    }

    @Override
    public String toString() {
        return bits == 128 ? network.toString() : network + "/" + (network.isV4() && bits >= 96 ? bits - 96 : bits);
    }
}
