package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Calls on virtual threads wait for the store and for their turns without pinning a carrier thread. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads come with Java 21")
@Tag("store")
class VirtualThreadsTest {

    @RegisterExtension
    static final RedisServer REDIS = RedisServer.open();

    private static final String PINNED = "jdk.VirtualThreadPinned";

    private static final int CALLS = 500;

    private static final String LIMITS = """
        store: { uri: "%s" }
        sync: { every: 100ms, slack: 0, timeout: 10s }
        pendingCalls: { queued: 1000, waiting: 1000, awaitingOutcomes: 1000 }
        endpoints:
          - { id: strict, pathPattern: /strict, per: [], tiers: [ { period: 366d, threshold: 50, sync: strict } ] }
          - { id: shared, pathPattern: /shared, per: [], tiers: [ { period: 366d, threshold: 60 } ] }
          - { id: log, pathPattern: /log, per: [ ip ],
              tiers: [ { period: 366d, threshold: 5, algorithm: sliding-log } ] }
          - { id: login, pathPattern: /login, per: [], count: { status: [ 401 ] },
              tiers: [ { period: 366d, threshold: 20 } ] }
          - { id: queue, pathPattern: /queue, per: [],
              tiers: [ { period: 1s, threshold: 100, algorithm: leaky-bucket, queue: 1000, maxQueueTime: 1m } ] }
        """;

    @TempDir
    private Path directory;

    @Test
    void arePinnedByNothingOfOurs() throws Exception {
        callEverything(); // loads and initializes classes, for which Java itself pins
        REDIS.call("FLUSHALL");
        assertThat(callEverything())
                .map(VirtualThreadsTest::frames)
                .filteredOn(frames -> frames.contains("dev.sluice.") && !frames.contains("ClassLoader"))
                .isEmpty();
    }

    private List<RecordedEvent> callEverything() throws Exception {
        Map<String, AtomicInteger> admitted = new ConcurrentHashMap<>();
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(LIMITS.formatted(REDIS.patientUri())))
                .open()) {
            List<RecordedEvent> pinned = pinnedBy(call -> {
                String path = List.of("/strict", "/shared", "/log", "/queue", "/login")
                        .get(call % 5);
                Decision decision = sluice.decide(TestCall.get(path).from("192.0.2." + call / 5 % 10));
                Ticket ticket = decision.ticket();
                if (decision.admitted() && (ticket == null || ticket.awaitTurn())) {
                    admitted.computeIfAbsent(path, key -> new AtomicInteger()).incrementAndGet();
                }
                if (path.equals("/login") && decision.admitted()) {
                    Thread.sleep(20);
                }
                if (ticket != null) {
                    ticket.ended(200);
                }
            });
            assertThat(admitted.toString()).contains("/strict=50", "/shared=60", "/log=50", "/queue=100", "/login=100");
            return pinned;
        }
    }

    /** Shows that the other test can fail: blocking in the initializer of a class pins on every Java so far. */
    @Test
    void areSeenWhereTheyArePinned() throws Exception {
        List<RecordedEvent> pinned =
                pinnedBy(call -> assertThat(BlocksAtFirst.DONE).isTrue());
        assertThat(pinned).anyMatch(event -> frames(event).contains(BlocksAtFirst.class.getName()));
    }

    /** Makes calls at the same time, each on its own virtual thread; returns those that were pinned while waiting. */
    private List<RecordedEvent> pinnedBy(Calling calling) throws Exception {
        Path file = directory.resolve("pinned.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withoutThreshold().withStackTrace();
            recording.start();
            ExecutorService threads = (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            try {
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    int call = i;
                    calls.add(threads.submit(() -> {
                        calling.call(call);
                        return null;
                    }));
                }
                for (Future<?> call : calls) {
                    call.get();
                }
            } finally {
                threads.shutdownNow();
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> pinned = RecordingFile.readAllEvents(file);
        Files.delete(file);
        return pinned;
    }

    private static String frames(RecordedEvent event) {
        return event.getStackTrace() == null
                ? ""
                : event.getStackTrace().getFrames().stream()
                        .map(frame -> frame.getMethod().getType().getName())
                        .filter(type -> !type.startsWith(VirtualThreadsTest.class.getName() + "$$"))
                        .toList()
                        .toString();
    }

    private static final class BlocksAtFirst {

        static final boolean DONE = block();

        private static boolean block() {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        }
    }

    @FunctionalInterface
    private interface Calling {
        void call(int number) throws Exception;
    }
}
