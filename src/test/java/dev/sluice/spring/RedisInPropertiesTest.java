package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis of an application that makes its connection factory itself. */
class RedisInPropertiesTest {

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
        sentinels.setPassword("of-master");
        assertThat(uri(new LettuceConnectionFactory(sentinels)))
                .isEqualTo("redis-sentinel://:of-master@s1:26379/0?sentinelPassword=of-sentinels#main");
    }

    @Test
    void aCluster() {
        assertThat(uri(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("n1:7001")))))
                .isEqualTo("redis-cluster://n1:7001");
    }
}
