package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.Call;
import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.GivenSubjects;
import dev.sluice.Phase;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimitedException;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.fleet.LogLines;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of the application's methods, without Spring. */
class MethodCallsTest {

    private static final Map<String, ?> NOBODY = Map.of();

    private final TestClock clock = new TestClock(0);

    private Sluice open(String endpoints, RateLimitListener... listeners) {
        Sluice.Builder builder =
                Sluice.builder().config(new GivenFile(endpoints)).clock(clock);
        for (RateLimitListener listener : listeners) {
            builder.listener(listener);
        }
        return builder.open();
    }

    private static Outcome outcome(Sluice sluice, String name, Map<String, ?> subjects) {
        return sluice.decideOn(name, new GivenSubjects(subjects)).outcome();
    }

    private static final String TWO_REPORTS =
            "[ { id: report, on: report, per: [ \"argument:customerId\" ], tiers: [ { period: 1h, threshold: 2 } ] } ]";

    @Test
    void runsUntilTheLimitIsUsed() {
        try (Sluice sluice = open(TWO_REPORTS)) {
            Map<String, Integer> customer = Map.of("argument:customerId", 7);
            String first = sluice.run("report", customer, () -> "report");
            sluice.run("report", customer, () -> {});
            assertThat(first).isEqualTo("report");

            AtomicInteger ran = new AtomicInteger();
            RateLimitedException refused = catchThrowableOfType(
                    RateLimitedException.class, () -> sluice.run("report", customer, ran::incrementAndGet));
            assertThat(refused).hasMessage("Refused by report, tier 1h; try again in 3600 s");
            assertThat(refused.decision().outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(refused.decision().subjects())
                    .containsExactly(new Subject("argument:customerId", "argument:customerId", "7"));
            assertThat(refused.getStackTrace()).isEmpty();
            assertThat(ran).hasValue(0);
            assertThat(outcome(sluice, "report", Map.of("argument:customerId", 8)))
                    .isEqualTo(Outcome.ADMITTED);
        }
    }

    @Test
    void whatTheWorkThrowsIsThrownAsItIs() {
        try (Sluice sluice = open(TWO_REPORTS)) {
            Callable<String> failing = () -> {
                throw new IOException("no paper");
            };
            assertThatThrownBy(() -> sluice.run("report", NOBODY, failing::call))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no paper");
        }
    }

    @Test
    void requestsNeverMatch() {
        String all = """
            [ { id: report, on: report, per: [], tiers: [ { period: 1h, threshold: 1 } ] },
              { id: all, pathPattern: /**, per: [], tiers: [ { period: 1h, threshold: 1 } ] } ]\
            """;
        try (Sluice sluice = open(all)) {
            assertThat(sluice.explain(TestCall.get("/report"))).hasSize(1);
            for (String path : List.of("", "/", "/report", "report", "//report")) {
                Decision decision = sluice.decide(TestCall.get(path));
                assertThat(decision.endpoint() == null
                                || decision.endpoint().id().equals("all"))
                        .as(path)
                        .isTrue();
            }
            assertThat(outcome(sluice, "report", NOBODY)).isEqualTo(Outcome.ADMITTED);
            assertThat(outcome(sluice, "report", NOBODY)).isEqualTo(Outcome.REFUSED);
            assertThat(outcome(sluice, "/**", NOBODY)).isEqualTo(Outcome.UNLIMITED);
        }
    }

    @Test
    void allEndpointsOnANameHaveToLetACallPass() {
        String two = """
            [ { id: each, on: report, per: [ "argument:id" ], tiers: [ { period: 1h, threshold: 1 } ] },
              { id: all, on: report, per: [], tiers: [ { period: 1m, threshold: 9 }, { period: 1h, threshold: 2 } ] } ]\
            """;
        try (Sluice sluice = open(two)) {
            assertThat(outcome(sluice, "report", Map.of("argument:id", "a"))).isEqualTo(Outcome.ADMITTED);
            Decision again = sluice.decideOn("report", new GivenSubjects(Map.of("argument:id", "a")));
            assertThat(again.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(again.endpoint().id()).isEqualTo("each");
            assertThat(outcome(sluice, "report", Map.of("argument:id", "b"))).isEqualTo(Outcome.ADMITTED);
            Decision third = sluice.decideOn("report", new GivenSubjects(Map.of("argument:id", "c")));
            assertThat(third.endpoint().id()).isEqualTo("all");
            assertThat(third.outcome()).isEqualTo(Outcome.REFUSED);
        }
    }

    @Test
    void aLimiterOfAPhaseDecidesThemAsAWhole() {
        try (Sluice sluice = open(TWO_REPORTS)) {
            var phase = sluice.in(Phase.BEFORE_AUTHENTICATION);
            assertThat(phase.decideOn("report", new GivenSubjects(NOBODY)).remaining())
                    .isEqualTo(1);
        }
    }

    /** Whom a call is counted for. */
    @Nested
    class Subjects {

        private static final String CALLERS = """
            subjects:
              tenant: [ "hash(header:X-Api-Key)", ip ]
              user: { sources: [ country, "claim:sub", principal ] }
            secrets: { key: 0123456789abcdef }
            clients: [ { user: vip, multiply: 2 } ]
            endpoints:
              - { id: tenants, on: tenants, tiers: [ { period: 1h, threshold: 1 } ] }
              - { id: users, on: users, per: [ user ], tiers: [ { period: 1h, threshold: 1 } ] }
              - { id: query, on: query, per: [ "query:org" ], tiers: [ { period: 1h, threshold: 1 } ] }
              - { id: paths, pathPattern: /a, per: [ tenant ], tiers: [ { period: 1h, threshold: 1 } ] }
            """;

        private Subject only(Sluice sluice, String name, Map<String, ?> subjects) {
            return sluice.decideOn(name, new GivenSubjects(subjects)).subjects().get(0);
        }

        @Test
        void aSubjectIsTheSameCallerAsInARequest() {
            try (Sluice sluice = open(CALLERS.replace("country, ", ""))) {
                Subject ofRequest = sluice.decide(TestCall.get("/a").with("X-Api-Key", "secret"))
                        .subjects()
                        .get(0);
                assertThat(only(sluice, "tenants", Map.of("tenant", "secret"))).isEqualTo(ofRequest);
                assertThat(ofRequest.value()).startsWith("#");
            }
        }

        @Test
        void aClientHasItsOwnLimit() {
            try (Sluice sluice = open(CALLERS.replace("country, ", ""))) {
                assertThat(outcome(sluice, "users", Map.of("user", "vip"))).isEqualTo(Outcome.ADMITTED);
                assertThat(outcome(sluice, "users", Map.of("user", "vip"))).isEqualTo(Outcome.ADMITTED);
                assertThat(outcome(sluice, "users", Map.of("user", "vip"))).isEqualTo(Outcome.REFUSED);
                assertThat(outcome(sluice, "users", Map.of("user", "other"))).isEqualTo(Outcome.ADMITTED);
                assertThat(outcome(sluice, "users", Map.of("user", "other"))).isEqualTo(Outcome.REFUSED);
            }
        }

        @Test
        void sourcesMayBeNamedToo() {
            try (Sluice sluice = open(CALLERS.replace("country, ", ""))) {
                assertThat(only(sluice, "tenants", Map.of("ip", "10.0.0.1")))
                        .isEqualTo(new Subject("tenant", "ip", "10.0.0.1"));
                assertThat(only(sluice, "users", Map.of("principal", "ann")))
                        .isEqualTo(new Subject("user", "principal", "ann"));
                assertThat(only(sluice, "query", Map.of("query:org", "acme")))
                        .isEqualTo(new Subject("query:org", "query:org", "acme"));
            }
        }

        @Test
        void aCallThatIsQueuedWithoutAThreadIsNotCountedAsOneThatHoldsOne() {
            String file = """
                pendingCalls: { queued: 1 }
                endpoints:
                  - { id: mails, on: mails, per: [], tiers:
                      [ { period: 1h, threshold: 2000, algorithm: leaky-bucket, queue: 9 } ] }
                """;
            try (Sluice sluice = open(file)) {
                List<CompletableFuture<Decision>> mails = Stream.generate(
                                () -> sluice.decideOnAsync("mails", new GivenSubjects(NOBODY), Runnable::run)
                                        .toCompletableFuture())
                        .limit(4)
                        .toList();
                assertThat(mails.get(0)).isDone();
                assertThat(mails.subList(1, 4)).noneMatch(CompletableFuture::isDone);
                mails.forEach(mail -> mail.cancel(false));
            }
        }

        /** For example by its timeout. */
        @Test
        void aCallThatIsGivenUpInAnyWayKeepsItsTurn() {
            String file = """
                - { id: mails, on: mails, per: [], tiers:
                    [ { period: 1h, threshold: 400, algorithm: leaky-bucket, queue: 1 } ] }
                """;
            try (Sluice sluice = open(file)) {
                assertThat(mail(sluice)).isDone();
                CompletableFuture<Decision> second = mail(sluice);
                assertThat(second).isNotDone();
                assertThat(mail(sluice)).isCompletedWithValueMatching(third -> !third.admitted());

                second.completeExceptionally(new TimeoutException());
                assertThat(mail(sluice)).isCompletedWithValueMatching(next -> !next.admitted());
            }
        }

        private static CompletableFuture<Decision> mail(Sluice sluice) {
            return sluice.decideOnAsync("mails", new GivenSubjects(NOBODY), Runnable::run)
                    .toCompletableFuture();
        }

        private static final String RESOLVED = """
            subjects:
              customer: [ org, ip ]
              a: [ principal, session ]
              b: [ principal ]
            clients: [ { customer: acme, multiply: 2 } ]
            endpoints:
              - { id: orders, on: orders, per: [ customer ], tiers: [ { period: 1h, threshold: 1 } ] }
              - { id: both, on: both, per: [ a, b ], tiers: [ { period: 1h, threshold: 1 } ] }
            """;

        private Sluice openWithResolver() {
            return Sluice.builder()
                    .config(new GivenFile(RESOLVED))
                    .clock(clock)
                    .resolver("org", call -> call.header("X-Org"))
                    .open();
        }

        @Test
        void aSubjectOfTheApplicationsResolverCanBeGiven() {
            try (Sluice sluice = openWithResolver()) {
                Subject umbrella = new Subject("customer", "org", "umbrella");
                assertThat(only(sluice, "orders", Map.of("customer", "umbrella")))
                        .isEqualTo(umbrella);
                assertThat(only(sluice, "orders", Map.of("org", "umbrella"))).isEqualTo(umbrella);
                assertThat(outcome(sluice, "orders", Map.of("customer", "umbrella")))
                        .isEqualTo(Outcome.REFUSED);
                assertThat(outcome(sluice, "orders", Map.of("customer", "acme")))
                        .isEqualTo(Outcome.ADMITTED);
                assertThat(outcome(sluice, "orders", Map.of("customer", "acme")))
                        .isEqualTo(Outcome.ADMITTED);
                assertThat(outcome(sluice, "orders", Map.of("customer", "acme")))
                        .isEqualTo(Outcome.REFUSED);
            }
        }

        @Test
        void subjectsThatShareTheirFirstSourceAreTheSameCallerInEachProcess() {
            try (Sluice sluice = openWithResolver()) {
                List<Subject> callers = sluice.decideOn("both", new GivenSubjects(Map.of("a", "1", "b", "2")))
                        .subjects();
                assertThat(callers).extracting(Subject::value).containsExactly("1", "1");
            }
        }

        @Test
        void whoGivesNothingIsNobody() {
            try (Sluice sluice = open(CALLERS.replace("country, ", ""))) {
                assertThat(only(sluice, "tenants", NOBODY).source()).isEqualTo(Subject.NONE);
                assertThat(only(sluice, "users", Collections.singletonMap("user", null))
                                .source())
                        .isEqualTo(Subject.NONE);
                assertThat(only(sluice, "users", Map.of("user", Optional.empty()))
                                .source())
                        .isEqualTo(Subject.NONE);
                assertThat(only(sluice, "users", Map.of("user", Optional.of("ann")))
                                .value())
                        .isEqualTo("ann");
                assertThat(only(sluice, "query", NOBODY).source()).isEqualTo(Subject.NONE);
            }
        }
    }

    /** What a call costs. */
    @Nested
    class Costs {

        @Test
        void anArgumentIsTheCost() {
            String rows = "[ { id: export, on: export, per: [], cost: \"argument:rows\","
                    + " tiers: [ { period: 1h, threshold: 100 } ] } ]";
            try (Sluice sluice = open(rows)) {
                assertThat(remaining(sluice, 30)).isEqualTo(70);
                assertThat(remaining(sluice, "5 rows")).isEqualTo(69);
                assertThat(remaining(sluice, -5)).isEqualTo(68);
                assertThat(outcome(sluice, "export", Map.of("argument:rows", 69)))
                        .isEqualTo(Outcome.REFUSED);
                assertThatThrownBy(() -> sluice.run("export", Map.of("argument:rows", 101L), () -> {}))
                        .hasMessage("Refused by export, tier 1h: the call costs 101, more than the limit ever allows at"
                                + " once");
            }
        }

        @Test
        void anArgumentIsReservedAndSettled() {
            String tokens = "[ { id: model, on: model, per: [], cost: { reserve: \"argument:tokens\", default: 40,"
                    + " unsettled: refund }, tiers: [ { period: 1h, threshold: 100 } ] } ]";
            try (Sluice sluice = open(tokens)) {
                Decision call = sluice.decideOn("model", new GivenSubjects(Map.of("argument:tokens", 70)));
                assertThat(call.remaining()).isEqualTo(30);
                assertThat(outcome(sluice, "model", NOBODY)).isEqualTo(Outcome.REFUSED);

                assertThat(call.reservation().charge(60).remaining()).isEqualTo(40);
                assertThat(call.reservation().settle(50)).isTrue();
                call.ended(200);

                Decision next = sluice.decideOn("model", new GivenSubjects(NOBODY));
                assertThat(next.remaining()).isEqualTo(10);
                next.reservation().charge(5);
                next.ended(500);
                assertThat(sluice.decideOn("model", new GivenSubjects(Map.of("argument:tokens", 45)))
                                .remaining())
                        .isZero();
            }
        }

        @Test
        void aCallIsChargedAfterwards() {
            String cents =
                    "[ { id: buy, on: buy, per: [], cost: charged, tiers: [ { period: 1h, threshold: 100 } ] } ]";
            try (Sluice sluice = open(cents)) {
                assertThat(sluice.decideOn("buy", new GivenSubjects(NOBODY))
                                .reservation()
                                .charge(120)
                                .nothingRemains())
                        .isTrue();
                assertThat(outcome(sluice, "buy", NOBODY)).isEqualTo(Outcome.REFUSED);
            }
        }

        @Test
        void aCallWithoutSuchACostIsNotCharged() {
            try (Sluice sluice = open(TWO_REPORTS)) {
                for (String name : List.of("report", "unlimited")) {
                    Decision call = sluice.decideOn(name, new GivenSubjects(Map.of("argument:customerId", 7)));
                    assertThat(call.reservation().charge(5)).isEqualTo(Charge.NOT_COUNTED);
                    assertThat(call.reservation().settle(5)).isFalse();
                }
            }
        }

        @ParameterizedTest
        @MethodSource("costs")
        void aNumberOfAnyTypeIsACost(Object rows, long cost) {
            String file = "[ { id: export, on: export, per: [], cost: \"argument:rows\","
                    + " tiers: [ { period: 1h, threshold: 1000000 } ] } ]";
            try (Sluice sluice = open(file)) {
                assertThat(remaining(sluice, rows)).isEqualTo(1_000_000 - cost);
            }
        }

        static Stream<Arguments> costs() {
            return Stream.of(
                    Arguments.of(50.0, 50),
                    Arguments.of(49.1F, 50),
                    Arguments.of(5e5, 500_000),
                    Arguments.of(1e-300, 1),
                    Arguments.of(0.0, 1),
                    Arguments.of(-3.5, 1),
                    Arguments.of(Double.NaN, 1),
                    Arguments.of(new BigDecimal("1E+2"), 100),
                    Arguments.of(new BigInteger("200"), 200));
        }

        @Test
        void aHugeNumberNeverPasses() {
            String file = "[ { id: export, on: export, per: [], cost: \"argument:rows\","
                    + " tiers: [ { period: 1h, threshold: 1000000 } ] } ]";
            try (Sluice sluice = open(file)) {
                for (Object rows : List.of(Double.MAX_VALUE, 5e9, "9".repeat(300), BigInteger.TEN.pow(100))) {
                    assertThat(outcome(sluice, "export", Map.of("argument:rows", rows)))
                            .isEqualTo(Outcome.REFUSED);
                }
            }
        }

        private long remaining(Sluice sluice, Object rows) {
            return sluice.decideOn("export", new GivenSubjects(Map.of("argument:rows", rows)))
                    .remaining();
        }
    }

    /** Calls that end. */
    @Nested
    class Ends {

        private static final String ONE_SLOT =
                "[ { id: job, on: job, per: [], tiers: [ { algorithm: concurrency, threshold: 1 } ] } ]";

        @Test
        void aSlotIsHeldWhileTheWorkRuns() {
            try (Sluice sluice = open(ONE_SLOT)) {
                sluice.run(
                        "job",
                        NOBODY,
                        () -> assertThat(outcome(sluice, "job", NOBODY)).isEqualTo(Outcome.REFUSED));
                assertThatThrownBy(() -> sluice.run("job", NOBODY, () -> {
                            throw new IllegalStateException();
                        }))
                        .isInstanceOf(IllegalStateException.class);
                assertThat(sluice.<Integer, RuntimeException>run("job", NOBODY, () -> 1))
                        .isEqualTo(1);
            }
        }

        @Test
        void aStageHoldsItUntilItEnds() {
            try (Sluice sluice = open(ONE_SLOT)) {
                for (int end = 0; end < 3; end++) {
                    CompletableFuture<String> pending = new CompletableFuture<>();
                    assertThat(sluice.run("job", NOBODY, () -> pending)).isNotDone();
                    assertThatThrownBy(() -> sluice.run("job", NOBODY, () -> {}))
                            .isInstanceOf(RateLimitedException.class);
                    switch (end) {
                        case 0 -> pending.complete("done");
                        case 1 -> pending.completeExceptionally(new IOException());
                        default -> pending.cancel(true);
                    }
                }
                sluice.run("job", NOBODY, () -> {});
            }
        }

        @Test
        void manyThreadsNeverHaveMoreThanTheThreshold() throws Exception {
            String three = "[ { id: job, on: job, per: [], tiers: [ { algorithm: concurrency, threshold: 3 },"
                    + " { period: 1h, threshold: 500 } ] } ]";
            ExecutorService threads = Executors.newFixedThreadPool(16);
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger ran = new AtomicInteger();
            try (Sluice sluice = open(three)) {
                CountDownLatch begin = new CountDownLatch(1);
                List<Future<?>> all = new ArrayList<>();
                for (int thread = 0; thread < 16; thread++) {
                    all.add(threads.submit(() -> {
                        begin.await();
                        for (int i = 0; i < 2_000; i++) {
                            try {
                                sluice.run("job", NOBODY, () -> {
                                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                    ran.incrementAndGet();
                                    running.decrementAndGet();
                                });
                            } catch (RateLimitedException e) {
                                Thread.onSpinWait();
                            }
                        }
                        return null;
                    }));
                }
                begin.countDown();
                for (Future<?> one : all) {
                    one.get();
                }
                assertThat(ran).hasValue(500);
                assertThat(most.get()).isBetween(1, 3);
            } finally {
                threads.shutdownNow();
            }
        }

        @Test
        void aCallGoesOnWhenItIsItsTurn() {
            String queue = "[ { id: mail, on: mail, per: [], tiers:"
                    + " [ { period: 1s, threshold: 20, algorithm: leaky-bucket, queue: 1 } ] } ]";
            try (Sluice sluice = Sluice.builder().config(new GivenFile(queue)).open()) {
                long before = System.nanoTime();
                for (int i = 0; i < 4; i++) {
                    sluice.run("mail", NOBODY, () -> {});
                }
                assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(140_000_000L);
            }
        }

        @Test
        void whoIsInterruptedInAQueueGivesUp() {
            String queue = "[ { id: mail, on: mail, per: [], tiers:"
                    + " [ { period: 1m, threshold: 1, algorithm: leaky-bucket, queue: 1, maxQueueTime: 1m } ] } ]";
            try (Sluice sluice = Sluice.builder().config(new GivenFile(queue)).open()) {
                sluice.run("mail", NOBODY, () -> {});
                Thread.currentThread().interrupt();
                RateLimitedException given =
                        catchThrowableOfType(RateLimitedException.class, () -> sluice.run("mail", NOBODY, () -> {}));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(given.decision().outcome()).isEqualTo(Outcome.REFUSED_BUSY);
                assertThat(given).hasMessageStartingWith("Too many calls are already pending; try again in ");
            }
        }
    }

    /** What becomes of them otherwise. */
    @Nested
    class Otherwise {

        @TempDir
        private Path directory;

        @Test
        void aDryRunRefusesNobody() {
            try (Sluice sluice = open(TWO_REPORTS.replace("on: report", "on: report, mode: dry-run"))) {
                for (int i = 0; i < 4; i++) {
                    sluice.run("report", NOBODY, () -> {});
                }
                assertThat(outcome(sluice, "report", NOBODY)).isEqualTo(Outcome.WOULD_REFUSE);
            }
        }

        @Test
        void listenersAndTheTrafficHearOfThem() {
            List<String> decided = new ArrayList<>();
            RateLimitListener listener = new RateLimitListener() {

                @Override
                public void onDecision(Call call, Decision decision) {
                    decided.add(decision.endpoint().id() + call.method() + call.path());
                }
            };
            try (Sluice sluice = open(TWO_REPORTS, listener)) {
                var traffic = sluice.traffic();
                sluice.run("report", NOBODY, () -> {});
                assertThat(decided).containsExactly("report");
                assertThat(traffic.report().endpoints()).hasSize(1);
            }
        }

        @Test
        void ifTheLimiterFailsTheWorkRuns() {
            RateLimitListener broken = new RateLimitListener() {

                @Override
                public void onDecision(Call call, Decision decision) {
                    throw new StackOverflowError();
                }
            };
            try (LogLines log = new LogLines();
                    Sluice sluice = open(TWO_REPORTS, broken)) {
                assertThat(sluice.<String, RuntimeException>run("report", NOBODY, () -> "report"))
                        .isEqualTo("report");
                assertThat(log.all()).isNotEmpty();
            }
        }

        @Test
        void aNameThatNoEndpointHasPassesWithOneWarning() {
            try (LogLines log = new LogLines();
                    Sluice sluice = open(TWO_REPORTS)) {
                for (int i = 0; i < 3; i++) {
                    sluice.run("rapport", NOBODY, () -> {});
                }
                assertThat(log.with("WARN").stream().filter(line -> line.contains("on: rapport")))
                        .singleElement()
                        .asString()
                        .contains("has no endpoint with on: rapport, so these method calls pass without a limit.");
            }
        }

        @Test
        void anEndpointThatIsNotEnabledPassesWithoutOne() {
            try (LogLines log = new LogLines();
                    Sluice sluice = open(TWO_REPORTS.replace("on: report", "on: report, enabled: false"))) {
                sluice.run("report", NOBODY, () -> {});
                assertThat(sluice.hasOn("report")).isTrue();
                assertThat(log.with("on: report")).isEmpty();
            }
        }

        @Test
        void aReloadTakesAnEndpointAwayAndBringsItBackWithItsCounts() throws IOException {
            Path file = directory.resolve("rate-limits.yml");
            String other =
                    "reload: 100ms\nendpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 1h, threshold: 1 } ] } ]";
            String report = "reload: 100ms\nendpoints: " + TWO_REPORTS;
            Files.writeString(file, report);
            try (LogLines log = new LogLines();
                    Sluice sluice = Sluice.builder()
                            .config(file.toString())
                            .clock(clock)
                            .open()) {
                sluice.run("report", NOBODY, () -> {});
                sluice.run("report", NOBODY, () -> {});
                Files.writeString(file, other);
                Eventually.await("the endpoint goes", () -> !sluice.hasOn("report"));
                for (int i = 0; i < 3; i++) {
                    sluice.run("report", NOBODY, () -> {});
                }
                assertThat(log.with("has no endpoint with on: report")).hasSize(1);
                Files.writeString(file, report);
                Eventually.await("the endpoint is back", () -> sluice.hasOn("report"));
                assertThat(outcome(sluice, "report", NOBODY)).isEqualTo(Outcome.REFUSED);
            }
        }
    }
}
