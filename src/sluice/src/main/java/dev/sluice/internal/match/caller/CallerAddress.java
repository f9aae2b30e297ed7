package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.Subject;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the caller. It starts at the connection's peer and follows the forwarding headers hop by hop, as
 * long as the current address is a trusted proxy. If a hop is not an address, it stops there, because the real caller
 * is unknown. All such calls behind the last trusted address count together, so that callers cannot choose their
 * counter. The proxy's own calls, such as health checks, count apart from them. Calls of unknown callers match no
 * client. Thread-safe.
 */
public final class CallerAddress {

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    private static final String UNKNOWN_BEHIND = "behind ";

    /**
     * Tomcat sets this attribute if it has taken the caller's address from a header. It removes the part of the header
     * that it trusts, and leaves the part that the caller wrote.
     */
    private static final String READ_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

    private final AddressRange[] trusted;
    private final int ipv6Prefix;
    private final Runnable onUntrustedHeader;

    /**
     * Chooses the calls that are checked for a forwarding header if no proxy is trusted. To check all of them would
     * cost a request with six headers 12 % more time in the filter on Tomcat, which searches its headers one by one.
     */
    private final SampledCalls sample = new SampledCalls(1024);

    /**
     * Creates the finder for one file.
     *
     * @param trusted the trusted proxies
     * @param ipv6Prefix how many leading bits of an IPv6 address identify a caller
     * @param onUntrustedHeader runs when a call has a forwarding header that the server has not read, and no proxy is
     *     trusted; may run more than once
     */
    public CallerAddress(List<AddressRange> trusted, int ipv6Prefix, Runnable onUntrustedHeader) {
        this.trusted = trusted.toArray(AddressRange[]::new);
        this.ipv6Prefix = ipv6Prefix;
        this.onUntrustedHeader = onUntrustedHeader;
    }

    /** Whether this subject stands for all calls of unknown callers behind one proxy. Anybody can make such a call. */
    public static boolean isUnknown(Subject subject) {
        return subject.source().equals("ip") && subject.value().startsWith(UNKNOWN_BEHIND);
    }

    /** The key of the caller. The same caller always has the same key, however its address is written. */
    String keyOf(Call call) {
        String peer = call.ip();
        Walk walk = walkUnlessPlain(call, peer);
        if (walk == null) {
            return peer;
        }
        return walk.isWhole ? grouped(walk.end) : UNKNOWN_BEHIND + grouped(walk.end);
    }

    /**
     * The value that clients and conditions match: the same key, or {@code null} if a hop is not an address. So a
     * caller with garbled headers is counted with the others behind the proxy, but matches no client.
     */
    @Nullable String identifiedBy(Call call) {
        String peer = call.ip();
        Walk walk = walkUnlessPlain(call, peer);
        return walk == null ? peer : walk.isWhole ? grouped(walk.end) : null;
    }

    private @Nullable Walk walkUnlessPlain(Call call, String peer) {
        warnIfForwarded(call);
        return isPlain(peer) ? null : walk(call, peer);
    }

    /**
     * The caller's full address; {@code null} if a hop is not an address, or the peer has none, as with a local socket.
     */
    @Nullable InetAddress inet(Call call) {
        warnIfForwarded(call);
        Walk walk = walk(call, call.ip());
        return walk == null || !walk.isWhole ? null : walk.end.inet();
    }

    /**
     * The key of callers at this address, or in this network; {@code null} if the text is neither.
     */
    public @Nullable String normalised(String text) {
        IpAddress address = AddressParser.parseKey(text);
        return address == null ? null : grouped(address);
    }

    private String grouped(IpAddress address) {
        return address.isV4() || ipv6Prefix == 128
                ? address.toString()
                : address.network(ipv6Prefix) + "/" + ipv6Prefix;
    }

    /**
     * Whether the peer's text can be used as it is, so that nothing is allocated. It can if it is not IPv6, since only
     * IPv6 has several spellings, and if the peer is not a trusted proxy. If no proxy is trusted, the address need not
     * be parsed to know that.
     */
    private boolean isPlain(String peer) {
        if (trusted.length == 0) {
            return peer.indexOf(':') < 0;
        }
        long v4 = AddressParser.v4(peer, 0, peer.length());
        return v4 >= 0 && !isTrusted(0, IpAddress.lowOfV4(v4));
    }

    /** The last address on the way to the caller, and whether it is the caller's own. */
    private record Walk(IpAddress end, boolean isWhole) {}

    private @Nullable Walk walk(Call call, String peer) {
        IpAddress address = AddressParser.parseNode(peer); // Jetty writes IPv6 in brackets; a proxy may add the port
        if (address == null || !isTrusted(address)) {
            return address == null ? null : new Walk(address, true);
        }
        ForwardedHops plain = ForwardedHops.ofPlainList(call.headers(X_FORWARDED_FOR));
        ForwardedHops standard = ForwardedHops.ofStandard(call.headers(FORWARDED));
        while (isTrusted(address) && !(plain.isOver() && standard.isOver())) {
            IpAddress next = next(plain, standard);
            if (next == null) {
                return new Walk(address, false);
            }
            address = next;
        }
        return new Walk(address, true);
    }

    /**
     * The next hop towards the caller. If a call has both headers, the caller probably wrote one, and the proxies
     * passed it on. It is unknown which, so both have to agree.
     */
    private static @Nullable IpAddress next(ForwardedHops plain, ForwardedHops standard) {
        if (plain.isNone() || standard.isNone()) {
            return plain.isNone() ? standard.next() : plain.next();
        }
        IpAddress next = plain.next();
        return next != null && next.equals(standard.next()) ? next : null;
    }

    private boolean isTrusted(IpAddress address) {
        return isTrusted(address.high(), address.low());
    }

    private boolean isTrusted(long high, long low) {
        for (AddressRange range : trusted) {
            if (range.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    /** Without trusted proxies, checks whether a call has a forwarding header that the server has not read. */
    private void warnIfForwarded(Call call) {
        if (trusted.length > 0 || !sample.includesNext()) {
            return;
        }
        boolean isForwarded = call.header(X_FORWARDED_FOR) != null || call.header(FORWARDED) != null;
        if (isForwarded && call.attribute(READ_BY_TOMCAT) == null) {
            onUntrustedHeader.run();
        }
    }
}
