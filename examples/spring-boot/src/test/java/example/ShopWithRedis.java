package example;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.springframework.boot.SpringApplication;
import redis.embedded.RedisServer;

/** Starts the shop and a Redis that ends with it: {@code mvn spring-boot:test-run}. */
public final class ShopWithRedis {

    private ShopWithRedis() {}

    public static void main(String[] arguments) throws IOException {
        RedisServer redis = startRedis();
        System.setProperty("REDIS_URL", url(redis));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(redis)));
        SpringApplication.run(ShopApplication.class, arguments);
    }

    /** Starts a redis-server on a free port. */
    static RedisServer startRedis() throws IOException {
        RedisServer redis = RedisServer.newRedisServer()
                .bind("127.0.0.1")
                .port(freePort())
                .build();
        redis.start();
        return redis;
    }

    static String url(RedisServer redis) {
        return "redis://127.0.0.1:" + redis.ports().get(0);
    }

    private static void stop(RedisServer redis) {
        try {
            redis.stop();
        } catch (IOException e) {
            System.err.println("The Redis goes on running: " + e.getMessage());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
