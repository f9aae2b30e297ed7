package dev.sluice.internal.spring;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.ReflectionUtils;

/**
 * Reads the address of a Redis from Spring Boot's connection details: {@code DataRedisConnectionDetails} in Spring Boot
 * 4, {@code RedisConnectionDetails} in Spring Boot 3. No build can include both types. Because their methods have the
 * same names, this class calls the public methods by name.
 */
final class RedisOfDetails {

    private RedisOfDetails() {}

    /**
     * Returns the address as a store URI; {@code null} if the details contain no address.
     *
     * @throws dev.sluice.spring.start.StartFailure if a URI cannot express the address
     */
    static @Nullable String uri(Object details) {
        if (value(details, "getMasterReplica") != null) {
            throw RedisUriText.ofMasterAndReplicas();
        }
        Object server = value(details, "getStandalone");
        RedisUriText uri = uri(details, server);
        Object sentinel = value(details, "getSentinel");
        if (sentinel != null) {
            return uri.with("sentinelUser", text(sentinel, "getUsername"))
                    .with("sentinelPassword", text(sentinel, "getPassword"))
                    .ofSentinels(
                            nodes(sentinel),
                            number(sentinel, "getDatabase"),
                            String.valueOf(value(sentinel, "getMaster")));
        }
        Object cluster = value(details, "getCluster");
        if (cluster != null) {
            return uri.ofCluster(nodes(cluster));
        }
        return server == null
                ? null
                : uri.ofServer(
                        RedisUriText.server(String.valueOf(value(server, "getHost")), number(server, "getPort")),
                        number(server, "getDatabase"));
    }

    /** In Spring Boot 4, the details contain the SSL bundle; in Spring Boot 3, the server does. */
    private static RedisUriText uri(Object details, @Nullable Object server) {
        Object ofServer = server == null ? null : value(server, "getSslBundle");
        Object bundle = ofServer == null ? value(details, "getSslBundle") : ofServer;
        return new RedisUriText(bundle != null, text(details, "getUsername"), text(details, "getPassword"))
                .with("ca", bundle instanceof SslBundle ssl ? TrustedAuthorities.file(ssl) : null);
    }

    private static List<String> nodes(Object several) {
        return value(several, "getNodes") instanceof Collection<?> nodes
                ? nodes.stream()
                        .map(node -> RedisUriText.server(String.valueOf(value(node, "host")), number(node, "port")))
                        .toList()
                : List.of();
    }

    private static @Nullable String text(Object of, String method) {
        Object value = value(of, method);
        return value == null ? null : value.toString();
    }

    private static int number(Object of, String method) {
        return value(of, method) instanceof Integer number ? number : 0;
    }

    /** Returns the result of a public method; {@code null} if there is no such method. */
    private static @Nullable Object value(Object of, String method) {
        Method found = ReflectionUtils.findMethod(of.getClass(), method);
        if (found == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(found); // the class might not be public, although the method is
        return ReflectionUtils.invokeMethod(found, of);
    }
}
