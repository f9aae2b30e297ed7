package dev.sluice.internal.store.redis.server;

import dev.sluice.Eventually;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.core.ExecutableProvider;

/**
 * A real redis-server on a free loopback port, without persistence, which tests may stop, kill, freeze and start again.
 * Registered as the extension of a class, it is empty before each of its tests, and ends after the last one.
 */
public final class RedisServer implements AutoCloseable, BeforeEachCallback, AfterAllCallback {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Pattern COMMAND_CALLS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+),");
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final int port;
    private final Path directory;
    private final List<String> options;
    private Process process;

    private RedisServer(int port, List<String> options) {
        this.port = port;
        this.options = List.copyOf(options);
        try {
            this.directory = Files.createTempDirectory("sluice-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server with these further options, for example {@code --maxmemory 2mb}. */
    public static RedisServer open(String... options) {
        return openOn(freePort(), options);
    }

    /** Starts a server on a port; clusters and sentinels want to know it beforehand. */
    public static RedisServer openOn(int port, String... options) {
        RedisServer server = new RedisServer(port, List.of(options));
        try {
            server.start();
        } catch (IllegalStateException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        call("FLUSHALL");
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        close();
    }

    public long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * For tests of what is counted, on a machine that may be busy: Redis counts as unavailable only if it
     * is unresponsive for long.
     */
    public String patientUri() {
        return uri() + "?timeout=10s";
    }

    /** The directory the server works in. */
    public Path directory() {
        return directory;
    }

    /** Sends one command over a connection of its own. */
    public Object call(String... words) {
        try (RedisWire wire = new RedisWire(port)) {
            return wire.call(words);
        }
    }

    /** Whether it knows users and their rights, which came with Redis 6. */
    public boolean hasUsers() {
        return !((String) call("INFO", "server")).contains("redis_version:5.");
    }

    /** Whether small hashes are listpacks, as from Redis 7 on. */
    public boolean hasListpacks() {
        return !((List<?>) call("CONFIG", "GET", "hash-max-listpack-entries")).isEmpty();
    }

    /** How often each command has run since {@code CONFIG RESETSTAT}, those within scripts included. */
    public Map<String, Long> commandCalls() {
        Map<String, Long> calls = new TreeMap<>();
        Matcher line = COMMAND_CALLS.matcher((String) call("INFO", "commandstats"));
        while (line.find()) {
            calls.put(line.group(1), Long.valueOf(line.group(2)));
        }
        return calls;
    }

    /** Starts it again, empty, on the same port. */
    public void start() {
        List<String> command = new ArrayList<>(List.of(Binary.FILE.getPath()));
        if (options.contains("--sentinel")) {
            command.add(directory.resolve("sentinel.conf").toString());
            createIfMissing(directory.resolve("sentinel.conf"));
        }
        command.addAll(List.of("--port", port + "", "--bind", "127.0.0.1", "--dir", directory.toString()));
        if (!options.contains("--sentinel")) {
            command.addAll(List.of("--save", "", "--appendonly", "no"));
        }
        command.addAll(options);
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve("log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RUNNING.add(process);
        awaitConnection();
    }

    /** Asks it to end, and waits. */
    public void stop() {
        end(process.toHandle()::destroy);
    }

    /** Kills it, as {@code kill -9} does. */
    public void kill() {
        end(process::destroyForcibly);
    }

    /** Stops the process where it stands: connections stay open, and nothing is answered. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets a frozen process go on. */
    public void thaw() {
        signal("CONT");
    }

    public String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that is free now, low enough that a cluster's bus finds its own 10,000 above. */
    public static int freePort() {
        for (int i = 0; i < 200; i++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between 20000 and 32000");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private void awaitConnection() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException("redis-server did not start:\n" + log(), e);
                }
                Eventually.pause(10);
            }
        }
    }

    private static void createIfMissing(Path file) {
        try {
            if (Files.notExists(file)) {
                Files.createFile(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void end(Runnable how) {
        if (process.isAlive()) {
            signal("CONT");
        }
        how.run();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RUNNING.remove(process);
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The redis-server for this machine, unpacked once; or the one that the system property {@code sluice.redis} names.
     */
    private static final class Binary {
        private static final String OTHER = System.getProperty("sluice.redis", "");
        static final File FILE = OTHER.isEmpty() ? unpack() : new File(OTHER);

        private static File unpack() {
            try {
                File directory =
                        Files.createTempDirectory("sluice-redis-server").toFile();
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
