package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import redis.embedded.RedisServer;

/** Instances of an application count together in its Redis, without any configuration. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class RedisOfApplicationTest {

    private static final String FIVE =
            "{ id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 5 } ] }";

    /** No instance admits a call alone, however busy the machine is. */
    private static final String TOGETHER = "store: { onFailure: deny }\nendpoints: [ " + FIVE + " ]";

    private static final String PASSWORD = "p@ss/word";

    private static RedisServer redis;
    private static int port;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startRedis() throws IOException {
        port = freePort();
        redis = server(port, "requirepass " + PASSWORD);
        redis.start();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.stop();
    }

    private RunningApplication start(String limits) throws IOException {
        return RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits),
                "spring.data.redis.url=redis://:p%40ss%2Fword@127.0.0.1:" + port + "/2");
    }

    private static String store(RunningApplication shop) {
        var store = shop.bean(Sluice.class).status().store();
        return store == null ? "memory:" : store.name();
    }

    @Test
    void twoInstancesShareALimit() throws IOException {
        try (RunningApplication one = start(TOGETHER);
                RunningApplication other = start(TOGETHER)) {
            assertThat(store(one)).isEqualTo("redis://127.0.0.1:" + port + "/2");
            AtomicInteger admitted = new AtomicInteger();
            Eventually.await("five calls pass", () -> admitted.addAndGet(ofTwo(one, other)) >= 5);
            for (int i = 0; i < 5; i++) {
                admitted.addAndGet(ofTwo(one, other));
            }
            assertThat(admitted).hasValue(5);
        }
    }

    /** How many calls pass, of one to each of two instances. */
    private static int ofTwo(RunningApplication one, RunningApplication other) {
        return (int) Stream.of(one, other)
                .filter(each -> each.get("/product/1", "X-Org-Id", "acme").statusCode() == 200)
                .count();
    }

    @Test
    void theLogSaysThatInstancesCountTogether(CapturedOutput output) throws IOException {
        assumeThat(LoggerFactory.getLogger("dev.sluice.spring").isInfoEnabled()).isTrue(); // set by Maven
        try (RunningApplication shop = start(TOGETHER)) {
            assertThat(output.getAll()).contains("instances count together in the Redis of this application");
        }
    }

    @Test
    void theStoreInTheFileOverridesIt() throws IOException {
        try (RunningApplication shop = start("store: { uri: \"memory:\" }\nendpoints: [ " + FIVE + " ]")) {
            assertThat(store(shop)).isEqualTo("memory:");
        }
    }

    /** A bean that comes before the properties, as Docker Compose and Testcontainers provide it. */
    @Import({Shop.class, ServiceConnection.class})
    static class WithServiceConnection {}

    /** Registers connection details under their name in this version of Spring Boot. */
    static class ServiceConnection implements ImportBeanDefinitionRegistrar {

        private static final List<String> DETAILS = List.of(
                "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
                "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails");

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            ClassLoader loader = getClass().getClassLoader();
            DETAILS.stream()
                    .filter(name -> ClassUtils.isPresent(name, loader))
                    .map(name -> ClassUtils.resolveClassName(name, loader))
                    .forEach(type -> registry.registerBeanDefinition("redisOfContainer", details(type)));
        }

        private static <T> RootBeanDefinition details(Class<T> type) {
            return new RootBeanDefinition(
                    type,
                    () -> type.cast(Proxy.newProxyInstance(
                            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                                return switch (method.getName()) {
                                    case "getPassword" -> PASSWORD;
                                    case "getStandalone" ->
                                        method.getReturnType()
                                                .getMethod("of", String.class, int.class, int.class)
                                                .invoke(null, "127.0.0.1", port, 4);
                                    default ->
                                        method.getDeclaringClass() == Object.class
                                                ? method.invoke(type, arguments)
                                                : InvocationHandler.invokeDefault(proxy, method, arguments);
                                };
                            })));
        }
    }

    @Test
    void theRedisOfAServiceConnectionIsUsed() throws IOException {
        try (RunningApplication shop = RunningApplication.start(
                WithServiceConnection.class,
                "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), TOGETHER),
                "spring.data.redis.host=elsewhere.invalid")) {
            assertThat(store(shop)).isEqualTo("redis://127.0.0.1:" + port + "/4");
            Eventually.await(
                    "a call passes, for which Redis has to answer",
                    () -> shop.get("/product/1", "X-Org-Id", "acme").statusCode() == 200);
        }
    }

    /** An application with its own connection factory. */
    @Import(Shop.class)
    static class WithFactory {

        @Bean
        LettuceConnectionFactory redis() {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
            server.setPassword(PASSWORD);
            server.setDatabase(5);
            return new LettuceConnectionFactory(server);
        }
    }

    @Test
    void theRedisOfAConnectionFactoryIsUsed() throws IOException {
        try (RunningApplication shop = RunningApplication.start(
                WithFactory.class,
                "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), TOGETHER),
                "spring.data.redis.host=elsewhere.invalid")) {
            assertThat(store(shop)).isEqualTo("redis://127.0.0.1:" + port + "/5");
        }
    }

    private static RedisServer server(int onPort, String more) throws IOException {
        return RedisServer.newRedisServer()
                .port(onPort)
                .setting("bind 127.0.0.1")
                .setting(more)
                .build();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static LimiterStatus.@Nullable Unavailable unavailable(RunningApplication shop) {
        var store = shop.bean(Sluice.class).status().store();
        return store == null ? null : store.unavailable();
    }

    private static boolean reachesRedis(RunningApplication shop) {
        try (RedisConnection connection =
                shop.bean(RedisConnectionFactory.class).getConnection()) {
            return "PONG".equals(connection.ping());
        } catch (DataAccessException e) {
            return false;
        }
    }

    /** By default, an instance counts alone meanwhile, and with the others again when Redis is back. */
    @Test
    void itMayBreakAndComeBackWhileTheApplicationRuns() throws IOException {
        int ownPort = freePort();
        RedisServer breaking = server(ownPort, "save \"\"");
        breaking.start();
        try (RunningApplication shop = RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), "endpoints: [ " + FIVE + " ]"),
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + ownPort,
                "spring.data.redis.timeout=2s",
                "management.endpoint.health.show-components=always")) {
            Eventually.await("an exchange", () -> hasAnswered(shop));
            Eventually.await("the application's connection", () -> reachesRedis(shop));
            assertThat(left(shop)).isEqualTo("4");

            breaking.stop();
            assertThat(left(shop)).as("while it is unavailable").isEqualTo("3");
            Eventually.await("the store is unavailable", () -> unavailable(shop) != null);
            assertThat(reachesRedis(shop)).isFalse();
            assertThat(left(shop)).as("while it is known to be unavailable").isEqualTo("2");
            assertThat(shop.get("/actuator/health/sluice").body()).contains("\"UP\"");
            assertThat(shop.get("/actuator/health/redis").body()).contains("\"DOWN\"");

            RedisServer back = server(ownPort, "save \"\"");
            back.start();
            try {
                Eventually.await("the store is back", () -> unavailable(shop) == null);
                Eventually.await("the application's connection is back", () -> reachesRedis(shop));
                left(shop);
                Eventually.await("what was counted meanwhile is not lost", () -> standing(shop) == 1);
            } finally {
                back.stop();
            }
        } finally {
            breaking.stop();
        }
    }

    /** The remaining calls of acme, as far as the instance knows. Makes no call. */
    private static long standing(RunningApplication shop) {
        List<Subject> acme = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
        return shop.bean(Sluice.class).standings(acme).get(0).remaining();
    }

    private static boolean hasAnswered(RunningApplication shop) {
        shop.get("/product/1", "X-Org-Id", "another");
        var store = shop.bean(Sluice.class).status().store();
        return store != null && store.answered() > 0;
    }

    private static String left(RunningApplication shop) {
        return shop.get("/product/1", "X-Org-Id", "acme")
                .headers()
                .firstValue("x-ratelimit-remaining")
                .orElse("none");
    }

    /** The limiter has its own connection. */
    @Test
    void theLimiterDoesNotUseTheConnectionFactoryOfSpringBoot() throws IOException {
        try (RunningApplication shop = start("endpoints: [ " + FIVE + " ]")) {
            Eventually.await("an exchange", () -> hasAnswered(shop));
            shop.bean(LettuceConnectionFactory.class).stop();
            var before = shop.bean(Sluice.class).status().store();
            long answered = before == null ? 0 : before.answered();
            Eventually.await("another exchange", () -> {
                shop.get("/product/1", "X-Org-Id", "third");
                var now = shop.bean(Sluice.class).status().store();
                return now != null && now.answered() > answered;
            });
            assertThat(unavailable(shop)).isNull();
        }
    }
}
