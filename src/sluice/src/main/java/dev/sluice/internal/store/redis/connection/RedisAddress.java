package dev.sluice.internal.store.redis.connection;

import dev.sluice.internal.text.SafeText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address and credentials of a Redis deployment, parsed from a store URI. {@link #toString} does not contain the
 * password.
 *
 * @param kind the kind of server
 * @param tls whether connections are encrypted
 * @param user the ACL user; {@code null} for the default user
 * @param password the user's password; {@code null} if there is none
 * @param hosts the single server, some of the cluster nodes, or the sentinels
 * @param database the database number; 0 by default, and always 0 for {@link Kind#CLUSTER}
 * @param master the name of the master in the sentinels' configuration; only for {@link Kind#SENTINEL}
 * @param options the options in the query of the URI
 */
public record RedisAddress(
        Kind kind,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        List<Host> hosts,
        int database,
        @Nullable String master,
        Options options) {

    private static final Duration SHORTEST_HANDSHAKE = Duration.ofSeconds(2);

    public RedisAddress {
        hosts = List.copyOf(hosts);
    }

    /** The kind of server. */
    public enum Kind {
        SINGLE("redis", "rediss", 6379, "user:password@localhost:6379/0?timeout=1s"),
        SENTINEL(
                "redis-sentinel",
                "rediss-sentinel",
                26379,
                "user:password@sentinel1:26379,sentinel2/0?timeout=1s#mymaster"),
        CLUSTER("redis-cluster", "rediss-cluster", 6379, "user:password@node1:6379,node2?timeout=1s");

        public final String scheme;
        final String tlsScheme;
        final int defaultPort;
        final String example;

        Kind(String scheme, String tlsScheme, int defaultPort, String example) {
            this.scheme = scheme;
            this.tlsScheme = tlsScheme;
            this.defaultPort = defaultPort;
            this.example = example;
        }
    }

    /** One server. */
    record Host(String name, int port) {
        @Override
        public String toString() {
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
        }
    }

    /**
     * The options in the query of the URI.
     *
     * @param timeout the time limit for an exchange
     * @param verify how to verify the server's certificate
     * @param ca a PEM file with the certificate authorities to trust instead of those of the JVM
     * @param cert a PEM file with the client certificate, if the server requires one
     * @param key a PEM file with the private key of {@code cert}
     * @param sentinelUser the ACL user for the sentinels
     * @param sentinelPassword the password for the sentinels
     */
    record Options(
            Duration timeout,
            Verify verify,
            @Nullable String ca,
            @Nullable String cert,
            @Nullable String key,
            @Nullable String sentinelUser,
            @Nullable String sentinelPassword) {

        public static final Options DEFAULT =
                new Options(Duration.ofSeconds(1), Verify.FULL, null, null, null, null, null);

        /** The options without their passwords. */
        @Override
        public String toString() {
            return "Options[timeout=" + timeout + ", verify=" + verify + "]";
        }
    }

    /** How to verify the server's certificate. */
    enum Verify {
        /** Verifies the issuer and the host name. */
        FULL,
        /** Verifies only the issuer. */
        CA,
        /** Does not verify the certificate. */
        NONE
    }

    /**
     * The time limit for connecting. It can be longer than the time limit for an exchange, because later exchanges also
     * use the connection.
     */
    public Duration handshake() {
        Duration timeout = options.timeout();
        return timeout.compareTo(SHORTEST_HANDSHAKE) > 0 ? timeout : SHORTEST_HANDSHAKE;
    }

    /** The URI without user, password and options, for logs. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(tls ? kind.tlsScheme : kind.scheme).append("://");
        for (int i = 0; i < hosts.size(); i++) {
            text.append(i == 0 ? "" : ",").append(hosts.get(i));
        }
        if (database != 0) {
            text.append('/').append(database);
        }
        if (master != null) {
            text.append('#').append(master);
        }
        return SafeText.line(text.toString());
    }
}
