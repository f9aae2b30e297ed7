package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import dev.sluice.TestClock;
import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.cli.rehearse.play.Player;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.FakeExchange;
import dev.sluice.servlet.RateLimit;
import dev.sluice.servlet.RateLimitFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Tag;

/** A rehearsal refuses exactly the calls that the filter refuses, with the same calls and a clock set by hand. */
@Tag("server")
@Tag("thorough")
class LiveFilterTest {

    private static final long START = 1_772_409_600_000L;
    private static final String FORMAT =
            "$remote_addr $msec \"$request\" $status \"$http_x_org_id\" \"$http_x_cost\" $sent_http_x_charge";

    private record Step(long gapMillis, int client, String path, int status, int cost) {}

    @Provide
    Arbitrary<String> tiers() {
        return Arbitraries.of(
                "{ period: 1s, threshold: 3 }",
                "{ period: 1s, threshold: 3, tolerance: 40% }",
                "{ period: 1s, threshold: 3, algorithm: sliding-window }",
                "{ period: 2s, threshold: 4, algorithm: sliding-window, subWindows: 4 }",
                "{ period: 1s, threshold: 3, algorithm: sliding-log }",
                "{ period: 1s, threshold: 2, algorithm: token-bucket, burst: 4 }",
                "{ period: 1s, threshold: 3, algorithm: leaky-bucket }",
                "{ threshold: 2, algorithm: concurrency }",
                "{ period: 1s, threshold: 3, elastic: { upTo: 200%, whileLoadBelow: 60% } }",
                "{ period: 1s, threshold: 3 }, { period: 5s, threshold: 7, algorithm: sliding-log }");
    }

    @Provide
    Arbitrary<String> rest() {
        return Arbitraries.of(
                "",
                ", count: { status: [ 401 ] }",
                ", cost: 2",
                ", cost: \"header:X-Cost\"",
                ", cost: charged",
                ", cost: { reserve: 2 }",
                ", per: [ ip ]",
                ", mode: dry-run",
                ", when: { tenant: present }",
                ", per: [ ]");
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> gaps = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.longs().between(0, 60)),
                Tuple.of(1, Arbitraries.longs().between(100, 3_000)));
        return Combinators.combine(
                        gaps,
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of("/product/1", "/product/2", "/other", "/product/%31", "//product/1"),
                        Arbitraries.of(200, 401),
                        Arbitraries.integers().between(1, 3))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }

    /** Queues whose turns are seconds apart, so that none comes in real time while the test runs. */
    @Provide
    Arbitrary<String> queues() {
        return Arbitraries.of(
                "{ period: 1h, threshold: 60, algorithm: leaky-bucket, queue: 3, maxQueueTime: 1h }",
                "{ period: 1h, threshold: 60, algorithm: leaky-bucket, queue: 2, maxQueueTime: 100s }",
                "{ period: 1h, threshold: 60, algorithm: leaky-bucket, queue: 3, maxQueueTime: 1h }, { period: 1h,"
                        + " threshold: 9 }",
                "{ period: 1h, threshold: 60, algorithm: leaky-bucket, queue: 3, maxQueueTime: 1h }, "
                        + "{ threshold: 2, algorithm: concurrency }");
    }

    @Property(tries = 150)
    void refusesTheVerySameCalls(
            @ForAll("tiers") String tiers, @ForAll("rest") String rest, @ForAll("steps") List<Step> steps)
            throws Exception {
        assertRefusesTheSame(tiers, rest, steps);
    }

    /** Queued calls are parked; the container comes back to them when the clock is set further. */
    @Property(tries = 80)
    void refusesTheVerySameCallsBehindAQueue(
            @ForAll("queues") String tiers, @ForAll("rest") String rest, @ForAll("steps") List<Step> steps)
            throws Exception {
        List<Step> slow = steps.stream()
                .map(step -> new Step(
                        1_000 * step.gapMillis,
                        step.client,
                        step.path.replaceAll("%31", "1").replace("//", "/"),
                        step.status,
                        step.cost))
                .toList();
        assertRefusesTheSame(tiers, rest, slow);
    }

    private static void assertRefusesTheSame(String tiers, String rest, List<Step> steps) throws Exception {
        String yaml = """
            clients:
              - { tenant: org-3, exempt: true }
            endpoints:
              - { id: get-product, methods: [ GET ], pathPattern: /product/*, tiers: [ %s ]%s }
              - { id: all, pathPattern: /**, tiers: [ { period: 3s, threshold: 9 } ] }
            """.formatted(tiers, rest);
        assertThat(rehearsed(yaml, steps)).isEqualTo(live(yaml, steps));
    }

    private static List<Boolean> rehearsed(String yaml, List<Step> steps) throws Exception {
        Path directory = Files.createTempDirectory("rehearsed");
        Path file = Files.writeString(directory.resolve("limits.yml"), yaml);
        Path log = directory.resolve("access.log");
        StringBuilder lines = new StringBuilder();
        long now = START;
        for (Step step : steps) {
            now += step.gapMillis;
            lines.append("%s %d.%03d \"GET %s HTTP/1.1\" %d \"%s\" \"%d\" %d%n"
                    .formatted(
                            address(step),
                            now / 1000,
                            now % 1000,
                            step.path,
                            step.status,
                            tenant(step),
                            step.cost,
                            step.cost));
        }
        Files.writeString(log, lines);
        List<Boolean> refused = new ArrayList<>();
        Formats formats = new Formats(Map.of("charge", "$sent_http_x_charge"));
        try (Logs logs = new Logs(List.of(log.toString()), formats, FORMAT, null);
                Player player =
                        new Player(RehearsedFile.read(file.toString(), Set.of()).limits())) {
            logs.play(call -> refused.add(player.play(call).stream().anyMatch(said -> !said.admitted())), () -> false);
        } finally {
            Files.delete(log);
            Files.delete(file);
            Files.delete(directory);
        }
        return refused;
    }

    private static List<Boolean> live(String yaml, List<Step> steps) throws Exception {
        TestClock clock = new TestClock(START);
        List<Boolean> refused = new ArrayList<>();
        try (Sluice sluice = Sluice.builder()
                .config(new Text(yaml))
                .clock(clock)
                .loadSignal(() -> 0)
                .open()) {
            RateLimitFilter filter = new RateLimitFilter(sluice);
            ParkingContainer container = new ParkingContainer(filter, clock);
            for (Step step : steps) {
                container.passUntil(clock.millis() + step.gapMillis);
                FakeExchange exchange = FakeExchange.get(step.path);
                when(exchange.request.getRemoteAddr()).thenReturn(address(step));
                header(exchange, "X-Org-Id", tenant(step));
                header(exchange, "X-Cost", String.valueOf(step.cost));
                boolean goesOn = container.call(exchange, (request, response) -> {
                    if (!RateLimit.settle(request, step.cost)) {
                        RateLimit.charge(request, step.cost);
                    }
                    exchange.status = step.status;
                });
                refused.add(!goesOn);
            }
            filter.destroy();
        }
        return refused;
    }

    private static void header(FakeExchange exchange, String name, String value) {
        when(exchange.request.getHeader(name)).thenReturn(value);
    }

    private static String address(Step step) {
        return "203.0.113." + step.client % 2;
    }

    private static String tenant(Step step) {
        return "org-" + step.client;
    }

    private record Text(String yaml) implements ConfigSource {

        @Override
        public String name() {
            return "limits.yml";
        }

        @Override
        public byte[] read() {
            return yaml.getBytes(StandardCharsets.UTF_8);
        }
    }
}
