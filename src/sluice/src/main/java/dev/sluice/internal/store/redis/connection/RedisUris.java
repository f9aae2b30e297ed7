package dev.sluice.internal.store.redis.connection;

import dev.sluice.internal.store.redis.connection.RedisAddress.Host;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import org.jspecify.annotations.Nullable;

/** Converts a {@link RedisAddress} to Lettuce's type. */
final class RedisUris {

    private static final String CLIENT_NAME = "sluice";

    private RedisUris() {}

    /** The URI of a single server or a cluster node. */
    static RedisURI of(RedisAddress address, Host host) {
        return enter(RedisURI.builder().withHost(host.name()).withPort(host.port()), address);
    }

    /** The URI of a master that Lettuce looks up through the sentinels. */
    static RedisURI ofSentinels(RedisAddress address) {
        RedisAddress.Options options = address.options();
        RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(String.valueOf(address.master()));
        for (Host host : address.hosts()) {
            RedisURI.Builder sentinel = RedisURI.builder().withHost(host.name()).withPort(host.port());
            authenticate(sentinel, options.sentinelUser(), options.sentinelPassword());
            uri.withSentinel(encrypt(sentinel, address).build());
        }
        return enter(uri, address);
    }

    private static RedisURI enter(RedisURI.Builder uri, RedisAddress address) {
        authenticate(uri, address.user(), address.password());
        return encrypt(uri, address)
                .withDatabase(address.database())
                .withClientName(CLIENT_NAME)
                .build();
    }

    private static RedisURI.Builder encrypt(RedisURI.Builder uri, RedisAddress address) {
        return uri.withSsl(address.tls())
                .withVerifyPeer(SslVerifyMode.valueOf(address.options().verify().name()))
                .withTimeout(address.handshake());
    }

    private static void authenticate(RedisURI.Builder uri, @Nullable String user, @Nullable String password) {
        if (password != null && user != null) {
            uri.withAuthentication(user, password);
        } else if (password != null) {
            uri.withPassword(password.toCharArray());
        }
    }
}
