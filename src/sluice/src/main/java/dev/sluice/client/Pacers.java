package dev.sluice.client;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Pacers by server. Each server needs its own pacer, because one server's limits do not apply to the others. Memory is
 * bounded: the least recently called servers are forgotten. Thread-safe.
 */
final class Pacers {

    /**
     * The maximum number of servers. Forgetting a server does little harm. The server might refuse some calls that its
     * pacer would have delayed.
     */
    static final int MOST = 1_000;

    private static final float USUAL_LOAD = 0.75f;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Random random = new Random();

    /** The pacers by host and port, with the least recently called server first. Guarded by {@code this}. */
    private final Map<String, Pacer> known = new LinkedHashMap<>(16, USUAL_LOAD, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pacer> eldest) {
            return size() > MOST;
        }
    };

    /** Returns the pacer for the server at this address. Creates it if necessary. */
    synchronized Pacer of(URI address, long nowNanos) {
        return known.computeIfAbsent(server(address), first -> new Pacer(random, nowNanos));
    }

    /** Returns the server of an address, for example {@code shop.example:443}. */
    private static String server(URI address) {
        boolean isEncrypted = "https".equalsIgnoreCase(address.getScheme());
        int port = address.getPort() >= 0 ? address.getPort() : isEncrypted ? HTTPS_PORT : HTTP_PORT;
        return String.valueOf(address.getHost()).toLowerCase(Locale.ROOT) + ':' + port;
    }
}
