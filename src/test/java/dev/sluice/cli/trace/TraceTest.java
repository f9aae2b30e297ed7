package dev.sluice.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.config.Sluice;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.operated.TraceLine;
import dev.sluice.internal.store.operated.TraceRequest;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Operators follow one caller over all instances for a while: what is exchanged about it, why, and who waits. */
class TraceTest {

    private static final String FILE = """
            sync: { timeout: 30s }
            secrets: { key: "0123456789abcdef0123" }
            subjects:
              tenant: [ "header:X-Org-Id" ]
              device: { sources: [ "header:X-Api-Key" ], secret: true }
            endpoints:
              - { id: orders, pathPattern: /orders, tiers: [ { period: 360d, threshold: 1000, sync: strict } ] }
              - { id: device, pathPattern: /device, per: [ device ], tiers: [ { period: 360d, threshold: 10 } ] }
              - { id: both, pathPattern: /both, per: [ tenant, device ], tiers: [ { period: 360d, threshold: 10 } ] }
            """;

    /** What a caller may send to do harm to a terminal. */
    private static final String HOSTILE = "ac\u001b[2J\u202eme";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private Sluice instance(String server, String store) throws IOException {
        String file =
                Files.writeString(directory.resolve("rate-limits.yml"), FILE).toString();
        return Sluice.builder().config(file).store(store).server(server).open();
    }

    private static Invocation trace(String... arguments) {
        List<String> all = new ArrayList<>(List.of("trace"));
        all.addAll(List.of(arguments));
        return Invocation.onStore(redis.patientUri(), all.toArray(String[]::new));
    }

    private static void awaitInstance() {
        Eventually.await("a report", () -> !((List<?>) redis.call("KEYS", "sluice:{limits}:file:*")).isEmpty());
    }

    @Test
    void printsWhatEachInstanceDoesForTheCaller() throws IOException {
        try (Sluice reports = instance("zero", redis.patientUri())) {
            awaitInstance();
            CompletableFuture<Invocation> running =
                    CompletableFuture.supplyAsync(() -> trace("orders", "tenant=" + HOSTILE, "--for", "3s"));
            Eventually.await(
                    "a trace",
                    () -> redis.call("EXISTS", "sluice:{limits}:traces").equals(1L));
            try (Sluice one = instance("shop-1\u001b[2J", redis.patientUri());
                    Sluice two = instance("shop-2", redis.patientUri())) {
                while (!running.isDone()) {
                    one.decide(TestCall.get("/orders").of(HOSTILE));
                    two.decide(TestCall.get("/orders").of(HOSTILE));
                    two.decide(TestCall.get("/orders").of("globex"));
                    Eventually.pause(50);
                }
                String out = running.join().printed();
                List<String> lines = out.lines().toList();
                assertThat(lines.get(0)).contains("tenant=ac\\u001b[2J\\u202eme at orders, on 1 instance, for 3s");
                assertThat(out).doesNotContain("\u001b", "globex");
                assertThat(lines)
                        .anyMatch(line -> line.matches("\\S+  shop-1\\\\u001b\\[2J  starts to trace this caller"))
                        .anyMatch(
                                line -> line.matches(
                                        "\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  shop-2  Exchange \\d+ \\(\\d+\\.\\d ms\\), calls wait: used 0, "
                                                + "held 0, needed 1, wanted 0; granted 1, left \\d+, held elsewhere \\d; any method, tier 360d"))
                        .anyMatch(
                                line -> line.matches(
                                        "\\S+  shop-1\\S+  A call waited \\d+\\.\\d ms for 1 permit: admitted; any method, tier 360d"));
                assertThat(lines.subList(1, lines.size()))
                        .isSortedAccordingTo(
                                (before, after) -> before.substring(0, 12).compareTo(after.substring(0, 12)));
                assertThat(redis.call("KEYS", "sluice:{limits}:trace*")).isEqualTo(List.of());
                assertThat(reports.limits().endpoints()).hasSize(3);
            }
        }
    }

    @Test
    void followsInMongoToo() throws IOException {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                OperatedStore store = OperatedStore.open(mongo.patientUri())) {
            TraceRequest acme = new TraceRequest("t1", "orders", "tenant", "acme", 60_000);
            assertThat(store.instances().beginTrace(acme).toCompletableFuture().join())
                    .isTrue();
            List<TraceLine> lines = new ArrayList<>();
            try (Sluice one = instance("shop-1", mongo.patientUri());
                    Sluice two = instance("shop-2", mongo.patientUri())) {
                Eventually.await(() -> "lines of both, not " + lines, () -> {
                    one.decide(TestCall.get("/orders").of("acme"));
                    two.decide(TestCall.get("/orders").of("acme"));
                    lines.addAll(store.instances()
                            .takeLines("t1")
                            .toCompletableFuture()
                            .join());
                    return isExchanged(lines, "shop-1") && isExchanged(lines, "shop-2");
                });
            }
        }
    }

    private static boolean isExchanged(List<TraceLine> lines, String server) {
        return lines.stream()
                .anyMatch(line -> line.server().equals(server) && line.text().startsWith("Exchange "));
    }

    @Test
    void inMemoryThereIsNothingToFollow() {
        Invocation run = Invocation.of("trace", "orders", "acme", "--store", "memory:");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--store memory: there is nothing to follow, since an instance without a store counts alone");
    }

    @Test
    void withoutAnInstanceThereIsNothingToFollow() {
        Invocation run = trace("orders", "acme");
        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("no instance reports to redis://").contains("so there is nothing to follow");
    }

    @Test
    void failsAtOnceIfThereIsNothingToFollow() throws IOException {
        try (Sluice one = instance("shop-1", redis.patientUri())) {
            awaitInstance();
            assertThat(trace("ordres", "acme").err()).contains("there is no endpoint ordres; did you mean orders?");
            assertThat(trace("orders", "device=x").err()).contains("orders counts by tenant, not by device");
            assertThat(trace("device", "s3cret").err())
                    .contains(
                            "the device is secret, and what you typed may be a secret, which must not get into the store");
            assertThat(trace("both", "s3cret").err()).contains("a subject is secret");
            assertThat(trace("orders", "acme", "--for", "6m").err())
                    .contains("--for '6m' is not a duration from 1ms to 5m; write 1m");
            assertThat(redis.call("EXISTS", "sluice:{limits}:traces")).isEqualTo(0L);
            for (int i = 0; i < 8; i++) {
                redis.call("HSET", "sluice:{limits}:traces", "t" + i, "9999999999999 a b c");
            }
            Invocation tooMany = trace("orders", "acme");
            assertThat(tooMany.exitCode()).isEqualTo(1);
            assertThat(tooMany.err()).contains("8 traces run already; each ends within five minutes");
            assertThat(one.limits().endpoints()).hasSize(3);
        }
    }
}
