package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.atMostCounters;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Callers who make up a tenant for each call. The property {@code sluice.flood} says how many, a million unless told
 * otherwise.
 */
class FloodTest {

    private static final int TENANTS = Integer.getInteger("sluice.flood", 1_000_000);
    private static final int COUNTERS = Integer.getInteger("sluice.flood.counters", 20_000);
    private static final int HONEST = 100;
    private static final int THRESHOLD = 10;
    /** The last line of a class histogram: all instances, and all bytes. */
    private static final Pattern TOTAL = Pattern.compile("\\RTotal +\\d+ +(\\d+)");

    private final CountingRateLimiter limiter = new CountingRateLimiter(
            atMostCounters(COUNTERS, endpoint("shop", "GET /shop", tier(THRESHOLD, Duration.ofDays(1)))),
            new TestClock(0),
            RateLimitListener.NONE);
    private final int[] admitted = new int[HONEST];

    private void honestCall(int tenant) {
        if (limiter.decide(TestCall.get("/shop").of("honest-" + tenant)).admitted()) {
            admitted[tenant]++;
        }
    }

    @Test
    void keepsHonestCallersLimitsAndBoundsMemory() {
        for (int i = 0; i < HONEST * (THRESHOLD - 2); i++) {
            honestCall(i % HONEST);
        }
        long retainedBefore = retainedBytes();
        long start = System.nanoTime();
        for (int i = 0; i < TENANTS; i++) {
            limiter.decide(TestCall.get("/shop").of("made-up-" + i));
        }
        long tookMillis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        long counters = limiter.counters();
        long grownMegabytes = (retainedBytes() - retainedBefore) >> 20;
        for (int i = 0; i < HONEST * THRESHOLD; i++) {
            honestCall(i % HONEST);
        }
        if (TENANTS > 1_000_000) {
            System.out.println(TENANTS + " made-up tenants in " + tookMillis + " ms; " + counters + " counters kept, "
                    + grownMegabytes + " MB more heap");
        }

        assertThat(admitted).containsOnly(THRESHOLD);
        assertThat(counters).isLessThanOrEqualTo(COUNTERS);
        assertThat(grownMegabytes).isLessThan(2L * COUNTERS / 1000);
        limiter.close();
    }

    /** Callers may send names of any length; what is kept of a name is bounded. */
    @Test
    void boundsMemoryForNamesOfAnyLength() {
        long retainedBefore = retainedBytes();
        String filling = "x".repeat(8_000);
        for (int i = 0; i < COUNTERS; i++) {
            limiter.decide(TestCall.get("/shop").of(i + filling));
        }
        long grownMegabytes = (retainedBytes() - retainedBefore) >> 20;
        assertThat(grownMegabytes).isLessThan(2L * COUNTERS / 1000);
        limiter.close();
    }

    /** Subjects that callers cannot make up, and one that they can. */
    private static final Map<String, List<SubjectSource>> SUBJECTS = Map.of(
            "ip", List.of(new SubjectSource("ip", Call::ip)),
            "user", List.of(new SubjectSource("principal", Call::principal)),
            "session", List.of(new SubjectSource("session", Call::session)),
            "client", List.of(new SubjectSource("claim:client_id", call -> call.claim("client_id"))),
            "tenant", List.of(new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id"))));

    private static final int FEW = 2_000;

    /** Logins are keyed by this subject, products by a header. */
    private static Limits loginAndShop(String subject, long logins, long products) {
        return loginAndShop(subject, logins, "tenant", products);
    }

    private static Limits loginAndShop(String subject, long logins, String shopSubject, long products) {
        Duration hour = Duration.ofHours(1);
        return new Limits(
                List.of(
                        per(endpoint("login", "POST /login", tier(logins, hour)), subject),
                        per(endpoint("shop", "GET /shop", tier(products, hour)), shopSubject)),
                SUBJECTS,
                true,
                FEW,
                ResponseOptions.DEFAULT);
    }

    private static final TestCall LOGIN = TestCall.post("/login")
            .with("principal", "eve")
            .with("session", "s-1")
            .with("claim:client_id", "c-1");

    private static int passed(RateLimiter limiter, TestCall call, int calls) {
        int passed = 0;
        for (int i = 0; i < calls; i++) {
            passed += limiter.decide(call).admitted() ? 1 : 0;
        }
        return passed;
    }

    /** Calls as 2.6 times as many tenants as there is room for counters, so many times each. */
    private static void flood(RateLimiter limiter, int callsEach) {
        for (int i = 0; i < FEW * 26 / 10; i++) {
            passed(limiter, TestCall.get("/shop").of("made-up-" + i), callsEach);
        }
    }

    @ParameterizedTest
    @CsvSource({"ip, 3, 2", "ip, 1, 1", "user, 3, 2", "session, 3, 2", "client, 3, 2"})
    void doesNotEvictVerifiedCallers(String subject, long products, int callsEach) {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop(subject, 5, products), new TestClock(0), RateLimitListener.NONE)) {
            assertThat(passed(shop, LOGIN, 10)).isEqualTo(5);

            flood(shop, callsEach);

            assertThat(passed(shop, LOGIN, 10)).isZero();
            assertThat(shop.counters()).isLessThanOrEqualTo(FEW);
        }
    }

