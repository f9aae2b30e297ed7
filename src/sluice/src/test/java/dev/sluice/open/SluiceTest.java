package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Eventually;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.OverrideChange;
import dev.sluice.RateLimitListener;
import dev.sluice.RecordingListener;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SluiceTest {

    private static final String TWO =
            "[ { id: a, pathPattern: /a, per: [ %s ], tiers: [ { period: 1h, threshold: 2 } ] } ]";

    private static Sluice sluice(String subject) {
        return Sluice.builder()
                .config(new GivenFile(TWO.formatted(subject)))
                .clock(new TestClock(0))
                .open();
    }

    @Test
    void decidesByItsFile() {
        try (Sluice sluice = sluice("ip")) {
            assertThat(sluice.decide(TestCall.get("/a")).outcome()).isEqualTo(Outcome.ADMITTED);
            assertThat(sluice.decide(TestCall.get("/a")).outcome()).isEqualTo(Outcome.ADMITTED);
            assertThat(sluice.decide(TestCall.get("/a")).outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(sluice.decide(TestCall.get("/b")).outcome()).isEqualTo(Outcome.UNLIMITED);
            assertThat(sluice.responses()).isEqualTo(ResponseOptions.DEFAULT);
            assertThat(sluice.explain(TestCall.get("/a"))).hasSize(1);
        }
    }

    @Test
    void countsWhoCallsMostOnceSomebodyAsks() {
        try (Sluice sluice = sluice("ip")) {
            sluice.decide(TestCall.get("/a"));
            Traffic traffic = sluice.traffic();
            assertThat(sluice.traffic()).isSameAs(traffic);
            sluice.decide(TestCall.get("/a"));
            sluice.decide(TestCall.get("/a"));
            assertThat(traffic.report().endpoints()).singleElement().satisfies(endpoint -> {
                assertThat(endpoint.allowed()).isEqualTo(1);
                assertThat(endpoint.refused()).isEqualTo(1);
            });
        }
    }

    @Test
    void givesTheTrafficToListenersThatReadIt() {
        List<Traffic> given = new ArrayList<>();
        TrafficReader reader = given::add;
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(TWO.formatted("ip")))
                .clock(new TestClock(0))
                .listener(reader)
                .listener(reader)
                .open()) {
            sluice.decide(TestCall.get("/a"));
            assertThat(given).containsExactly(sluice.traffic(), sluice.traffic());
            assertThat(given.get(0).report().mostCalling(5)).hasSize(1);
        }
    }

    @Test
    void countsNoTrafficForAReaderWhoWantsNone() {
        List<Traffic> given = new ArrayList<>();
        TrafficReader reader = new TrafficReader() {
            @Override
            public boolean wantsTraffic() {
                return false;
            }

            @Override
            public void read(Traffic traffic) {
                given.add(traffic);
            }
        };
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(TWO.formatted("ip")))
                .clock(new TestClock(0))
                .listener(reader)
                .open()) {
            sluice.decide(TestCall.get("/a"));
            assertThat(given).isEmpty();
            assertThat(sluice.traffic().report().callers())
                    .as("counted from now on")
                    .isEmpty();
        }
    }

    @Test
    void doesNotStartWithABadFile() {
        Sluice.Builder builder = Sluice.builder().config(new GivenFile("- id: a b\n"));
        assertThatThrownBy(builder::open)
                .isInstanceOf(LimitsException.class)
                .hasMessageContaining("\"a b\" cannot be an id")
                .hasMessageContaining("the key tiers is missing");
    }

    @Test
    void readsFromTheClassPath() {
        assertThatThrownBy(() -> Sluice.open("classpath:/dev/sluice/rate-limits.schema.json"))
                .isInstanceOf(LimitsException.class)
                .hasMessageContaining("classpath:dev/sluice/rate-limits.schema.json:2:3 $schema:");
    }

    @Test
    void countsInAStoreOfTheApplicationsOwn() {
        TestClock clock = new TestClock(0);
        InMemoryCounterStore store = new InMemoryCounterStore(clock, 1_000);
        Sluice.Builder builder = Sluice.builder()
                .config(new GivenFile("sync: { timeout: 20s }\nendpoints: " + TWO.formatted("ip")))
                .clock(clock)
                .store(store);
        try (Sluice one = builder.open();
                Sluice other = builder.open()) {
            assertThat(one.decide(TestCall.get("/a")).admitted()).isTrue();
            assertThat(other.decide(TestCall.get("/a")).admitted()).isTrue();
            assertThat(one.decide(TestCall.get("/a")).admitted()).isFalse();
            assertThat(other.decide(TestCall.get("/a")).admitted()).isFalse();
        }
    }

    @Test
    void tellsOfTheTierThatRefusesAlsoWhereOthersHoldWhatIsLeft() {
        TestClock clock = new TestClock(0);
        Sluice.Builder builder =
                Sluice.builder().config(new GivenFile("""
                    sync: { timeout: 20s }
                    endpoints:
                      - id: a
                        pathPattern: /a
                        per: [ ip ]
                        tiers: [ { period: 10s, threshold: 5 }, { period: 1d, threshold: 20 } ]
                    """)).clock(clock).store(new InMemoryCounterStore(clock, 1_000));
        try (Sluice one = builder.open();
                Sluice other = builder.open()) {
            for (int i = 0; i < 12; i++) {
                Decision decision = (i % 2 == 0 ? one : other).decide(TestCall.get("/a"));
                assertThat(decision.admitted()).isEqualTo(i < 5);
                if (!decision.admitted()) {
                    assertThat(decision.retryAfterMillis()).isEqualTo(10_000);
                    assertThat(decision.remaining()).isZero();
                }
            }
        }
    }

    @Nested
    class TheServer {

        private String named(Sluice sluice) {
            List<Subject> subjects = sluice.decide(TestCall.get("/a")).subjects();
            return subjects.get(0).value();
        }

        @Test
        void isNamedByTheApplication() {
            try (Sluice sluice = Sluice.builder()
                    .config(new GivenFile(TWO.formatted("server")))
                    .server("blue-1")
                    .open()) {
                assertThat(named(sluice)).isEqualTo("blue-1");
            }
        }

        @Test
        void otherwiseHasANameThatNoOtherHas() {
            try (Sluice one = sluice("server");
                    Sluice other = sluice("server")) {
                assertThat(named(one)).isNotBlank().isNotEqualTo(named(other));
            }
        }
    }

    @Nested
    class GuardedExtensions {

        private final RecordingLogger log = new RecordingLogger();
        private final dev.sluice.internal.config.extension.GuardedExtensions extensions =
                new dev.sluice.internal.config.extension.GuardedExtensions(log);

        @Test
        void mayFindCallers() {
            try (Sluice sluice = Sluice.builder()
                    .config(new GivenFile(TWO.formatted("customer")))
                    .resolver("customer", call -> call.header("customer"))
                    .open()) {
                assertThat(sluice.decide(TestCall.get("/a").with("customer", "c1"))
                                .subjects())
                        .containsExactly(new Subject("customer", "customer", "c1"));
            }
        }

        @Test
        void mayTellHowBusyThisInstanceIs() {
            GivenFile elastic =
                    GivenFile.withTiers("{ period: 1h, threshold: 2, elastic: { upTo: 150%, whileLoadBelow: 60% } }");
            double[] load = {1};
            try (Sluice sluice = Sluice.builder()
                    .config(elastic)
                    .clock(new TestClock(0))
                    .loadSignal(() -> load[0])
                    .open()) {
                TestCall call = TestCall.get("/product/1");
                assertThat(sluice.decide(call).outcome()).isEqualTo(Outcome.ADMITTED);
                assertThat(sluice.decide(call).outcome()).isEqualTo(Outcome.ADMITTED);
                Decision refused = sluice.decide(call);
                assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
                assertThat(refused.retryAfterMillis()).isEqualTo(3_600_000);
                load[0] = 0.5;
                assertThat(sluice.decide(call).outcome()).isEqualTo(Outcome.ADMITTED_BEYOND);
                assertThat(sluice.decide(call).outcome()).isEqualTo(Outcome.REFUSED);
            }
        }

        @Test
        void whoFailToTellHowBusyItIsCountAsBusy() {
            var guarded = extensions.guarded((dev.sluice.LoadSignal) () -> {
                throw new IllegalStateException();
            });
            assertThat(guarded.load()).isEqualTo(1);
            assertThat(guarded.load()).isEqualTo(1);
            assertThat(log.entries())
                    .singleElement()
                    .asString()
                    .contains("While it fails, elastic limits admit no calls beyond the threshold");
        }

        @Test
        void whoFailToFindCallersAreLoggedOnceForEachKindOfFailure() {
            List<RuntimeException> failures =
                    List.of(new IllegalStateException(), new IllegalStateException(), new NullPointerException());
            List<RuntimeException> toThrow = new ArrayList<>(failures);
            var guarded = extensions.guarded("customer", call -> {
                throw toThrow.remove(0);
            });
            for (int i = 0; i < failures.size(); i++) {
                assertThat(guarded.resolve(TestCall.get("/"))).isNull();
            }
            assertThat(log.entries())
                    .hasSize(2)
                    .allMatch(entry -> entry.startsWith(
                            "WARN The resolver \"customer\" failed. The next source of the subject is tried"));
        }

        @Test
        void bringNoTextOfACallersIntoTheLogUnescaped() {
            var resolver = extensions.guarded("customer", call -> {
                throw new IllegalArgumentException("no: " + call.path(), new IllegalStateException("\u001b[31m"));
            });
            var cost = extensions.guardedCost("by-size", call -> {
                throw new Unspeakable();
            });
            assertThat(resolver.resolve(TestCall.get("/a\r\nERROR forged\u202e")))
                    .isNull();
            assertThat(cost.resolve(TestCall.get("/"))).isEqualTo(1);
            assertThat(log.thrown())
                    .extracting(Throwable::getMessage)
                    .containsExactly(
                            "java.lang.IllegalArgumentException: no: /a\\u000d\\u000aERROR forged\\u202e",
                            Unspeakable.class.getName()
                                    + ": no message, because getMessage threw java.lang.IllegalStateException");
            assertThat(log.thrown().get(0).getCause()).hasMessage("java.lang.IllegalStateException: \\u001b[31m");
            assertThat(log.thrown().get(0).getStackTrace()[0].getClassName()).startsWith(SluiceTest.class.getName());
        }

        @Test
        void whoFailToListenDisturbNobody() {
            RateLimitListener deaf = extensions.guarded(List.of(new RateLimitListener() {
                @Override
                public void onDecision(Call call, Decision decision) {
                    throw new StackOverflowError();
                }
            }));
            deaf.onDecision(TestCall.get("/"), Decision.UNLIMITED);
            deaf.onDecision(TestCall.get("/"), Decision.UNLIMITED);
            assertThat(log.entries())
                    .singleElement()
                    .asString()
                    .contains("Decisions are not affected, but it might have missed events");
        }

        @Test
        void listenSeveralAtATimeEachUndisturbedByTheOthers() {
            RecordingListener first = new RecordingListener();
            RecordingListener last = new RecordingListener();
            RateLimitListener listeners = extensions.guarded(List.of(first, new Failing(), last));
            listeners.onDecision(TestCall.get("/"), Decision.UNLIMITED);
            listeners.onStoreWait(3_000_000);
            listeners.onOutcomesAwaited(3_000_000);
            listeners.onEviction();
            listeners.onCounters(4);
            listeners.onExchange(new ExchangeReport(Duration.ofMillis(1), 2, 1, 3, 0));
            listeners.onExchangeFailed(Duration.ofMillis(1), 2, "cause");
            listeners.onRecall(5);
            listeners.onStoreUnavailable("cause");
            listeners.onStoreBack(Duration.ofMillis(6));
            listeners.onReload(List.of());
            listeners.onClientTable("clients.csv", 8);
            listeners.onReloadRefused(new LimitsException(List.of()));
            listeners.onClientOverrides(7);
            listeners.onOverrideChange(new OverrideChange("tenant", "acme", "*", "x2", 0, 0, "", ""));
            Block block = new Block(new CounterKey("shop", "*", "1m", List.of(), 0, 0), 0, 1, 1);
            listeners.onBlock(block);
            listeners.onBlockEnd(block);
            List<String> heard = first.take();
            assertThat(heard)
                    .containsExactly(
                            "UNLIMITED",
                            "waited 3 ms",
                            "awaited outcomes 3 ms",
                            "evicted",
                            "counters 4",
                            "exchange of 2, awaited 1, granted 3, 1 ms",
                            "failed 2: cause",
                            "recall 5",
                            "unavailable: cause",
                            "back after 6 ms",
                            "reload []",
                            "table 8",
                            "refused 0",
                            "overrides 7",
                            "override of acme at *: x2",
                            "blocked at shop",
                            "no longer blocked at shop");
            assertThat(Stream.of(RateLimitListener.class.getDeclaredMethods()).filter(method -> !method.isSynthetic()))
                    .as("all methods are played")
                    .hasSameSizeAs(heard);
            assertThat(last.take()).isEqualTo(heard);
            assertThat(log.entries())
                    .singleElement()
                    .asString()
                    .startsWith("WARN The listener " + Failing.class.getName() + " failed");
        }

        @Test
        void areGuardedInARunningLimiter() {
            try (Sluice sluice = Sluice.builder()
                    .config(new GivenFile(TWO.formatted("customer")))
                    .resolver("customer", call -> {
                        throw new Mistake();
                    })
                    .listener(new RateLimitListener() {
                        @Override
                        public void onDecision(Call call, Decision decision) {
                            throw new Mistake();
                        }
                    })
                    .open()) {
                assertThat(sluice.decide(TestCall.get("/a")).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }
    }

    /** Throws at every event. */
    private static final class Failing implements RateLimitListener {

        @Override
        public void onDecision(Call call, Decision decision) {
            throw new Mistake();
        }

        @Override
        public void onStoreWait(long waitedNanos) {
            throw new Mistake();
        }

        @Override
        public void onOutcomesAwaited(long waitedNanos) {
            throw new Mistake();
        }

        @Override
        public void onEviction() {
            throw new Mistake();
        }

        @Override
        public void onCounters(int counters) {
            throw new Mistake();
        }

        @Override
        public void onExchange(ExchangeReport exchange) {
            throw new Mistake();
        }

        @Override
        public void onExchangeFailed(Duration took, int claims, String cause) {
            throw new Mistake();
        }

        @Override
        public void onRecall(int counters) {
            throw new Mistake();
        }

        @Override
        public void onStoreUnavailable(String cause) {
            throw new Mistake();
        }

        @Override
        public void onStoreBack(Duration outage) {
            throw new Mistake();
        }

        @Override
        public void onReload(List<Endpoint> endpoints) {
            throw new Mistake();
        }

        @Override
        public void onReloadRefused(LimitsException mistakes) {
            throw new Mistake();
        }

        @Override
        public void onClientOverrides(int limits) {
            throw new Mistake();
        }
    }

    /** An exception whose message cannot be read. */
    private static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }
    }

    /** Appears in the log of the tests, without a stack trace, which would look like a failure. */
    private static final class Mistake extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Mistake() {
            super("an application's mistake, made by a test", null, false, false);
        }
    }

    @Nested
    class WhenTheFileChanges {

        @TempDir
        private Path folder;

        private static final String LIMITS = """
            reload: 100ms
            endpoints:
              - { id: a, pathPattern: /a, tiers: [ { period: 366d, threshold: 3 } ] }
            """;

        private Path write(String text) throws IOException {
            Path next = Files.writeString(folder.resolve("next"), text);
            Path file = folder.resolve("limits.yml");
            return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }

        @Test
        void followsItAndKeepsTheCountsOfUnchangedTiers() throws IOException {
            try (LogLines log = new LogLines();
                    Sluice sluice = Sluice.open(write(LIMITS).toString())) {
                assertThat(sluice.decide(TestCall.get("/a")).remaining()).isEqualTo(2);
                write(LIMITS + "  - { id: b, pathPattern: /b, tiers: [ { period: 1h, threshold: 1 } ] }\n");
                Eventually.await(
                        "the new limits",
                        () -> sluice.explain(TestCall.get("/b")).size() == 1);
                assertThat(sluice.decide(TestCall.get("/a")).remaining()).isEqualTo(1);
                write("endpoints: oops");
                Eventually.await(
                        "a line in the log",
                        () -> !log.with(" has mistakes and was not loaded.").isEmpty());
                assertThat(sluice.explain(TestCall.get("/b"))).hasSize(1);
                write(LIMITS);
                Eventually.await(
                        "the limits of the start",
                        () -> sluice.explain(TestCall.get("/b")).isEmpty());
            }
        }

        @Test
        void stopsFollowingItOnceClosed() throws IOException {
            Sluice sluice = Sluice.open(write(LIMITS).toString());
            sluice.close();
            Eventually.await(
                    "the end of threads",
                    () -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().equals("sluice-watch")));
        }
    }

    @Test
    void saysOnceThatItBelievesNoProxy() {
        PrintStream console = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try (Sluice sluice =
                Sluice.builder().config(new GivenFile(GivenFile.SMALLEST)).open()) {
            sluice.decide(TestCall.get("/product/1"));
            for (int i = 0; i < 5; i++) {
                sluice.decide(TestCall.get("/product/1").with("X-Forwarded-For", "203.0.113." + i));
            }
        } finally {
            System.setErr(console);
        }
        assertThat(written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("trustedProxies")))
                .singleElement()
                .asString()
                .contains("A call has an X-Forwarded-For or Forwarded header, but limits.yml trusts no proxy")
                .doesNotContain("203.0.113");
    }
}
