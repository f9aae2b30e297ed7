package dev.sluice.client;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A pacer for each server, since the limits of one server say nothing about calls to another. Its memory is bounded,
 * because the servers that were called longest ago are forgotten. Thread-safe.
 */
final class Pacers {

    /**
     * The maximum number of servers. Forgetting a server does little harm: it only refuses calls that would have waited
     * otherwise.
     */
    static final int MOST = 1_000;

    private static final float USUAL_LOAD = 0.75f;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Random random = new Random();

    /** The pacers by host and port. The server that was called longest ago comes first. Guarded by {@code this}. */
    private final Map<String, Pacer> known = new LinkedHashMap<>(16, USUAL_LOAD, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pacer> eldest) {
            return size() > MOST;
        }
    };

    /** The pacer of calls to this address. */
    synchronized Pacer of(URI address, long nowNanos) {
        return known.computeIfAbsent(server(address), first -> new Pacer(random, nowNanos));
    }

    /** The server of an address, for example {@code shop.example:443}. */
    private static String server(URI address) {
        boolean isEncrypted = "https".equalsIgnoreCase(address.getScheme());
        int port = address.getPort() >= 0 ? address.getPort() : isEncrypted ? HTTPS_PORT : HTTP_PORT;
        return String.valueOf(address.getHost()).toLowerCase(Locale.ROOT) + ':' + port;
    }
}
