package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Explanation;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Gifts let a client pass beyond its limit, on all instances; a reset gives exactly what it has used. */
@Tag("store")
class ResetLimitTest {

    private static final String FILE = """
        store: { uri: "%s" }
        limits: { refresh: 100ms }
        sync: { timeout: 30s }
        subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
        endpoints:
          - { id: pages, pathPattern: /pages, tiers: [ { period: 360d, threshold: 60 } ] }
          - { id: slides, pathPattern: /slides, tiers: [ { period: 360d, threshold: 60, algorithm: sliding-window } ] }
          - { id: both, pathPattern: /both, per: [ tenant, user ], tiers: [ { period: 360d, threshold: 60 } ] }
          - { id: bucket, pathPattern: /bucket, tiers: [ { period: 360d, threshold: 60, algorithm: token-bucket } ] }
          - { id: slots, pathPattern: /slots, tiers: [ { algorithm: concurrency, threshold: 5 } ] }
        """;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private Sluice instance(String uri) throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE.formatted(uri));
        return Sluice.builder().config(ConfigLocation.source(file.toString())).open();
    }

    private static Invocation limits(String uri, String... arguments) {
        List<String> all = new ArrayList<>(List.of("limits"));
        all.addAll(List.of(arguments));
        return Invocation.onStore(uri, all.toArray(String[]::new));
    }

    private static Call call(String path) {
        return TestCall.get(path).of("acme");
    }

    private static int passing(Sluice instance, Call call) {
        int passed = 0;
        while (passed < 1000 && instance.decide(call).admitted()) {
            passed++;
        }
        return passed;
    }

    private static void awaitUsed(String uri, String endpoint, int used) {
        Eventually.await(
                used + " calls at " + endpoint,
                () -> limits(uri, "get", "acme", endpoint).out().contains(used + " of 60 used, 0 held"));
    }

    private static void assertResets(String uri, String path, String tier, Sluice one, Sluice other) {
        String endpoint = path.substring(1);
        assertThat(passing(one, call(path))).isEqualTo(60);
        assertThat(passing(other, call(path))).isZero();
        awaitUsed(uri, endpoint, 60);
        Invocation reset = limits(uri, "reset", "acme", endpoint, "--by", "eve", "--why", "ticket 12");
        assertThat(reset.err()).isEmpty();
        assertThat(reset.out()).isEqualToNormalizingNewlines("""
            The used calls are given back: tenant=acme %s
              tier %s: 60 calls are added to the limit of this window
            """.formatted(endpoint, tier));
        Eventually.await("a call passes", () -> other.decide(call(path)).admitted());
        AtomicReference<Decision> told = new AtomicReference<>();
        Eventually.await("a call passes on the first instance too", () -> {
            told.set(one.decide(call(path)));
            return told.get().admitted();
        });
        assertThat(told.get().remaining()).isBetween(0L, 58L);
        assertThat(told.get().limit()).isEqualTo(120);
        int again = 2 + passing(one, call(path)) + passing(other, call(path));
        assertThat(again + passing(one, call(path))).isEqualTo(60);
        assertThat(limits(uri, "history", "acme").out())
                .containsPattern("Z +reset +tenant=acme +" + endpoint + " +60 in " + tier + " +- +eve +ticket 12\n");
        assertThat(limits(uri, "list").out()).isEmpty();
    }

    @Test
    void resetsAWindow() throws IOException {
        try (Sluice one = instance(redis.patientUri());
                Sluice other = instance(redis.patientUri())) {
            assertResets(redis.patientUri(), "/pages", "360d", one, other);
        }
    }

    @Test
    void resetsASlidingWindow() throws IOException {
        try (Sluice one = instance(redis.patientUri());
                Sluice other = instance(redis.patientUri())) {
            assertResets(redis.patientUri(), "/slides", "360d-sliding-window", one, other);
        }
    }

    /** Also while calls pass, exactly the limit passes, and what was given. */
    @Test
    void letsExactlyThatManyMorePassUnderLoad() throws Exception {
        try (Sluice one = instance(redis.patientUri());
                Sluice other = instance(redis.patientUri());
                OperatedStore store = OperatedStore.open(redis.patientUri())) {
            AtomicBoolean goesOn = new AtomicBoolean(true);
            LongAdder admitted = new LongAdder();
            List<Thread> callers = new ArrayList<>();
            for (Sluice instance : List.of(one, other, one, other)) {
                Thread caller = new Thread(() -> {
                    while (goesOn.get()) {
                        if (instance.decide(call("/pages")).admitted()) {
                            admitted.increment();
                        }
                        Thread.onSpinWait();
                    }
                });
                caller.start();
                callers.add(caller);
            }
            LiveCounter counter = pages(one);
            long given = 0;
            for (int resets = 0; resets < 50; resets++) {
                given += store.gifts()
                        .reset(List.of(counter))
                        .toCompletableFuture()
                        .get(30, TimeUnit.SECONDS)
                        .get(0)
                        .given();
            }
            long all = 60 + given;
            Eventually.await(all + " calls", () -> admitted.sum() >= all);
            goesOn.set(false);
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(given).isPositive();
            assertThat(admitted.sum()).isEqualTo(all);
            long given60 = 60 + given;
            Eventually.await(
                    "all are counted",
                    () -> limits(redis.patientUri(), "get", "acme", "pages")
                            .out()
                            .contains(given60 + " of 60 used and " + (given60 - 60) + " given, 0 held"));
        }
    }

    private static LiveCounter pages(Sluice instance) {
        Explanation explained = instance.explain(call("/pages")).get(0);
        return new LiveCounter(explained.key(), new Rule.Total(60));
    }

    @Test
    void givesMore() throws IOException {
        try (Sluice one = instance(redis.patientUri());
                Sluice other = instance(redis.patientUri())) {
            for (String endpoint : List.of("pages", "slides")) {
                Call call = call("/" + endpoint);
                assertThat(passing(one, call)).isEqualTo(60);
                awaitUsed(redis.patientUri(), endpoint, 60);
                assertThat(passing(other, call)).isZero();
                Invocation give = limits(redis.patientUri(), "give", "acme", endpoint, "7", "--by", "eve");
                assertThat(give.err()).isEmpty();
                assertThat(give.out())
                        .startsWith("More calls are given: tenant=acme " + endpoint + "\n  tier 360d")
                        .endsWith(": 7 calls are added to the limit of this window\n");
                Eventually.await("a call passes", () -> other.decide(call).admitted());
                assertThat(1 + passing(one, call) + passing(other, call) + passing(one, call))
                        .isEqualTo(7);
            }
            Eventually.await(
                    "what was given is shown",
                    () -> limits(redis.patientUri(), "get", "acme", "pages")
                            .out()
                            .contains("67 of 60 used and 7 given, 0 held by instances, 0 left"));
            Invocation more = limits(redis.patientUri(), "give", "acme", "pages", "500", "--why", "a sale");
            assertThat(more.out())
                    .contains(": 500 calls are added to the limit of this window, 507 with those given before");
            Eventually.await("a call passes", () -> other.decide(call("/pages")).admitted());
            assertThat(other.decide(call("/pages")).limit()).isEqualTo(567);
            assertThat(2 + passing(other, call("/pages")) + passing(one, call("/pages")))
                    .isEqualTo(500);
            assertThat(limits(redis.patientUri(), "history").out())
                    .containsPattern("Z +give +tenant=acme +pages +7 in 360d +- +eve +-\n")
                    .containsPattern("Z +give +tenant=acme +pages +500 in 360d +- +\\S+ +a sale\n");
            Invocation none = limits(redis.patientUri(), "give", "acme", "pages", "0");
            assertThat(none.err()).contains("CALLS '0' is out of range; write a number from 1 to ");
            assertThat(none.exitCode()).isEqualTo(2);
        }
    }

    @Test
    void warnsOfAClientThatHasNotCalled() throws IOException {
        try (Sluice one = instance(redis.patientUri())) {
            one.decide(call("/pages"));
            awaitUsed(redis.patientUri(), "pages", 1);
            Invocation give = limits(redis.patientUri(), "give", "akme", "pages", "5");
            assertThat(give.out()).contains(": 5 calls are added to the limit of this window");
            assertThat(give.err())
                    .isEqualToIgnoringNewLines("warning: tenant=akme is not in clients, and has no counter in the "
                            + "store: nobody with that name has made a call recently; did you mean acme?");
        }
    }

    @Test
    void resetsAllEndpointsThatTheClientHasUsed() throws IOException {
        try (Sluice one = instance(redis.patientUri())) {
            one.decide(call("/pages"));
            one.decide(call("/both"));
            awaitUsed(redis.patientUri(), "pages", 1);
            Eventually.await(
                    "both is counted",
                    () -> Invocation.onStore(redis.patientUri(), "top", "--once")
                            .out()
                            .contains("both"));
            assertThat(limits(redis.patientUri(), "reset", "acme").out()).isEqualToNormalizingNewlines("""
                    The used calls are given back: tenant=acme pages
                      tier 360d: 1 call is added to the limit of this window
                    The used calls are given back: tenant=acme both
                      tier 360d: 1 call is added to the limit of this window
                    """);
        }
    }

    @Test
    void fillsBuckets() throws IOException {
        try (Sluice one = instance(redis.patientUri())) {
            one.decide(call("/bucket"));
            one.decide(call("/bucket"));
            Eventually.await(
                    "they are counted",
                    () -> limits(redis.patientUri(), "get", "acme", "bucket")
                            .out()
                            .contains("2 of 60 used, 0 held"));
            assertThat(limits(redis.patientUri(), "give", "acme", "bucket", "1").out())
                    .contains("  tier 360d-token-bucket: 1 token was added");
            assertThat(limits(redis.patientUri(), "give", "acme", "bucket", "9").out())
                    .contains("  tier 360d-token-bucket: 1 token was added, so the bucket is full");
            assertThat(limits(redis.patientUri(), "reset", "acme", "bucket").exitCode())
                    .isEqualTo(ExitCodes.NOTHING_SET);
        }
    }

    @Test
    void saysThatSlotsCannotBeGiven() throws IOException {
        try (Sluice one = instance(redis.patientUri())) {
            one.decide(call("/slots"));
            for (String[] command : new String[][] {{"reset", "acme", "slots"}, {"give", "acme", "slots", "5"}}) {
                Invocation slots = limits(redis.patientUri(), command);
                assertThat(slots.err())
                        .contains("counts calls in flight, which cannot be given: slots become free as calls end; to "
                                + "allow more concurrent calls, use set");
                assertThat(slots.exitCode()).isEqualTo(ExitCodes.NOTHING_SET);
            }
        }
    }

    @Test
    void saysWhyItResetsNothing() throws IOException {
        try (Sluice one = instance(redis.patientUri())) {
            one.decide(call("/pages"));
            awaitUsed(redis.patientUri(), "pages", 1);
            Invocation endpoint = limits(redis.patientUri(), "reset", "acme", "page");
            assertThat(endpoint.err()).contains("there is no endpoint page in ").contains("; did you mean pages?");
            assertThat(endpoint.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
            Invocation client = limits(redis.patientUri(), "reset", "akme", "pages");
            assertThat(client.err())
                    .isEqualToIgnoringNewLines("sluice: tenant=akme has used nothing in the current windows at "
                            + "pages; tenant=akme is not in clients, and has no counter in the store: nobody with "
                            + "that name has made a call recently; did you mean acme?");
            assertThat(client.exitCode()).isEqualTo(ExitCodes.NOTHING_SET);
            Invocation tier = limits(redis.patientUri(), "reset", "acme", "pages", "--tier", "360");
            assertThat(tier.err()).isEqualToIgnoringNewLines("sluice: there is no tier 360 there; did you mean 360d?");
            assertThat(tier.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
        }
        assertThat(limits(redis.patientUri(), "reset", "acme").err())
                .isEqualToIgnoringNewLines("sluice: cannot tell which counters the client has, because no live "
                        + "instance uses this store; name the file of the service with --config FILE; nothing was "
                        + "changed");
    }

    @Test
    void resetsWindowsInMongo() throws IOException {
        MongoServerInProcess mongo = MongoServerInProcess.open();
        try (Sluice one = instance(mongo.patientUri());
                Sluice other = instance(mongo.patientUri())) {
            assertResets(mongo.patientUri(), "/pages", "360d", one, other);
            assertResets(mongo.patientUri(), "/slides", "360d-sliding-window", one, other);
        } finally {
            mongo.close();
        }
    }
}