    /** A caller gets as many sessions as it asks for. */
    @Test
    void sessionsDoNotEvictAddresses() {
        Limits limits = loginAndShop("ip", 5, "session", 100);
        try (CountingRateLimiter shop = new CountingRateLimiter(limits, new TestClock(0), RateLimitListener.NONE)) {
            assertThat(passed(shop, LOGIN, 2)).isEqualTo(2);

            for (int i = 0; i < FEW * 26 / 10; i++) {
                passed(shop, TestCall.get("/shop").with("session", "made-" + i), 1);
            }

            assertThat(passed(shop, LOGIN, 10)).isEqualTo(3);
        }
    }

    /**
     * In a map whose keys have no order, each look-up compares with all of them: 90 times as much with 10,000 names.
     */
    @Test
    void namesWithTheSameHashCostLittleMore() {
        long others = cpuNanos(i -> "name-" + i);
        long same = cpuNanos(i -> {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 18; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            return name.toString();
        });
        assertThat(same).isLessThan(15 * others);
    }

    private static long cpuNanos(IntFunction<String> names) {
        try (CountingRateLimiter shop = new CountingRateLimiter(
                atMostCounters(20_000, endpoint("shop", "GET /shop", tier(1_000, Duration.ofHours(1)))),
                new TestClock(0),
                RateLimitListener.NONE)) {
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 3; round++) {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                for (int i = 0; i < 10_000; i++) {
                    shop.decide(TestCall.get("/shop").of(names.apply(i)));
                }
                best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
            }
            return best;
        }
    }

    /** Otherwise a part of the limit could be used again and again. */
    @Test
    void doesNotEvictVerifiedCallersWhoHardlyCalled() {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop("ip", 5, 1), new TestClock(0), RateLimitListener.NONE)) {
            assertThat(passed(shop, LOGIN, 1)).isEqualTo(1);

            flood(shop, 1);

            assertThat(passed(shop, LOGIN, 10)).isEqualTo(4);
        }
    }

    @Test
    void doesNotEvictTheCounterOfEverybody() {
        Limits limits = new Limits(
                List.of(
                        per(endpoint("login", "POST /login", tier(100, Duration.ofHours(1))), "ip"),
                        per(endpoint("all", "GET /shop", tier(1_000_000, Duration.ofHours(1))))),
                SUBJECTS,
                true,
                FEW,
                ResponseOptions.DEFAULT);
        try (CountingRateLimiter shop = new CountingRateLimiter(limits, new TestClock(0), RateLimitListener.NONE)) {
            passed(shop, TestCall.get("/shop"), 10);
            for (int i = 0; i < FEW * 4; i++) {
                assertThat(shop.decide(LOGIN.from("10." + i / 65_536 + "." + i / 256 % 256 + "." + i % 256))
                                .admitted())
                        .isTrue();
            }
            assertThat(shop.decide(TestCall.get("/shop")).shown().remaining()).isEqualTo(1_000_000 - 11);
        }
    }

    /** Made-up callers may fill three quarters of the room. */
    @Test
    void doesNotEvictAddressesWithinTheirRoom() {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop("ip", 1, 1), new TestClock(0), RateLimitListener.NONE)) {
            int addresses = FEW * 3 / 4;
            for (int i = 0; i < addresses; i++) {
                assertThat(shop.decide(LOGIN.from("10.0.0." + i)).admitted()).isTrue();
            }
            flood(shop, 1);
            for (int i = 0; i < addresses; i++) {
                assertThat(shop.decide(LOGIN.from("10.0.0." + i)).admitted()).isFalse();
            }
        }
    }

    @Test
    void ofAddressesLeavesNamesAQuarterOfTheRoom() {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop("ip", 1, 1), new TestClock(0), RateLimitListener.NONE)) {
            int names = FEW / 4;
            for (int i = 0; i < names; i++) {
                assertThat(shop.decide(TestCall.get("/shop").of("acme-" + i)).admitted())
                        .isTrue();
            }
            for (int i = 0; i < 3 * FEW; i++) {
                shop.decide(LOGIN.from("10.0.0." + i));
            }
            for (int i = 0; i < names; i++) {
                assertThat(shop.decide(TestCall.get("/shop").of("acme-" + i)).admitted())
                        .isFalse();
            }
        }
    }

    /**
     * Of counters that are mostly used, the youngest go first. So those from before the flood stay, even if they could
     * be made up.
     */
    @Test
    void ofUsedUpCountersEvictsItself() {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop("ip", 5, 3), new TestClock(0), RateLimitListener.NONE)) {
            for (int i = 0; i < HONEST; i++) {
                assertThat(passed(shop, TestCall.get("/shop").of("acme-" + i), 1))
                        .isEqualTo(1);
            }
            for (int i = 0; i < FEW / 4; i++) {
                passed(shop, TestCall.get("/shop").of("early-" + i), 3);
            }
            for (int i = 0; i < HONEST; i++) {
                assertThat(passed(shop, TestCall.get("/shop").of("acme-" + i), 5))
                        .isEqualTo(2);
            }
            flood(shop, 3);
            for (int i = 0; i < HONEST; i++) {
                assertThat(passed(shop, TestCall.get("/shop").of("acme-" + i), 5))
                        .isZero();
            }
        }
    }

    /** New callers are counted during a flood too, for a while at least. */
    @Test
    void leavesRoomForNewcomers() {
        try (CountingRateLimiter shop =
                new CountingRateLimiter(loginAndShop("ip", 5, 1), new TestClock(0), RateLimitListener.NONE)) {
            flood(shop, 1);
            TestCall newcomer = TestCall.get("/shop").of("newcomer");
            assertThat(shop.decide(newcomer).admitted()).isTrue();
            for (int i = 0; i < FEW / 5; i++) {
                shop.decide(TestCall.get("/shop").of("more-" + i));
            }
            assertThat(shop.decide(newcomer).admitted()).isFalse();
        }
    }

    /** Otherwise, with little room, the counters of one call could evict each other for ever. */
    @Test
    @Timeout(60)
    void leavesRoomForAllCountersOfACall() {
        Tier[] tiers = IntStream.rangeClosed(1, 50)
                .mapToObj(hours -> tier(5, Duration.ofHours(hours)))
                .toArray(Tier[]::new);
        try (CountingRateLimiter shop = new CountingRateLimiter(
                atMostCounters(1, endpoint("shop", "GET /shop", tiers)), new TestClock(0), RateLimitListener.NONE)) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(passed(shop, TestCall.get("/shop").of("made-up-" + i), 10))
                        .isEqualTo(5);
            }
        }
    }

    /** What an instance remembers decides while the store is unavailable. */
    @Test
    void doesNotEvictVerifiedCallersWhileTheStoreIsUnavailable() {
        TestClock clock = new TestClock(0);
        CounterStore unavailable = new CounterStore() {
            @Override
            public CompletionStage<Batch.Reply> exchange(Batch batch) {
                return CompletableFuture.failedFuture(StoreException.unavailable("unavailable", null));
            }

            @Override
            public void close() {}
        };
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(loginAndShop("ip", 5, 3), clock, unavailable, 1)) {
            RateLimiter shop = call -> fleet.decide(0, call);
            assertThat(passed(shop, LOGIN, 10)).isEqualTo(5);

            flood(shop, 2);

            assertThat(passed(shop, LOGIN, 10)).isZero();
        }
    }

    /** The bytes of all objects that can be reached, as the virtual machine counts them one by one. */
    private static long retainedBytes() {
        try {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            Matcher total = TOTAL.matcher(histogram);
            assertThat(total.find()).as(histogram).isTrue();
            return Long.parseLong(total.group(1));
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
