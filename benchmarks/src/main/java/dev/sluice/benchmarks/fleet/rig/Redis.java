package dev.sluice.benchmarks.fleet.rig;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/** A redis-server of its own, on a free loopback port, without persistence; and what it tells of itself. */
public final class Redis implements AutoCloseable {

    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+),");
    private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");
    /** What connecting and measuring send. */
    private static final Set<String> NOT_COUNTED = Set.of("info", "hello", "client", "client|setinfo", "ping", "auth");

    private final String uri;
    private final Process process;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private Redis(int port) throws IOException {
        this.uri = "redis://127.0.0.1:" + port;
        this.process = new ProcessBuilder(
                        Binary.FILE.getPath(),
                        "--port",
                        "" + port,
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--dir",
                        Binary.FILE.getParent())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        this.client = RedisClient.create(uri);
        this.connection = connect();
    }

    public static Redis open() {
        try {
            return new Redis(freePort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    String uri() {
        return uri;
    }

    /** What it has done so far, without what connecting and measuring send. */
    public Usage usage() {
        Map<String, Long> runs = new TreeMap<>();
        Matcher line = CALLS.matcher(connection.sync().info("commandstats"));
        while (line.find()) {
            if (!NOT_COUNTED.contains(line.group(1))) {
                runs.put(line.group(1), Long.valueOf(line.group(2)));
            }
        }
        double seconds = 0;
        Matcher time = CPU.matcher(connection.sync().info("cpu"));
        while (time.find()) {
            seconds += Double.parseDouble(time.group(1));
        }
        return new Usage(runs, seconds);
    }

    String version() {
        Matcher version = Pattern.compile("redis_version:(\\S+)")
                .matcher(connection.sync().info("server"));
        return version.find() ? version.group(1) : "unknown";
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
        process.destroyForcibly().onExit().join();
    }

    private StatefulRedisConnection<String, String> connect() {
        for (int attempt = 1; ; attempt++) {
            try {
                return client.connect();
            } catch (RuntimeException e) {
                if (attempt == 100 || !process.isAlive()) {
                    throw e;
                }
                Pause.millis(20);
            }
        }
    }

    /** The redis-server for this machine, unpacked once. */
    private static final class Binary {
        static final File FILE = unpack();

        private static File unpack() {
            try {
                File directory = Files.createTempDirectory("sluice-experiment").toFile();
                directory.deleteOnExit();
                File file = ExecutableProvider.newJarResourceProvider(directory).get();
                file.deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
