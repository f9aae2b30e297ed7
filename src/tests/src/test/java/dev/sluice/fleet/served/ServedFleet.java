package dev.sluice.fleet.served;

import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.internal.store.redis.server.RedisWire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Three {@code serve} processes and one Redis, called over HTTP. */
final class ServedFleet implements AutoCloseable {

    static final int INSTANCES = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PROBED_EVERY = Duration.ofMillis(100);
    private static final Pattern WINDOW_KEY = Pattern.compile(".*:\\d+:\\d+");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final RedisServer redis = RedisServer.open();
    private final List<ServedInstance> instances = new ArrayList<>();
    private final List<String> addresses;
    private final MachineWatch watch = new MachineWatch();

    /**
     * Starts all, and waits until all instances listen.
     *
     * @param limits the text of their file, with {@code %s} where the store's address belongs
     */
    ServedFleet(String limits, Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), limits.formatted(redis.uri()));
        try {
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(new ServedInstance(file, directory.resolve("serve-" + i + ".log")));
            }
            addresses = instances.stream().map(ServedInstance::awaitAddress).toList();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * From now on, measures how late Redis answers, and how late each instance answers a call without a limit.
     *
     * @return closed with this fleet
     */
    MachineWatch watch() {
        for (int i = 0; i < INSTANCES; i++) {
            HttpRequest call = HttpRequest.newBuilder(URI.create(addresses.get(i) + "/unlimited"))
                    .timeout(PATIENCE)
                    .build();
            watch.watch(
                    "instance " + i,
                    PROBED_EVERY,
                    () -> http.sendAsync(call, HttpResponse.BodyHandlers.discarding())
                            .join());
        }
        watch.watch("Redis", PROBED_EVERY, () -> redis.call("PING"));
        return watch;
    }

    /** The process of each instance. */
    List<Long> pids() {
        return instances.stream().map(ServedInstance::pid).toList();
    }

    long redisPid() {
        return redis.pid();
    }

    /** Sends one call without waiting for its answer. */
    CompletableFuture<Answer> send(int instance, String target, String caller) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(addresses.get(instance) + target))
                .header("X-Org-Id", caller)
                .timeout(PATIENCE)
                .build();
        long sent = System.nanoTime();
        return http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .thenApply(response -> Answer.of(response, sent, System.nanoTime()));
    }

    /**
     * Looks into Redis until the newest windows of all these counters of a caller stand at {@code total}.
     *
     * @param counters each as its key names it after the caller, for example {@code page:GET:1h}
     * @return whether they did before the deadline, by {@link System#nanoTime()}
     */
    boolean awaitTotals(String caller, List<String> counters, long total, long deadlineNanos) {
        try (RedisWire wire = new RedisWire(redis.port())) {
            while (true) {
                boolean late = System.nanoTime() > deadlineNanos;
                if (counters.stream().allMatch(counter -> total(wire, caller, counter) == total)) {
                    return true;
                }
                if (late) {
                    return false;
                }
                Eventually.pause(100);
            }
        }
    }

    /** The count that Redis has recorded in the newest window of this counter. */
    private static long total(RedisWire wire, String caller, String counter) {
        String pattern = "sluice:{*}:tenant=*=" + caller + ":" + counter + ":*";
        List<String> keys = new ArrayList<>();
        String cursor = "0";
        do {
            List<?> page = (List<?>) wire.call("SCAN", cursor, "MATCH", pattern, "COUNT", "10000");
            cursor = (String) page.get(0);
            ((List<?>) page.get(1)).forEach(key -> keys.add((String) key));
        } while (!"0".equals(cursor));
        return keys.stream()
                .filter(WINDOW_KEY.asMatchPredicate())
                .max(Comparator.naturalOrder()) // they differ in nothing but when the window starts and ends
                .map(key -> (String) wire.call("GET", key))
                .map(Long::valueOf)
                .orElse(0L);
    }

    /** If less than {@code needed} remains of the current window, waits for the next one. */
    static void awaitTimeLeft(Duration window, Duration needed) {
        Eventually.await(
                "a window with time left",
                () -> window.toMillis() - Math.floorMod(System.currentTimeMillis(), window.toMillis())
                        >= needed.toMillis());
    }

    /** The warnings in the logs of the instances. */
    List<String> warnings() {
        return instances.stream()
                .flatMap(instance -> instance.warnings().stream())
                .toList();
    }

    @Override
    public void close() {
        watch.close();
        instances.forEach(ServedInstance::close);
        redis.close();
    }
}
