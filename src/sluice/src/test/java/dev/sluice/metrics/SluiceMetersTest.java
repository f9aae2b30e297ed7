package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.ExchangeReport;
import dev.sluice.LimitsException;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.Decided;
import dev.sluice.traffic.Traffic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SluiceMetersTest {

    private static final GivenFile FILE = new GivenFile("""
        clients:
          - { tenant: partner, exempt: true }
        endpoints:
          - { id: hard, pathPattern: /hard, tiers: [ { period: 1d, threshold: 2 }, { period: 2d, threshold: 100 } ] }
          - { id: soft, pathPattern: /soft, tiers: [ { period: 1d, threshold: 2, tolerance: 50% } ] }
          - { id: rehearsed, pathPattern: /rehearsed, mode: dry-run, tiers: [ { period: 1d, threshold: 2 } ] }
        """);
    private static final int FLOOD = Integer.getInteger("sluice.flood", 1_000_000);
    private static final TestCall CALL = TestCall.get("/a");
    private static final Tier TIER = new Tier("10s", new Limit.FixedWindow(100, Duration.ofSeconds(10)));
    private static final Endpoint SHOP =
            new Endpoint("shop", Set.of(), "/a", List.of("tenant"), Mode.ENFORCE, List.of(TIER));

    private final MockClock steady = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, steady);
    private final TestClock clock = new TestClock(1_627_318_800_000L);
    private final Traffic traffic = new Traffic(clock);

    private SluiceMeters meters(int clients) {
        SluiceMeters meters = new SluiceMeters(registry, clients);
        meters.read(traffic);
        return meters;
    }

    private static Decision decision(String tenant, Outcome outcome, long remaining) {
        List<Subject> who = List.of(new Subject("tenant", "header:X-Org-Id", tenant));
        return new Decision(outcome, SHOP, TIER, who, remaining, 5_000, 0, null);
    }

    private void calls(int times, String tenant, Outcome outcome) {
        for (int i = 0; i < times; i++) {
            traffic.onDecision(CALL, decision(tenant, outcome, 40));
        }
    }

    @Test
    void countsTheBlocksOfThisInstance() {
        SluiceMeters meters = meters(0);
        CounterKey key = new CounterKey("log-in", "*", "1m", List.of(new Subject("ip", "ip", "192.0.2.1")), 0, 0);
        meters.onBlock(new Block(key, 0, 60_000, 1));
        meters.onBlock(new Block(key, 90_000, 210_000, 2));
        meters.onBlockEnd(new Block(key, 0, 60_000, 1));
        assertThat(registry.get("sluice.blocks")
                        .tags("endpoint", "log-in", "tier", "1m")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    /** The counts of a limiter at an endpoint, such as {@code 1d refused} to 3; without zeros. */
    private Map<String, Integer> counted(String endpoint, String path, String tenant) {
        Map<String, Integer> counted = new TreeMap<>();
        try (Sluice sluice = Sluice.builder()
                .config(FILE)
                .clock(clock)
                .listener(new SluiceMeters(registry))
                .open()) {
            for (int i = 0; i < 5; i++) {
                sluice.decide(TestCall.get(path).of(tenant));
            }
        }
        for (Counter counter :
                registry.find("sluice.decisions").tag("endpoint", endpoint).counters()) {
            if (counter.count() > 0) {
                String tags =
                        counter.getId().getTag("tier") + " " + counter.getId().getTag("outcome");
                counted.put(tags, (int) counter.count());
            }
        }
        return counted;
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double calls(String client, String outcome) {
        return gauge("sluice.client.calls", "endpoint", "shop", "client", client, "outcome", outcome);
    }

    private List<String> clients() {
        return registry.find("sluice.client.calls").tag("outcome", "allowed").gauges().stream()
                .map(gauge -> gauge.getId().getTag("client"))
                .sorted()
                .toList();
    }

    @Test
    void countsAdmittedAndRefusedCallsByTier() {
        assertThat(counted("hard", "/hard", "acme")).isEqualTo(Map.of("1d admitted", 2, "1d refused", 3));
    }

    @Test
    void countsCallsBeyondTheThreshold() {
        assertThat(counted("soft", "/soft", "acme"))
                .isEqualTo(Map.of("1d admitted", 2, "1d admitted-beyond", 1, "1d refused", 2));
    }

    @Test
    void countsWhatADryRunWouldRefuse() {
        assertThat(counted("rehearsed", "/rehearsed", "acme"))
                .isEqualTo(Map.of("1d admitted", 2, "1d would-refuse", 3));
    }

    @Test
    void countsExemptCallsSeparately() {
        assertThat(counted("hard", "/hard", "partner")).isEqualTo(Map.of("1d exempt", 5));
    }

    @Test
    void countsEachCallAtEachEndpointThatApplies() {
        GivenFile file = new GivenFile("""
            endpoints:
              - { id: all, pathPattern: /api/**, tiers: [ { period: 1d, threshold: 7 } ] }
              - { id: one, pathPattern: /api/one, tiers: [ { period: 1d, threshold: 4 } ] }
              - { id: trial, pathPattern: /api/**, mode: dry-run, tiers: [ { period: 1d, threshold: 6 } ] }
            """);
        try (Sluice sluice = Sluice.builder()
                .config(file)
                .clock(clock)
                .listener(new SluiceMeters(registry))
                .open()) {
            for (int i = 0; i < 6; i++) {
                sluice.decide(TestCall.get("/api/one").of("acme"));
            }
            for (int i = 0; i < 5; i++) {
                sluice.decide(TestCall.get("/api/two").of("acme"));
            }
        }
        Map<String, Integer> counted = new TreeMap<>();
        registry.find("sluice.endpoint.calls").counters().stream()
                .filter(counter -> counter.count() > 0)
                .forEach(counter -> counted.put(
                        counter.getId().getTag("endpoint") + " "
                                + counter.getId().getTag("outcome"),
                        (int) counter.count()));
        assertThat(counted)
                .isEqualTo(Map.of(
                        "all admitted", 7,
                        "all refused", 2,
                        "all other-refused", 2,
                        "one admitted", 4,
                        "one refused", 2,
                        "trial admitted", 6,
                        "trial would-refuse", 1,
                        "trial other-refused", 4));
    }

    @Test
    void showsZeroForOutcomesThatHaveNotHappened() {
        assertThat(counted("hard", "/hard", "partner")).hasSize(1);
        assertThat(registry.get("sluice.decisions")
                        .tags("endpoint", "hard", "tier", "1d", "outcome", "refused")
                        .counter()
                        .count())
                .isZero();
        assertThat(gauge("sluice.counters")).isZero();
        assertThat(registry.get("sluice.reloads")
                        .tag("result", "refused")
                        .counter()
                        .count())
                .isZero();
    }

    @Test
    void showsTheBusiestClientsAndTheirUsage() {
        SluiceMeters meters = meters(2);
        calls(9, "busy", Outcome.ADMITTED);
        calls(3, "acme", Outcome.REFUSED);
        calls(1, "acme", Outcome.WOULD_REFUSE);
        traffic.onDecision(CALL, decision("near", Outcome.ADMITTED, 1));
        traffic.onDecision(CALL, decision("idle", Outcome.ADMITTED, 99));
        traffic.onDecision(CALL, decision("idle", Outcome.ADMITTED, 98));
        meters.onCounters(7);
        assertThat(clients()).containsExactly("other", "tenant=acme", "tenant=busy", "tenant=near");
        assertThat(calls("tenant=busy", "allowed")).isEqualTo(9);
        assertThat(calls("tenant=acme", "refused")).isEqualTo(3);
        assertThat(calls("tenant=acme", "would-refuse")).isEqualTo(1);
        assertThat(calls("other", "allowed")).isEqualTo(2);
        assertThat(gauge("sluice.client.limit", "client", "tenant=near", "tier", "10s"))
                .isEqualTo(100);
        assertThat(gauge("sluice.client.used", "client", "tenant=near", "tier", "10s"))
                .isEqualTo(99);
        assertThat(gauge("sluice.counters")).isEqualTo(7);
    }

    @Test
    void removesTheGaugesOfClientsThatAreNoLongerBusy() {
        SluiceMeters meters = meters(1);
        calls(9, "first", Outcome.ADMITTED);
        meters.onCounters(1);
        assertThat(clients()).containsExactly("other", "tenant=first");
        clock.advance(Duration.ofMinutes(2));
        calls(2, "second", Outcome.ADMITTED);
        meters.onCounters(1);
        assertThat(clients()).containsExactly("other", "tenant=second");
        clock.advance(Duration.ofMinutes(2));
        meters.onCounters(1);
        assertThat(registry.getMeters())
                .noneMatch(meter -> meter.getId().getName().startsWith("sluice.client.calls"))
                .noneMatch(meter -> meter.getId().getName().startsWith("sluice.client.limit"))
                .noneMatch(meter -> meter.getId().getName().startsWith("sluice.client.used"));
    }

    @Test
    void showsTheTierReportedLast() {
        SluiceMeters meters = meters(1);
        calls(1, "acme", Outcome.ADMITTED);
        meters.onCounters(1);
        Tier day = new Tier("1d", new Limit.FixedWindow(500, Duration.ofDays(1)));
        List<Subject> acme = decision("acme", Outcome.ADMITTED, 1).subjects();
        traffic.onDecision(CALL, new Decision(Outcome.ADMITTED, SHOP, day, acme, 7, 5_000, 0, null));
        meters.onCounters(1);
        assertThat(registry.find("sluice.client.limit").gauges())
                .singleElement()
                .satisfies(gauge -> {
                    assertThat(gauge.getId().getTag("tier")).isEqualTo("1d");
                    assertThat(gauge.value()).isEqualTo(500);
                });
    }

    @Test
    void makesNamesSafeForATag() {
        SluiceMeters meters = meters(3);
        calls(1, "a\r\nb\u202ec", Outcome.ADMITTED);
        calls(1, "x".repeat(10_000), Outcome.ADMITTED);
        meters.onCounters(1);
        assertThat(clients()).contains("tenant=a\\u000d\\u000ab\\u202ec").allMatch(client -> client.length() < 140);
    }

    @Test
    void namesNoClientIfGaugesAreDisabled() {
        SluiceMeters meters = meters(0);
        calls(9, "acme", Outcome.ADMITTED);
        meters.onCounters(1);
        assertThat(clients()).isEmpty();
        assertThatThrownBy(() -> new SluiceMeters(registry, 1_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("clients 1001 is out of range; expected 0 to 1000");
    }

    @Test
    void hasMetersOfTheStoreOnceItIsUsed() {
        SluiceMeters meters = meters(1);
        assertThat(registry.find("sluice.store.up").gauge()).isNull();
        meters.onExchange(new ExchangeReport(Duration.ofMillis(3), 5, 1, 9, 2));
        meters.onExchange(new ExchangeReport(Duration.ofMillis(5), 1, 0, 0, 1));
        assertThat(gauge("sluice.store.up")).isEqualTo(1);
        assertThat(registry.get("sluice.exchanges").timer().count()).isEqualTo(2);
        assertThat(registry.get("sluice.exchanges").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(8);
        assertThat(registry.get("sluice.exchange.counters").summary().totalAmount())
                .isEqualTo(6);
        assertThat(registry.get("sluice.over.limit").counter().count()).isEqualTo(3);
        steady.add(Duration.ofSeconds(4));
        assertThat(registry.get("sluice.exchange.age").gauge().value()).isEqualTo(4);
    }

    @Test
    void showsThatTheStoreIsUnavailableAndBack() {
        SluiceMeters meters = meters(1);
        meters.onExchangeFailed(Duration.ofMillis(3), 5, "cause");
        assertThat(gauge("sluice.store.up")).isEqualTo(1);
        meters.onStoreUnavailable("cause");
        assertThat(gauge("sluice.store.up")).isZero();
        meters.onStoreBack(Duration.ofSeconds(1));
        assertThat(gauge("sluice.store.up")).isEqualTo(1);
        assertThat(registry.get("sluice.exchange.failures").counter().count()).isEqualTo(1);
    }

    @Test
    void countsAllOtherEvents() {
        SluiceMeters meters = meters(1);
        meters.onStoreWait(2_000_000);
        meters.onOutcomesAwaited(3_000_000);
        meters.onRecall(3);
        meters.onEviction();
        meters.onReloadRefused(new LimitsException(List.of()));
        meters.onReloadRefused(new LimitsException(List.of()));
        assertThat(gauge("sluice.file.in.force")).isZero();
        meters.onReload(List.of());
        assertThat(gauge("sluice.file.in.force")).isEqualTo(1);
        meters.onClientOverrides(4);
        Timer waits = registry.get("sluice.store.waits").timer();
        assertThat(waits.count()).isEqualTo(1);
        assertThat(waits.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2);
        Timer outcomes = registry.get("sluice.outcomes.awaited").timer();
        assertThat(outcomes.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3);
        assertThat(registry.get("sluice.recalls").counter().count()).isEqualTo(3);
        assertThat(registry.get("sluice.evictions").counter().count()).isEqualTo(1);
        assertThat(registry.get("sluice.reloads")
                        .tag("result", "loaded")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("sluice.reloads")
                        .tag("result", "refused")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(gauge("sluice.client.overrides")).isEqualTo(4);
    }

    @Test
    void tellsThatTheFileAndItsTableAreInForceAgain() {
        SluiceMeters meters = meters(1);
        meters.onReloadRefused(mistakeIn("clients.csv"));
        assertThat(gauge("sluice.file.in.force")).isZero();
        meters.onReloadRefused(mistakeIn("limits.yml"));
        meters.onClientTable("clients.csv", 7);
        assertThat(gauge("sluice.file.in.force")).as("the file has a mistake").isZero();
        meters.onReload(List.of());
        assertThat(gauge("sluice.file.in.force")).isEqualTo(1);
        meters.onReloadRefused(mistakeIn("clients.csv"));
        meters.onClientTable("clients.csv", 8);
        assertThat(gauge("sluice.file.in.force")).isEqualTo(1);
    }

    private static LimitsException mistakeIn(String file) {
        return new LimitsException(List.of(new LimitsException.Problem(
                LimitsException.Problem.Severity.ERROR, "SL-137", file, 1, 1, "", "no plan")));
    }

    /** {@code sluice.flood} sets the number of callers; default: a million. */
    @Test
    void doesNotGrowWithTheNumberOfCallers() {
        SluiceMeters meters = meters(SluiceMeters.CLIENTS);
        for (int i = 0; i < FLOOD; i++) {
            Decision decision = decision("made-up-" + i, i % 2 == 0 ? Outcome.ADMITTED : Outcome.REFUSED, 0);
            traffic.onDecision(CALL, decision);
            meters.onDecision(CALL, decision);
            if (i % (FLOOD / 10) == 0) {
                clock.advance(Duration.ofSeconds(5));
                meters.onCounters(i);
                assertThat(registry.getMeters()).hasSizeLessThan(5 * (3 * SluiceMeters.CLIENTS + 1) + 20);
                assertThat(traffic.report().callers()).hasSizeLessThanOrEqualTo(6 * 2 * Traffic.CALLERS);
            }
        }
        assertThat(registry.get("sluice.decisions")
                        .tag("outcome", "refused")
                        .counter()
                        .count())
                .isEqualTo((double) FLOOD / 2);
    }

    @Test
    void allocatesNothingForACallOfAKnownCaller() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        SluiceMeters meters = meters(1);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Decision made = decision("tenant-" + i, i % 5 == 0 ? Outcome.REFUSED : Outcome.ADMITTED, 5);
            decisions.add(Decided.carrying(SHOP, made));
        }
        long thread = Thread.currentThread().getId();
        int calls = 200_000;
        decide(meters, decisions, calls);
        long before = threads.getThreadAllocatedBytes(thread);
        decide(meters, decisions, calls);
        long made = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(made).as("bytes for %d calls", calls).isLessThan(calls / 10);
    }

    private void decide(SluiceMeters meters, List<Decision> decisions, int calls) {
        for (int i = 0; i < calls; i++) {
            Decision decision = decisions.get(i % decisions.size());
            traffic.onDecision(CALL, decision);
            meters.onDecision(CALL, decision);
        }
    }

    @Test
    void hasOnlyDeclaredMeters() {
        SluiceMeters meters = meters(1);
        calls(1, "acme", Outcome.ADMITTED);
        meters.onDecision(CALL, decision("acme", Outcome.ADMITTED, 1));
        meters.onStoreUnavailable("cause");
        meters.onOutcomesAwaited(1);
        meters.onCounters(1);
        meters.onBlock(new Block(new CounterKey("shop", "*", "1m", List.of(), 0, 0), 0, 1, 1));
        Map<String, Set<String>> declared = new TreeMap<>();
        for (MeterDefinition meter : MeterDefinition.values()) {
            declared.put(meter.meterName, Set.copyOf(meter.tags));
        }
        Map<String, Set<String>> registered = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            if (!"other".equals(meter.getId().getTag("client"))) {
                registered.put(
                        meter.getId().getName(),
                        meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
            }
        }
        assertThat(registered).isEqualTo(declared);
    }
}
