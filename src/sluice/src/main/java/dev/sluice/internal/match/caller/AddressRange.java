package dev.sluice.internal.match.caller;

/**
 * A network of addresses, or a single one.
 *
 * @param network its first address
 * @param bits the number of leading bits that its addresses share, out of 128 for IPv4 too
 */
public record AddressRange(IpAddress network, int bits) {

    /**
     * Parses a range: {@code 10.0.0.0/8}, {@code 2001:db8::/32} or an address.
     *
     * @throws IllegalArgumentException if the text is not a range; the message says what to write
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
        if (address.isV4() && !dotted && slash >= 0) { // 64:ff9b::/96 would be all of IPv4
            throw new IllegalArgumentException("write IPv4 networks in IPv4 notation, for example 10.0.0.0/8");
        }
        IpAddress network = address.network(bits);
        if (!network.equals(address)) {
            String meant = network + "/" + (address.isV4() ? bits - 96 : bits);
            throw new IllegalArgumentException("it has bits set after its prefix; write " + meant);
        }
        return new AddressRange(network, bits);
    }

    private static int length(String digits, int most) {
        int length = digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
        if (length < 0 || length > most) {
            throw new IllegalArgumentException("the number after the slash must be from 0 to " + most);
        }
        return length;
    }

    /** Whether the range contains an address, given its 128 bits. */
    boolean contains(long high, long low) {
        return (bits >= 96 || !IpAddress.isV4(high, low))
                && ((high ^ network.high()) & IpAddress.highMask(bits)) == 0
                && ((low ^ network.low()) & IpAddress.lowMask(bits)) == 0;
    }
}
