package dev.sluice.internal.spring;

import dev.sluice.spring.start.StartFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders the address of a Redis as a store URI. Not thread-safe. */
final class RedisUriText {

    private final String scheme;
    private final String credentials;
    private final List<String> options = new ArrayList<>();

    /**
     * Creates a URI without an address.
     *
     * @param password the password; {@code null} if Redis requires none
     */
    RedisUriText(boolean byTls, @Nullable String user, @Nullable String password) {
        this.scheme = byTls ? "rediss" : "redis";
        this.credentials = password == null ? "" : (user == null ? "" : encoded(user)) + ':' + encoded(password) + '@';
    }

    /** Adds an option, unless its value is empty. */
    RedisUriText with(String option, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            options.add(option + '=' + encoded(value));
        }
        return this;
    }

    String ofServer(String server, int database) {
        return scheme + "://" + credentials + server + '/' + database + query();
    }

    String ofSentinels(List<String> sentinels, int database, String master) {
        return scheme + "-sentinel://" + credentials + String.join(",", sentinels) + '/' + database + query() + '#'
                + encoded(master);
    }

    String ofCluster(List<String> nodes) {
        return scheme + "-cluster://" + credentials + String.join(",", nodes) + query();
    }

    private String query() {
        return options.isEmpty() ? "" : '?' + String.join("&", options);
    }

    /** Formats a host and its port in URI syntax. */
    static String server(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? '[' + host + ']' : host) + ':' + port;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Creates the failure for a connection that a URI cannot express. A bean with such a connection reports localhost
     * as its host, but connects elsewhere.
     */
    static StartFailure notSupported(String how) {
        return new StartFailure(
                "This application connects to Redis " + how + ", which the rate limiter does not support.",
                "Set the store yourself: sluice.store=redis://host:6379 for the master, or sluice.store=memory: to "
                        + "count in this process alone.",
                null);
    }

    static StartFailure ofMasterAndReplicas() {
        return notSupported("as a static list of a master and replicas");
    }
}
