package dev.sluice.internal.match.caller;

import dev.sluice.Call;
import dev.sluice.Subject;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller's address. The search starts at the connection's peer. As long as the current address is a trusted
 * proxy, the search follows the forwarding headers to the previous hop. If a hop is not an address, the search stops,
 * because the real caller is unknown. All calls from unknown callers behind the same trusted proxy share one counter,
 * so callers cannot choose their counter. The proxy's own calls, such as health checks, are counted separately. Calls
 * of unknown callers match no client. Thread-safe.
 */
public final class CallerAddress {

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    private static final String UNKNOWN_BEHIND = "behind ";

    /**
     * The attribute that Tomcat sets if it has read the caller's address from a header. Tomcat removes the trusted part
     * of the header, and retains the part that the caller wrote.
     */
    private static final String READ_BY_TOMCAT = "org.apache.tomcat.request.forwarded";

    private final AddressRange[] trusted;
    private final int ipv6Prefix;
    private final Runnable onUntrustedHeader;

    /**
     * Selects the calls that are checked for a forwarding header if no proxy is trusted. Tomcat searches its headers
     * one by one, so the check is slow there. If we checked every call, a request with six headers would spend 12 %
     * more time in the filter on Tomcat.
     */
    private final SampledCalls sample = new SampledCalls(1024);

    /**
     * Creates an address finder for one limits file.
     *
     * @param trusted the trusted proxies
     * @param ipv6Prefix the number of leading bits of an IPv6 address that identify a caller
     * @param onUntrustedHeader the action to run if a call has a forwarding header that the server has not read,
     *     although no proxy is trusted. It can run more than once
     */
    public CallerAddress(List<AddressRange> trusted, int ipv6Prefix, Runnable onUntrustedHeader) {
        this.trusted = trusted.toArray(AddressRange[]::new);
        this.ipv6Prefix = ipv6Prefix;
        this.onUntrustedHeader = onUntrustedHeader;
    }

    /** Whether this subject represents all unknown callers behind one proxy. Anybody can pose as an unknown caller. */
    public static boolean isUnknown(Subject subject) {
        return subject.source().equals("ip") && subject.value().startsWith(UNKNOWN_BEHIND);
    }

    /** Returns the caller's key. The key does not depend on the notation of the caller's address. */
    String keyOf(Call call) {
        String peer = call.ip();
        Walk walk = walkUnlessPlain(call, peer);
        if (walk == null) {
            return peer;
        }
        return walk.isWhole ? grouped(walk.end) : UNKNOWN_BEHIND + grouped(walk.end);
    }

    /**
     * Returns the value that is compared with clients and conditions. It is the caller's key, or {@code null} if a hop
     * is not an address. A caller with malformed headers shares a counter with the other unknown callers behind the
     * proxy, but matches no client.
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
     * Returns the caller's full address; {@code null} if a hop is not an address, or if the peer has no address, as
     * with a local socket.
     */
    @Nullable InetAddress inet(Call call) {
        warnIfForwarded(call);
        Walk walk = walk(call, call.ip());
        return walk == null || !walk.isWhole ? null : walk.end.inet();
    }

    /**
     * Returns the key of callers with this address or in this network; {@code null} if the text is neither an address
     * nor a network.
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
     * Whether the peer's text can be used unchanged, without allocating memory. The text must not be an IPv6 address,
     * because IPv6 addresses have several notations. The peer must not be a trusted proxy. If no proxy is trusted, the
     * address does not need to be parsed.
     */
    private boolean isPlain(String peer) {
        if (trusted.length == 0) {
            return peer.indexOf(':') < 0;
        }
        long v4 = AddressParser.v4(peer, 0, peer.length());
        return v4 >= 0 && !isTrusted(0, IpAddress.lowOfV4(v4));
    }

    /**
     * The last known address on the path to the caller. If {@code isWhole} is {@code true}, this is the caller's own
     * address.
     */
    private record Walk(IpAddress end, boolean isWhole) {}

    private @Nullable Walk walk(Call call, String peer) {
        // Jetty writes IPv6 addresses in brackets, and a proxy can add the port.
        IpAddress address = AddressParser.parseNode(peer);
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
     * Returns the next hop towards the caller. If a call has both headers, the caller has probably written one of them,
     * and the proxies have forwarded it. We cannot tell which one this is, so the two headers must agree.
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

    /** If no proxy is trusted, warns about a forwarding header that the server has not read. */
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
