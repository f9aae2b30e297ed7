package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.KnownClient;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of clients, from the text of the file to the decision. */
class PlansTest {

    private static final String KEY = "the key of all instances";
    private static final SecretDigest DIGEST = SecretDigest.keyed(KEY);

    private static final String PLANS = """
        secrets: { key: "the key of all instances" }
        subjects: { tenant: [ "hash(header:X-Api-Key)", "header:X-Org-Id", ip ] }
        plans:
          free: { multiply: 0.5 }
          pro: { multiply: 3, endpoints: { export: [ { period: 1h, threshold: 7 } ] } }
          staff: { exempt: true }
          trial: { mode: dry-run }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 10 } ] }
          - { id: export, pathPattern: /export, tiers: [ { period: 1h, threshold: 2 } ] }
        """;

    private final TestClock clock = new TestClock(0);

    private Sluice open(String clients) {
        return Sluice.builder()
                .config(new GivenFile(PLANS + clients))
                .clock(clock)
                .open();
    }

    private static TestCall shop(String key) {
        return TestCall.get("/shop").with("X-Api-Key", key);
    }

    private static long passed(Sluice sluice, Call call) {
        long passed = 0;
        while (passed < 100 && sluice.decide(call).admitted()) {
            passed++;
        }
        return passed;
    }

    @Nested
    class OfTheList {

        @ParameterizedTest
        @CsvSource({
            "k-pro, /shop, 30",
            "k-pro, /export, 7",
            "k-hashed, /shop, 30",
            "k-free, /shop, 5",
            "k-staff, /shop, 100",
            "k-trial, /shop, 100",
            "k-both, /shop, 60",
            "k-both, /export, 9",
            "k-other, /shop, 10",
            "k-other, /export, 2",
        })
        void sayHowMuchPasses(String key, String path, int expected) {
            try (Sluice sluice = open("""
                clients:
                  - { tenant: k-pro, plan: pro }
                  - { tenant: "%s", plan: pro }
                  - { tenant: k-free, plan: free }
                  - { tenant: k-staff, plan: staff }
                  - { tenant: k-trial, plan: trial }
                  - { tenant: k-both, plan: pro, multiply: 2, endpoints: { export: [ { period: 1h, threshold: 9 } ] } }
                """.formatted(DIGEST.apply("k-hashed")))) {
                assertThat(passed(sluice, TestCall.get(path).with("X-Api-Key", key)))
                        .isEqualTo(expected);
            }
        }

        @Test
        void areNotOfWhoSendsAHash() {
            String hash = DIGEST.apply("k-hashed");
            try (Sluice sluice = open("clients: [ { tenant: \"" + hash + "\", plan: pro } ]")) {
                assertThat(passed(sluice, shop(hash))).isEqualTo(10);
                assertThat(passed(sluice, TestCall.get("/shop").of(hash))).isEqualTo(10);
                assertThat(passed(sluice, shop("k-hashed"))).isEqualTo(30);
            }
        }

        @Test
        void hashesMayStandBesideOtherSubjects() {
            try (Sluice sluice = open("clients: [ { tenant: [ \"" + DIGEST.apply("a")
                    + "\", b ], \"header:X-Eu\": \"1\", plan: pro } ]")) {
                assertThat(passed(sluice, shop("a"))).isEqualTo(10);
                assertThat(passed(sluice, shop("b").with("X-Eu", "1"))).isEqualTo(30);
            }
            try (Sluice sluice = open("clients: [ { tenant: [ \"" + DIGEST.apply("a")
                    + "\", b ], \"header:X-Eu\": \"1\", plan: pro } ]")) {
                assertThat(passed(sluice, shop("a").with("X-Eu", "1"))).isEqualTo(30);
            }
        }
    }

    @Nested
    class OfAClaim {

        private static final String CLIENTS = """
            clients:
              planFrom: [ "claim:plan", "attribute:plan" ]
              defaultPlan: free
              list: [ { tenant: k-staff, plan: staff } ]
            """;

        @ParameterizedTest
        @CsvSource({
            "k-1, pro, 30",
            "k-2, free, 5",
            "k-3, gold, 5",
            "k-4, '', 5",
            "k-staff, free, 100",
        })
        void sayHowMuchPasses(String key, String claim, int expected) {
            try (Sluice sluice = open(CLIENTS)) {
                assertThat(passed(sluice, shop(key).with("claim:plan", claim))).isEqualTo(expected);
            }
        }

        @Test
        void keepTheCountWhenTheyChange() {
            try (Sluice sluice = open(CLIENTS)) {
                assertThat(passed(sluice, shop("k").with("claim:plan", "free"))).isEqualTo(5);
                clock.advance(Duration.ofMillis(200));
                assertThat(passed(sluice, shop("k").with("claim:plan", "pro"))).isEqualTo(25);
                clock.advance(Duration.ofMillis(200));
                assertThat(passed(sluice, shop("k").with("claim:plan", "free"))).isZero();
            }
        }

        @Test
        void thatAlternateChangeNoMoreThanTenTimesASecond() {
            try (Sluice sluice = open(CLIENTS)) {
                assertThat(passed(sluice, shop("k").with("claim:plan", "free"))).isEqualTo(5);
                assertThat(passed(sluice, shop("k").with("claim:plan", "pro"))).isEqualTo(25);
                assertThat(sluice.decide(shop("k").with("claim:plan", "free")).limit())
                        .isEqualTo(30);
                clock.advance(Duration.ofMillis(100));
                assertThat(sluice.decide(shop("k").with("claim:plan", "free")).limit())
                        .isEqualTo(5);
            }
        }
    }

