package dev.sluice.internal.page;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects requests that a different site might have made with an operator's credentials. A change requires the header
 * {@link #HEADER}, which a form cannot send. A script from a different site can send the header if the application's
 * own CORS rules allow that. A browser then reveals where the script comes from: over HTTPS and for loopback addresses
 * in {@code Sec-Fetch-Site}, and otherwise in {@code Origin}. A request with neither header does not come from a script
 * in a browser, so it passes. This check needs no session and no token, so it works in every server, with and without
 * Spring Security.
 */
final class CrossSite {

    /** The header that a request must have in order to change something. It can have any value. */
    static final String HEADER = "Sluice-Change";

    private static final Set<Integer> USUAL_PORTS = Set.of(-1, 80, 443);

    private CrossSite() {}

    /** Explains why a request might come from a different site; {@code null} if nothing indicates that it does. */
    static @Nullable String problem(PageRequest request) {
        if (request.header(HEADER) == null) {
            return "A change requires the header " + HEADER + ": 1, which a form on another site cannot send.";
        }
        String site = request.header("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") ? null : "This request came from another site, so nothing was changed.";
        }
        String origin = request.header("Origin");
        return origin == null || hostAndPort(origin).equals(hostAndPort(request.serverName(), request.serverPort()))
                ? null
                : "The browser's Origin names a different server than Host, so nothing was changed. If a proxy changes "
                        + "Host, configure it to preserve Host, or use HTTPS.";
    }

    private static String hostAndPort(String origin) {
        try {
            URI uri = new URI(origin);
            return uri.getHost() == null ? "" : hostAndPort(uri.getHost(), uri.getPort());
        } catch (URISyntaxException e) {
            return "";
        }
    }

    /**
     * Returns the host and port as text. Omits default ports, because TLS might end at a proxy. Adds brackets to IPv6
     * addresses, because some servers omit them.
     */
    private static String hostAndPort(String host, int port) {
        String name = host.replaceAll("^\\[|]$", "").toLowerCase(Locale.ROOT);
        return USUAL_PORTS.contains(port) ? name : name + " " + port;
    }
}
