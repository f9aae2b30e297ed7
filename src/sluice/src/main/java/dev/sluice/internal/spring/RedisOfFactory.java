package dev.sluice.internal.spring;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.ConfigurablePropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Reads the address of a Redis from the public configuration of an application's connection factory.
 *
 * <p>A static list of a master and replicas is an exception, because the factory does not expose it and reports
 * localhost instead. To reject such a factory, this class reads the factory's private {@code configuration} field. If
 * Spring renames the field, only this check is lost.
 */
final class RedisOfFactory {

    private static final String CONFIGURATION = "configuration";

    private RedisOfFactory() {}

    /**
     * Returns the factory's Redis address as a store URI.
     *
     * @throws dev.sluice.spring.start.StartFailure if a URI cannot express the address
     */
    static String uri(Object bean) {
        LettuceConnectionFactory factory = (LettuceConnectionFactory) bean;
        if (factory.getSocketConfiguration() != null) {
            throw RedisUriText.notSupported("through a Unix socket");
        }
        if (hasMasterAndReplicas(factory)) {
            throw RedisUriText.ofMasterAndReplicas();
        }
        boolean byTls = factory.getClientConfiguration().isUseSsl();
        RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
        if (sentinels != null) {
            NamedNode master = sentinels.getMaster();
            return new RedisUriText(byTls, sentinels.getUsername(), text(sentinels.getPassword()))
                    .with("sentinelUser", sentinels.getSentinelUsername())
                    .with("sentinelPassword", text(sentinels.getSentinelPassword()))
                    .ofSentinels(
                            servers(sentinels.getSentinels()),
                            sentinels.getDatabase(),
                            master == null ? "" : String.valueOf(master.getName()));
        }
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster != null) {
            return new RedisUriText(byTls, cluster.getUsername(), text(cluster.getPassword()))
                    .ofCluster(servers(cluster.getClusterNodes()));
        }
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        return new RedisUriText(byTls, server.getUsername(), text(server.getPassword()))
                .ofServer(RedisUriText.server(server.getHostName(), server.getPort()), server.getDatabase());
    }

    private static boolean hasMasterAndReplicas(LettuceConnectionFactory factory) {
        ConfigurablePropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(factory);
        return fields.isReadableProperty(CONFIGURATION)
                && fields.getPropertyValue(CONFIGURATION) instanceof RedisConfiguration configuration
                && RedisConfiguration.isStaticMasterReplicaConfiguration(configuration);
    }

    private static @Nullable String text(RedisPassword password) {
        return password.isPresent() ? new String(password.get()) : null;
    }

    private static List<String> servers(Collection<RedisNode> nodes) {
        return nodes.stream()
                .map(node -> RedisUriText.server(
                        String.valueOf(node.getHost()), node.getPort() == null ? 0 : node.getPort()))
                .toList();
    }
}
