package dev.sluice.internal.spring.redis;

import dev.sluice.spring.start.StartFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.NullValueInNestedPathException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * Reads the address of a Redis from the properties of a bean, and renders it as the URI of a store. Not thread-safe.
 */
final class RedisInProperties {

    /**
     * The names of the properties in one type of bean.
     *
     * @param server the host and port of a single server
     * @param host the host of a single server
     * @param users the user, whose name depends on the kind of server
     * @param sentinels the addresses of the sentinels
     * @param cluster the addresses of the cluster's nodes
     */
    record Names(
            String server,
            String host,
            List<String> users,
            String password,
            String database,
            String sentinels,
            String sentinelDatabase,
            String master,
            String sentinelUser,
            String sentinelPassword,
            String cluster) {}

    /** The connection details of Spring Boot. */
    static final Names OF_DETAILS = new Names(
            "standalone",
            "standalone.host",
            List.of("username"),
            "password",
            "standalone.database",
            "sentinel.nodes",
            "sentinel.database",
            "sentinel.master",
            "sentinel.username",
            "sentinel.password",
            "cluster.nodes");

    /** The connection factory of Spring Data Redis. */
    static final Names OF_FACTORY = new Names(
            "standaloneConfiguration",
            "standaloneConfiguration.hostName",
            List.of(
                    "clusterConfiguration.username",
                    "sentinelConfiguration.username",
                    "standaloneConfiguration.username"),
            "password",
            "database",
            "sentinelConfiguration.sentinels",
            "database",
            "sentinelConfiguration.master.name",
            "sentinelConfiguration.sentinelUsername",
            "sentinelConfiguration.sentinelPassword",
            "clusterConfiguration.clusterNodes");

    private static final String HIDDEN = "thePassword";
    private static final String CONFIGURATION = "configuration";

    private final BeanWrapper bean;
    private final Names names;

    RedisInProperties(Object bean, Names names) {
        this.bean = PropertyAccessorFactory.forBeanPropertyAccess(bean);
        this.names = names;
    }

    /**
     * The URI; {@code null} if the bean has no address of a Redis.
     *
     * @throws StartFailure if a URI cannot express the address
     */
    @Nullable String uri() {
        refuseOthers();
        List<String> options = new ArrayList<>();
        String scheme = scheme(options);
        if (value(names.sentinels) instanceof Collection<?> sentinels) {
            add(options, "sentinelUser", names.sentinelUser);
            add(options, "sentinelPassword", names.sentinelPassword);
            return scheme + "-sentinel://" + credentials() + nodes(sentinels) + '/' + value(names.sentinelDatabase)
                    + query(options) + '#' + encoded(String.valueOf(value(names.master)));
        }
        if (value(names.cluster) instanceof Collection<?> nodes) {
            return scheme + "-cluster://" + credentials() + nodes(nodes) + query(options);
        }
        Object host = value(names.host);
        return host == null
                ? null
                : scheme + "://" + credentials() + host(host.toString()) + ':' + value(names.server + ".port") + '/'
                        + value(names.database) + query(options);
    }

    /**
     * Refuses connections that a URI cannot express. Such beans also contain localhost as the host, which is not meant.
     */
    private void refuseOthers() {
        String how = value("socketConfiguration") != null
                ? "through a Unix socket"
                : isMasterReplica() ? "as a static list of a master and replicas" : null;
        if (how != null) {
            throw new StartFailure(
                    "This application connects to Redis " + how + ", which the rate limiter does not support.",
                    "Set the store yourself: sluice.store=redis://host:6379 for the master, or sluice.store=memory: to "
                            + "count in this process alone.",
                    null);
        }
    }

    /** A factory has no property for this configuration, only a field. */
    private boolean isMasterReplica() {
        ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(bean.getWrappedInstance());
        Object inFactory = fields.isReadableProperty(CONFIGURATION) ? fields.getPropertyValue(CONFIGURATION) : null;
        return value("masterReplica") != null
                || (inFactory != null && inFactory.getClass().getSimpleName().contains("MasterReplica"));
    }

    /** In Spring Boot 4 the connection has the SSL bundle, in 3 the server; a factory has none. */
    private String scheme(List<String> options) {
        Object ofServer = value("standalone.sslBundle");
        Object bundle = ofServer == null ? value("sslBundle") : ofServer;
        if (bundle instanceof SslBundle ssl) {
            String trusted = TrustedAuthorities.file(ssl);
            if (trusted != null) {
                options.add("ca=" + encoded(trusted));
            }
        }
        return bundle != null || Boolean.TRUE.equals(value("useSsl")) ? "rediss" : "redis";
    }

    private String credentials() {
        Object user = names.users.stream()
                .map(this::value)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Object password = value(names.password);
        return password == null
                ? ""
                : (user == null ? "" : encoded(user.toString())) + ':' + encoded(password.toString()) + '@';
    }

    private static String nodes(Collection<?> all) {
        StringJoiner nodes = new StringJoiner(",");
        for (Object node : all) {
            ConfigurablePropertyAccessor one = PropertyAccessorFactory.forDirectFieldAccess(node);
            nodes.add(host(String.valueOf(one.getPropertyValue("host"))) + ':' + one.getPropertyValue("port"));
        }
        return nodes.toString();
    }

    /** The value of a property; {@code null} if there is none. */
    private @Nullable Object value(String property) {
        try {
            return bean.isReadableProperty(property) ? bean.getPropertyValue(property) : null;
        } catch (NullValueInNestedPathException e) {
            return null;
        }
    }

    private void add(List<String> options, String name, String property) {
        Object value = value(property);
        if (value != null && !text(value).isEmpty()) {
            options.add(name + '=' + encoded(text(value)));
        }
    }

    /** The text of a value. Spring Data Redis wraps some passwords in an object whose text is asterisks. */
    private static String text(Object value) {
        ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(value);
        return fields.isReadableProperty(HIDDEN) && fields.getPropertyValue(HIDDEN) instanceof char[] password
                ? new String(password)
                : value.toString();
    }

    private static String query(List<String> options) {
        return options.isEmpty() ? "" : '?' + String.join("&", options);
    }

    private static String host(String name) {
        return name.contains(":") && !name.startsWith("[") ? '[' + name + ']' : name;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
