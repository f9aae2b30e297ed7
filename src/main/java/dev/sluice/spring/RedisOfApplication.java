package dev.sluice.spring;

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
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.ClassUtils;

/**
 * Where the Redis is that the application uses: by its {@code spring.data.redis.*}, Docker Compose or Testcontainers. All
 * these make a bean of one interface, which has another name in Spring Boot 3 than in 4, and the same properties; they are
 * read by name. Instances then count together over a connection of their own, with the time-outs that limits need.
 */
final class RedisOfApplication {

    private static final List<String> DETAILS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
            "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails");

    private static final String LETTUCE = "io.lettuce.core.RedisClient";

    private final BeanWrapper details;

    private RedisOfApplication(Object details) {
        this.details = PropertyAccessorFactory.forBeanPropertyAccess(details);
    }

    /** Its address as a store's uri; {@code null} if the application has none, or no Lettuce to reach it. */
    static @Nullable String uri(ListableBeanFactory beans) {
        ClassLoader loader = RedisOfApplication.class.getClassLoader();
        if (!ClassUtils.isPresent(LETTUCE, loader)) {
            return null;
        }
        for (String name : DETAILS) {
            if (ClassUtils.isPresent(name, loader)) {
                Object found = beans.getBeanProvider(ClassUtils.resolveClassName(name, loader))
                        .getIfUnique();
                return found == null ? null : new RedisOfApplication(found).uri();
            }
        }
        return null;
    }

    private @Nullable String uri() {
        List<String> options = new ArrayList<>();
        SslBundle ssl = ssl();
        String ca = ssl == null ? null : TrustedAuthorities.file(ssl);
        if (ca != null) {
            options.add("ca=" + encoded(ca));
        }
        String scheme = ssl == null ? "redis" : "rediss";
        if (value("sentinel") != null) {
            add(options, "sentinelUser", "sentinel.username");
            add(options, "sentinelPassword", "sentinel.password");
            return scheme + "-sentinel://" + entry() + nodes("sentinel.nodes") + '/' + value("sentinel.database")
                    + query(options) + '#' + encoded(String.valueOf(value("sentinel.master")));
        }
        if (value("cluster") != null) {
            return scheme + "-cluster://" + entry() + nodes("cluster.nodes") + query(options);
        }
        return value("standalone") == null
                ? null
                : scheme + "://" + entry() + host(String.valueOf(value("standalone.host"))) + ':'
                        + value("standalone.port") + '/' + value("standalone.database") + query(options);
    }

    /** Of the connection in Spring Boot 4; of the server in 3. */
    private @Nullable SslBundle ssl() {
        Object bundle = value("sslBundle");
        return (SslBundle) (bundle != null || value("standalone") == null ? bundle : value("standalone.sslBundle"));
    }

    private String entry() {
        Object user = value("username");
        Object password = value("password");
        return password == null
                ? ""
                : (user == null ? "" : encoded(String.valueOf(user))) + ':' + encoded(String.valueOf(password)) + '@';
    }

    private String nodes(String property) {
        StringJoiner nodes = new StringJoiner(",");
        for (Object node : (Collection<?>) Objects.requireNonNull(value(property))) {
            ConfigurablePropertyAccessor one = PropertyAccessorFactory.forDirectFieldAccess(node);
            nodes.add(host(String.valueOf(one.getPropertyValue("host"))) + ':' + one.getPropertyValue("port"));
        }
        return nodes.toString();
    }

    private @Nullable Object value(String property) {
        return details.isReadableProperty(property) ? details.getPropertyValue(property) : null;
    }

    private void add(List<String> options, String name, String property) {
        Object value = value(property);
        if (value != null) {
            options.add(name + '=' + encoded(String.valueOf(value)));
        }
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
