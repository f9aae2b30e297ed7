package dev.sluice.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.spring.start.StartFailure;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis of an application that creates its own connection factory. */
@Tag("server")
class RedisOfFactoryTest {

    private static String uri(LettuceConnectionFactory factory) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("factory", factory);
        return RedisOfApplication.uri(beans);
    }

    @Test
    void oneServer() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("2001:db8::1", 6380);
        server.setDatabase(3);
        server.setUsername("shop");
        server.setPassword("p@ss word");
        assertThat(uri(new LettuceConnectionFactory(server)))
                .isEqualTo("redis://shop:p%40ss%20word@[2001:db8::1]:6380/3");
    }

    @Test
    void oneServerByTls() {
        assertThat(uri(new LettuceConnectionFactory(
                        new RedisStandaloneConfiguration("cache", 6379),
                        LettuceClientConfiguration.builder().useSsl().build())))
                .isEqualTo("rediss://cache:6379/0");
    }

    @Test
    void sentinels() {
        RedisSentinelConfiguration sentinels =
                new RedisSentinelConfiguration().master("main").sentinel("s1", 26379);
        sentinels.setSentinelPassword("of-sentinels");
        sentinels.setUsername("shop");
        sentinels.setPassword("of-master");
        assertThat(uri(new LettuceConnectionFactory(sentinels)))
                .isEqualTo("redis-sentinel://shop:of-master@s1:26379/0?sentinelPassword=of-sentinels#main");
    }

    @Test
    void aCluster() {
        assertThat(uri(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("n1:7001")))))
                .isEqualTo("redis-cluster://n1:7001");
        RedisClusterConfiguration secured = new RedisClusterConfiguration(List.of("n1:7001"));
        secured.setUsername("shop");
        secured.setPassword("secret");
        assertThat(uri(new LettuceConnectionFactory(secured))).isEqualTo("redis-cluster://shop:secret@n1:7001");
    }

    /** By default, such a factory also has localhost as its host. */
    @Test
    void anUnsupportedConnectionIsNotMistakenForLocalhost() {
        assertThatThrownBy(() -> uri(new LettuceConnectionFactory(new RedisSocketConfiguration("/tmp/redis.sock"))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("through a Unix socket");
        assertThatThrownBy(() ->
                        uri(new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("cache-1", 6379))))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("as a static list of a master and replicas");
    }

    @Test
    void doesNotGuessOneOfSeveral() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("carts", new LettuceConnectionFactory("one", 6379));
        beans.registerSingleton("sessions", new LettuceConnectionFactory("other", 6379));
        assertThatThrownBy(() -> RedisOfApplication.uri(beans))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("LettuceConnectionFactory, but the application has several: carts, sessions");
    }
}