    @Nested
    class OfATable {

        @TempDir
        Path folder;

        private Path table(String content) throws IOException {
            return Files.writeString(folder.resolve("clients.csv"), content);
        }

        private String from(Path table) {
            return "clients: { from: \"file:" + table + "\", defaultPlan: free }";
        }

        @ParameterizedTest
        @CsvSource({"k-1, 30", "k-2, 30", "k-3, 5", "k-4, 100", "k-5, 5"})
        void sayHowMuchPasses(String key, int expected) throws IOException {
            Path table = table("client,name,plan\r\n" + DIGEST.apply("k-1")
                    + ",\"Acme\",pro\r\nk-2,,pro\nk-3,Umbrella,\n" + "\nk-4,Initech & Co,staff");
            try (Sluice sluice = open(from(table))) {
                assertThat(passed(sluice, shop(key))).isEqualTo(expected);
            }
        }

        @Test
        void nameClientsByTheHashesOfTheirKeys() throws IOException {
            try (Sluice sluice = open(from(table("client,name,plan\nk-1,Acme,pro\nk-2,,pro")))) {
                assertThat(sluice.limits().plans().nameOf(subject("k-1"))).isEqualTo("Acme");
                assertThat(sluice.limits().plans().nameOf(subject("k-2"))).isNull();
                assertThat(sluice.limits().plans().nameOf(subject("k-3"))).isNull();
                assertThat(sluice.withKey(new ClientOverride("tenant", "Acme", "shop", "5/1s"))
                                .value())
                        .isEqualTo(DIGEST.apply("k-1"));
            }
        }
    }

    /** Instances may learn of a change at different times, and calls with an old and a new token may alternate. */
    @Test
    void areOneLimitWithOneCountOverTheFleet() {
        TestClock real = new TestClock(System.currentTimeMillis());
        InMemoryCounterStore store = new InMemoryCounterStore(real, 1_000);
        String file = PLANS + "clients: { planFrom: \"claim:plan\", defaultPlan: free }";
        Sluice.Builder builder =
                Sluice.builder().config(new GivenFile(file)).clock(real).store(store);
        try (Sluice one = builder.open();
                Sluice other = builder.open()) {
            int passed = 0;
            for (int i = 0; i < 200; i++) {
                real.advance(Duration.ofMillis(60));
                TestCall call = shop("k").with("claim:plan", i % 3 == 0 ? "free" : "pro");
                passed += (i % 2 == 0 ? one : other).decide(call).admitted() ? 1 : 0;
            }
            assertThat(passed).isEqualTo(30);
        }
    }

    @Test
    void nameClientsInTraffic() {
        try (Sluice sluice = open("clients: [ { tenant: k-1, name: Acme Ltd } ]")) {
            Traffic traffic = sluice.traffic();
            sluice.decide(shop("k-1"));
            sluice.decide(TestCall.get("/shop").of("Acme Ltd"));
            assertThat(traffic.report().callers())
                    .extracting(CallerTraffic::client)
                    .containsExactlyInAnyOrder("Acme Ltd", "tenant=Acme Ltd");
        }
    }

    private static Subject subject(String key) {
        return new Subject("tenant", "hash(header:X-Api-Key)", DIGEST.apply(key));
    }

    @Test
    void listedClientsHaveNames() {
        try (Sluice sluice =
                open("clients: [ { tenant: [ k-1, \"" + DIGEST.apply("k-2") + "\" ], name: Acme Ltd, plan: pro } ]")) {
            assertThat(sluice.limits().plans().nameOf(subject("k-1"))).isEqualTo("Acme Ltd");
            assertThat(sluice.limits().plans().nameOf(subject("k-2"))).isEqualTo("Acme Ltd");
            ClientOverride ofBoth = new ClientOverride("tenant", "Acme Ltd", "get-product", "5/1s");
            assertThatThrownBy(() -> sluice.withKey(ofBoth))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Acme Ltd stands for 2 keys; write one of them");
            assertThat(sluice.limits().plans().nameOf(new Subject("user", "ip", DIGEST.apply("k-1"))))
                    .isNull();
        }
    }

    @Test
    void aSourceOfTheApplicationYieldsPlansAndNames() throws Exception {
        Map<String, CompletableFuture<Optional<KnownClient>>> answers = new ConcurrentHashMap<>();
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(PLANS + "clients: { from: customers, defaultPlan: free }"))
                .clientSource(
                        "customers",
                        (source, value) ->
                                answers.computeIfAbsent(source + "=" + value, missing -> new CompletableFuture<>()))
                .clock(clock)
                .open()) {
            assertThat(passed(sluice, shop("k"))).isEqualTo(5);
            answers.computeIfAbsent("header:X-Api-Key=k", missing -> new CompletableFuture<>())
                    .complete(Optional.of(new KnownClient("Acme", "pro")));
            while (sluice.limits().plans().nameOf(subject("k")) == null) {
                Thread.onSpinWait();
            }
            clock.advance(Duration.ofMillis(200));
            assertThat(passed(sluice, shop("k"))).isEqualTo(25);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clients: [ { tenant: a, plan: prp } ]|11:31 clients[0].plan: \"prp\" is not a plan of this file; did"
                        + " you mean pro? [SL-136]",
            })
    void saysWhatToWriteInsteadOfAMistake(String clients, String expected) {
        assertThat(new GivenFile(PLANS + clients).problems()).contains(expected);
    }
}
