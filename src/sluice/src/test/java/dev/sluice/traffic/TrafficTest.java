package dev.sluice.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrafficTest {

    private static final long START = 1_627_318_800_000L;
    private static final TestCall CALL = TestCall.get("/");

    private final TestClock clock = new TestClock(START);
    private final Traffic traffic = new Traffic(clock);
    private final Endpoint shop = Decided.endpoint("shop");
    private final Endpoint login = Decided.endpoint("login");

    private void calls(int times, Endpoint endpoint, String tenant, Outcome outcome) {
        for (int i = 0; i < times; i++) {
            traffic.onDecision(CALL, Decided.of(endpoint, tenant, outcome, 40, 5_000));
        }
    }

    private CallerTraffic caller(String endpoint, String client) {
        return traffic.report().callers().stream()
                .filter(caller ->
                        caller.endpoint().equals(endpoint) && caller.client().equals(client))
                .findAny()
                .orElseThrow();
    }

    @Test
    void countsEachCallerAtEachEndpointByOutcome() {
        calls(3, shop, "acme", Outcome.ADMITTED);
        calls(1, shop, "acme", Outcome.ADMITTED_BEYOND);
        calls(2, shop, "acme", Outcome.REFUSED);
        calls(1, shop, "acme", Outcome.REFUSED_BUSY);
        calls(4, shop, "acme", Outcome.WOULD_REFUSE);
        calls(5, shop, "globex", Outcome.EXEMPT);
        calls(6, login, "acme", Outcome.ADMITTED);
        CallerTraffic acme = caller("shop", "tenant=acme");
        assertThat(acme.calls().allowed()).isEqualTo(4);
        assertThat(acme.calls().refused()).isEqualTo(3);
        assertThat(acme.calls().wouldRefuse()).isEqualTo(4);
        assertThat(caller("shop", "tenant=globex").calls().allowed()).isEqualTo(5);
        assertThat(caller("login", "tenant=acme").calls().allowed()).isEqualTo(6);
        assertThat(traffic.report().endpoints())
                .containsExactly(new EndpointTraffic("login", 6, 0, 0, 0), new EndpointTraffic("shop", 9, 3, 4, 0));
    }

    @Test
    void countsACallAtEachEndpointThatAppliesButItsCallerAtOne() {
        Decision admitted = Decided.of(shop, "acme", Outcome.ADMITTED, 40, 5_000);
        Decision refused = Decided.of(shop, "acme", Outcome.REFUSED, 0, 5_000);
        traffic.onDecision(CALL, admitted.withOtherEndpoints(List.of(login)));
        traffic.onDecision(CALL, admitted);
        traffic.onDecision(CALL, refused.withOtherEndpoints(List.of(login)));
        clock.advance(Duration.ofSeconds(10));
        calls(1, login, "acme", Outcome.ADMITTED);
        traffic.onDecision(CALL, admitted.withOtherEndpoints(List.of(login)));
        assertThat(traffic.report().endpoints())
                .containsExactly(new EndpointTraffic("login", 3, 0, 0, 2), new EndpointTraffic("shop", 3, 1, 0, 0));
        assertThat(caller("shop", "tenant=acme").calls().allowed()).isEqualTo(3);
        assertThat(caller("login", "tenant=acme").calls().allowed()).isEqualTo(1);
    }

    @Test
    void ignoresCallsWithoutALimit() {
        traffic.onDecision(CALL, Decision.UNLIMITED);
        assertThat(traffic.report().callers()).isEmpty();
        assertThat(traffic.report().endpoints()).isEmpty();
    }

    @Test
    void forgetsCallsAfterAMinute() {
        calls(3, shop, "acme", Outcome.ADMITTED);
        clock.advance(Duration.ofSeconds(30));
        calls(4, shop, "acme", Outcome.REFUSED);
        clock.advance(Duration.ofSeconds(29));
        assertThat(caller("shop", "tenant=acme").calls().all()).isEqualTo(7);
        clock.advance(Duration.ofSeconds(1));
        assertThat(caller("shop", "tenant=acme").calls().allowed()).isZero();
        assertThat(caller("shop", "tenant=acme").calls().refused()).isEqualTo(4);
        clock.advance(Duration.ofSeconds(30));
        assertThat(traffic.report().callers()).isEmpty();
        assertThat(traffic.report().endpoints()).isEmpty();
    }

    @Test
    void reportsWhichMinuteItCovers() {
        clock.advance(Duration.ofMillis(12_345));
        TrafficReport report = traffic.report();
        assertThat(report.fromMillis()).isEqualTo(START - 40_000);
        assertThat(report.toMillis()).isEqualTo(START + 12_345);
    }

    @Test
    void survivesClockSteps() {
        calls(1, shop, "acme", Outcome.ADMITTED);
        clock.set(START - 1);
        calls(1, shop, "acme", Outcome.ADMITTED);
        clock.set(START);
        assertThat(caller("shop", "tenant=acme").calls().all()).isEqualTo(2);
        clock.set(START - 3_600_000);
        assertThat(traffic.report().callers()).isEmpty();
        calls(5, shop, "acme", Outcome.ADMITTED);
        assertThat(caller("shop", "tenant=acme").calls().all()).isEqualTo(5);
        clock.set(START + 3_600_000);
        calls(2, shop, "acme", Outcome.ADMITTED);
        assertThat(caller("shop", "tenant=acme").calls().all()).isEqualTo(2);
    }

    /** A thread reads the clock and is then delayed, while others move on by two slices. */
    @Test
    void losesNothingIfAThreadIsDelayed() {
        long[] heldUp = {START};
        clock.advance(Duration.ofSeconds(25));
        Traffic slow = new Traffic(() -> {
            long read = heldUp[0] == 0 ? clock.millis() : heldUp[0];
            heldUp[0] = 0;
            return Instant.ofEpochMilli(read);
        });
        slow.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 40, 5_000));
        slow.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 40, 5_000));
        heldUp[0] = START;
        slow.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 40, 5_000));
        slow.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 40, 5_000));
        assertThat(slow.report().callers())
                .singleElement()
                .extracting(caller -> caller.calls().allowed())
                .isEqualTo(4L);
        assertThat(slow.slices(0))
                .as("the first, from before the pause, and that of now")
                .hasSize(2);
    }

    @Test
    void reportsTheStandingOfACallerAfterItsLastDecision() {
        traffic.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 70, 9_000));
        clock.advance(Duration.ofSeconds(2));
        traffic.onDecision(CALL, Decided.of(shop, "acme", Outcome.ADMITTED, 30, 7_000));
        clock.advance(Duration.ofSeconds(1));
        CallerTraffic acme = caller("shop", "tenant=acme");
        assertThat(acme.latest().tier().name()).isEqualTo("10s");
        assertThat(acme.latest().tier().limit().threshold()).isEqualTo(Decided.LIMIT);
        assertThat(acme.latest().remaining()).isEqualTo(30);
        assertThat(acme.latest().used()).isEqualTo(70);
        assertThat(acme.latest().resetAtMillis()).isEqualTo(START + 9_000);
        assertThat(acme.latest().atMillis()).isEqualTo(START + 2_000);
        clock.set(START + 9_000);
        assertThat(caller("shop", "tenant=acme").latest().used()).isZero();
    }

    @Test
    void reportsTheBurstOfABucketAsItsCapacity() {
        Tier bucket = new Tier("bucket", new Limit.TokenBucket(10, Duration.ofSeconds(1), 50));
        List<Subject> nobody = List.of();
        traffic.onDecision(CALL, new Decision(Outcome.ADMITTED, shop, bucket, nobody, 45, 500, 0, null));
        CallerTraffic all = caller("shop", "everybody");
        assertThat(all.latest().tier().limit().threshold()).isEqualTo(10);
        assertThat(all.latest().capacity()).isEqualTo(50);
        assertThat(all.latest().used()).isEqualTo(5);
    }

    @Test
    void keepsInWhichSecondsACallerWasRefused() {
        for (int second = 0; second < 25; second++) {
            calls(1, shop, "acme", second % 2 == 0 ? Outcome.REFUSED : Outcome.ADMITTED);
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(caller("shop", "tenant=acme").lastRefusals())
                .containsExactlyElementsOf(IntStream.of(24, 22, 20, 18, 16, 14, 12, 10, 8, 6)
                        .mapToObj(second -> new Refusal(START + second * 1_000L, Decided.TIER))
                        .toList());
    }

    @Test
    void keepsWhichTierRefusedLastInEachSecond() {
        Tier hour = new Tier("1h", new Limit.FixedWindow(1_000, Duration.ofHours(1)));
        Decision bySeconds = Decided.of(shop, "acme", Outcome.REFUSED, 0, 5_000);
        Decision byHour = new Decision(Outcome.REFUSED, shop, hour, Decided.tenant("acme"), 0, 3_000_000, 1_000, null);
        for (Decision decision : List.of(bySeconds, bySeconds, byHour, byHour, byHour, bySeconds)) {
            traffic.onDecision(CALL, decision);
            clock.advance(Duration.ofMillis(400));
        }
        assertThat(caller("shop", "tenant=acme").lastRefusals())
                .containsExactly(
                        new Refusal(START + 2_000, Decided.TIER),
                        new Refusal(START + 1_000, hour),
                        new Refusal(START, hour));
    }

    @Test
    void reportsTheCallersWithMostCallsMostRefusalsAndNearestTheirLimits() {
        calls(9, shop, "busy", Outcome.ADMITTED);
        calls(5, shop, "refused", Outcome.REFUSED);
        traffic.onDecision(CALL, Decided.of(login, "near", Outcome.ADMITTED, 1, 1_000));
        TrafficReport report = traffic.report();
        assertThat(report.mostCalling(2))
                .extracting(CallerTraffic::client)
                .containsExactly("tenant=busy", "tenant=refused");
        assertThat(report.mostRefused(2)).extracting(CallerTraffic::client).containsExactly("tenant=refused");
        assertThat(report.nearestLimit(1)).extracting(CallerTraffic::client).containsExactly("tenant=near");
    }

    @Test
    void listsRefusedCallersBeforeThoseOfADryRun() {
        calls(1, shop, "seldom", Outcome.REFUSED);
        calls(2, shop, "often", Outcome.REFUSED);
        calls(8, shop, "rehearsed", Outcome.WOULD_REFUSE);
        calls(9, shop, "busy", Outcome.ADMITTED);
        assertThat(traffic.report().mostRefused(9))
                .extracting(CallerTraffic::client)
                .containsExactly("tenant=often", "tenant=seldom", "tenant=rehearsed");
    }

    @Test
    void findsACallerWhoIsRefusedOftenAmongManyWhoCallMoreOften() {
        Traffic small = new Traffic(clock, 10);
        for (int round = 0; round < 100; round++) {
            for (int busy = 0; busy < 20; busy++) {
                small.onDecision(CALL, Decided.of(shop, "busy-" + busy, Outcome.ADMITTED, 1, 1));
            }
            if (round % 10 == 0) {
                small.onDecision(CALL, Decided.of(shop, "refused", Outcome.REFUSED, 0, 1));
            }
        }
        CallerTraffic most = small.report().mostRefused(1).get(0);
        assertThat(most.client()).isEqualTo("tenant=refused");
        assertThat(most.calls().refused()).isEqualTo(10);
    }

    /** The other callers may cost the busy one the calls before it was known as busy. */
    @Test
    void countsABusyCallerAmongMoreCallersThanFit() {
        Traffic small = new Traffic(clock, 10);
        flood(small);
        clock.advance(Duration.ofSeconds(10));
        flood(small);
        assertThat(small.report().mostCalling(1)).singleElement().satisfies(busy -> {
            assertThat(busy.client()).isEqualTo("tenant=busy");
            assertThat(busy.calls().allowed()).isBetween(10_000L, 20_000L);
        });
        assertThat(small.report().endpoints()).containsExactly(new EndpointTraffic("shop", 80_000, 0, 0, 0));
    }

    /** Ten thousand calls by one caller, and a thousand by each of thirty others, in turn. */
    private void flood(Traffic counted) {
        for (int i = 0; i < 30_000; i++) {
            if (i % 3 == 0) {
                counted.onDecision(CALL, Decided.of(shop, "busy", Outcome.ADMITTED, 1, 1));
            }
            counted.onDecision(CALL, Decided.of(shop, "other-" + i % 30, Outcome.ADMITTED, 1, 1));
        }
    }

    @Test
    void countsEveryCallOfManyThreads() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> callers = IntStream.range(0, threads)
                .mapToObj(thread -> new Thread(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    for (int i = 0; i < each; i++) {
                        calls(1, shop, "acme-" + i % 7, Outcome.ADMITTED);
                    }
                }))
                .toList();
        callers.forEach(Thread::start);
        start.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(traffic.report().callers().stream()
                        .mapToLong(caller -> caller.calls().allowed()))
                .hasSize(7);
        assertThat(traffic.report().endpoints())
                .containsExactly(new EndpointTraffic("shop", (long) threads * each, 0, 0, 0));
        assertThat(traffic.report().callers().stream()
                        .mapToLong(caller -> caller.calls().allowed())
                        .sum())
                .isEqualTo((long) threads * each);
    }
}
