package dev.sluice.match.caller;

import dev.sluice.Call;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address that a call comes from. It starts at the connection's peer and goes on, hop by hop, for as long as
 * the address it has reached is a trusted proxy's, whose word is taken for the next. Where a hop is no address the walk
 * breaks off. Such a call is counted by the last address believed, so what a caller writes chooses no counter; but
 * whose address that is nobody knows, so it makes the caller nobody in particular. Safe for any threads.
 */
public final class CallerAddress {

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    /** So many calls are looked at for a header that nobody is trusted to write; then one in {@link #THEN_ONE_IN}. */
    private static final int CHECK_ALL_OF_FIRST = 1000;

    private static final int THEN_ONE_IN = 1024;

    private final AddressRange[] trusted;
    private final int ipv6Prefix;
    private final Runnable unbelieved;

    /** Racy, and no matter. No longer written after a while, so that threads share the cache line in peace. */
    private int looks;

    /**
     * Makes one for a file.
     *
     * @param trusted the proxies that are believed
     * @param ipv6Prefix how many leading bits make one caller of IPv6 addresses
     * @param unbelieved is run when a call says where it comes from and nobody is believed; may be run again
     */
    public CallerAddress(List<AddressRange> trusted, int ipv6Prefix, Runnable unbelieved) {
        this.trusted = trusted.toArray(AddressRange[]::new);
        this.ipv6Prefix = ipv6Prefix;
        this.unbelieved = unbelieved;
    }

    /** What a call is counted by: equal for equal callers, however their addresses are written. */
    public String countedBy(Call call) {
        String peer = call.ip();
        Walk walk = walkUnlessPlain(call, peer);
        return walk == null ? peer : grouped(walk.end);
    }

    /**
     * What clients and conditions recognise a caller by: the same, but {@code null} where a hop cannot be followed. A
     * caller who garbles the headers is counted with the proxy, and is nobody's client.
     */
    public @Nullable String identifiedBy(Call call) {
        String peer = call.ip();
        Walk walk = walkUnlessPlain(call, peer);
        return walk == null ? peer : walk.isWhole ? grouped(walk.end) : null;
    }

    private @Nullable Walk walkUnlessPlain(Call call, String peer) {
        warnIfForwarded(call);
        return isPlain(peer) ? null : walk(call, peer);
    }

    /**
     * The whole address; {@code null} where the walk breaks off or the peer has none, at the end of a local socket for
     * example.
     */
    public @Nullable InetAddress inet(Call call) {
        warnIfForwarded(call);
        Walk walk = walk(call, call.ip());
        return walk == null || !walk.isWhole ? null : walk.end.inet();
    }

    /**
     * By which value a caller at this address is known, or one of this network written as its first; {@code null} if it
     * is neither.
     */
    public @Nullable String normalised(String text) {
        int slash = text.indexOf('/');
        IpAddress address = AddressParser.parse(slash < 0 ? text : text.substring(0, slash));
        return address == null ? null : grouped(address);
    }

    private String grouped(IpAddress address) {
        return address.isV4() || ipv6Prefix == 128
                ? address.toString()
                : address.network(ipv6Prefix) + "/" + ipv6Prefix;
    }

    /**
     * Whether a caller with this peer is counted by it as it stands, so that nothing need be made: of IPv4 there is
     * only one way of writing it, and what is no address stands for itself. Where nobody is trusted the figures do not
     * matter.
     */
    private boolean isPlain(String peer) {
        if (trusted.length == 0) {
            return peer.indexOf(':') < 0;
        }
        long v4 = AddressParser.v4(peer, 0, peer.length());
        return v4 >= 0 && !isTrusted(0, IpAddress.lowOfV4(v4));
    }

    /** Where a call was followed to, and whether that is where it comes from. */
    private record Walk(IpAddress end, boolean isWhole) {}

    private @Nullable Walk walk(Call call, String peer) {
        IpAddress address = AddressParser.parse(peer);
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
     * The next hop back. Of two headers one was most likely written by the caller and passed on by a proxy that writes
     * the other. Which, nobody can tell; so where both are there both have to say the same.
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

    /** Looks, where nobody is believed, whether somebody asks to be. */
    private void warnIfForwarded(Call call) {
        if (trusted.length > 0) {
            return;
        }
        int seen = looks;
        if (seen < CHECK_ALL_OF_FIRST) {
            looks = seen + 1;
        } else if (ThreadLocalRandom.current().nextInt(THEN_ONE_IN) != 0) {
            return;
        }
        if (call.header(X_FORWARDED_FOR) != null || call.header(FORWARDED) != null) {
            unbelieved.run();
        }
    }
}
