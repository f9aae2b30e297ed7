package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RehearseTest {

    private static final long START = 1_772_409_600L;
    /** More than a pipe holds: when all of them are written, the process has begun to read. */
    private static final int LINES_BEFORE = 50_000;

    @TempDir
    private Path directory;

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String limits(String tiers) throws IOException {
        return file("limits.yml", """
            endpoints:
              - { id: get-product, methods: [ GET ], pathPattern: /product/*, per: [ ip ], tiers: [ %s ] }
            """.formatted(tiers));
    }

    private static String line(long second, String ip, String request) {
        return "%s - - [%s] \"%s\" 200 17 \"-\" \"curl/8\"%n"
                .formatted(
                        ip,
                        java.time.format.DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", java.util.Locale.ROOT)
                                .format(java.time.Instant.ofEpochSecond(second).atOffset(java.time.ZoneOffset.UTC)),
                        request);
    }

    private static JsonNode json(String... arguments) throws IOException {
        Invocation run = Invocation.of(arguments);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    /** Limits of its own are counted for each client, so two behind one address are two, whatever else matches. */
    @Test
    void aClientWithLimitsOfItsOwnHasItsWholeNameWhereSeveralEndpointsMatch() throws IOException {
        String log = file(
                "access.log",
                (line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").strip() + " acme\n").repeat(4)
                        + (line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").strip() + " globex\n").repeat(4));
        String limits = """
            endpoints:
              - { id: product, pathPattern: /product/*, per: [ ip ], tiers: [ { period: 1m, threshold: 1 } ] }
            %s
            clients:
              - { tenant: [ acme, globex ], %s }
            """;
        String other = "  - { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1m, threshold: 99 } ] }";
        for (String own : List.of("multiply: 2", "endpoints: { product: [ { period: 1m, threshold: 2 } ] }")) {
            for (String beside : List.of("", other)) {
                Invocation run = Invocation.of(
                        "rehearse",
                        file("limits.yml", limits.formatted(beside, own)),
                        log,
                        "--format",
                        "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %{X-Org-Id}i");
                assertThat(run.out())
                        .as(own + beside)
                        .contains("It refuses 4 (50%) of 2 clients.")
                        .contains("ip=203.0.113.7, tenant=acme ")
                        .contains("ip=203.0.113.7, tenant=globex ");
            }
        }
    }

    @Test
    void severalPatternsCountTogetherAndExceptedPathsNot() throws IOException {
        String log = file(
                "access.log",
                line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").repeat(2)
                        + line(START, "203.0.113.7", "GET /cart HTTP/1.1").repeat(2)
                        + line(START, "203.0.113.7", "GET /product/1/icon.png HTTP/1.1")
                                .repeat(5));
        Invocation run = Invocation.of("rehearse", file("limits.yml", """
                    - id: shop
                      pathPattern: [ /product/**, /cart ]
                      except: "/product/*/*.png"
                      per: [ ip ]
                      tiers: [ { period: 1m, threshold: 3 } ]
                    """), log);
        assertThat(run.out())
                .contains("shop: any method /product/**, /cart except /product/*/*.png\n")
                .contains("4 calls from 1 client. It refuses 1 ");
    }

    /** An own period is another than those of the endpoint, which may have none. */
    @Test
    void peaksAndChartsAreThoseOfAClientsOwnPeriod() throws IOException {
        String log = file(
                "access.log",
                line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").repeat(3)
                        + line(START + 30, "203.0.113.7", "GET /product/1 HTTP/1.1"));
        for (String tier : List.of("algorithm: concurrency, threshold: 5", "period: 1m, threshold: 5")) {
            for (String own : List.of(
                    "clients:\n  - { ip: 203.0.113.7, %s }",
                    "plans: { free: { %s } }\nclients: { defaultPlan: free }")) {
                String limits = file("limits.yml", """
                    endpoints:
                      - { id: product, pathPattern: /product/*, per: [ ip ], tiers: [ { %s } ] }
                    %s
                    """.formatted(
                                tier, own.formatted("endpoints: { product: [ { period: 10s, threshold: 1 } ] }")));
                JsonNode endpoint =
                        json("rehearse", limits, log, "--json").get("endpoints").get(0);
                assertThat(endpoint.get("clients")
                                .get("mostRefused")
                                .get(0)
                                .get("peak")
                                .asInt())
                        .as(tier + own)
                        .isEqualTo(3);
                JsonNode charts = endpoint.get("charts");
                assertThat(charts.get("period").asText()).isEqualTo("10s");
                assertThat(charts.get("allowed").get(0).get("values"))
                        .extracting(JsonNode::asInt)
                        .containsExactly(1, 0, 0, 1);
            }
        }
    }

    /** Also on a dry run. */
    @Test
    void countsWhoWouldBeBlocked() throws IOException {
        String log = file(
                "access.log",
                line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").repeat(10)
                        + line(START, "203.0.113.8", "GET /product/1 HTTP/1.1").repeat(2)
                        + line(START + 1_000, "203.0.113.7", "GET /product/1 HTTP/1.1")
                                .repeat(10));
        for (String mode : List.of("enforce", "dry-run")) {
            String limits = file("limits.yml", """
                endpoints:
                  - id: get-product
                    pathPattern: /product/*
                    per: [ ip ]
                    mode: %s
                    tiers: [ { period: 1m, threshold: 1, block: { after: 3, within: 1m, for: 15m } } ]
                """.formatted(mode));
            assertThat(Invocation.of("rehearse", limits, log).out())
                    .contains("It refuses 19 (86.3%) of 2 clients.\n  It blocks 1 client, with 2 blocks.")
                    .containsPattern(
                            "The clients that are blocked longest:\\R +client +tier +blocks +blocked for +since +until\\R"
                                    + " +ip=203\\.0\\.113\\.7 +1m +2 +30m +\\S+:00:00Z +\\S+:31:40Z\\R");
            JsonNode endpoint =
                    json("rehearse", limits, log, "--json").get("endpoints").get(0);
            assertThat(endpoint.get("blocks").intValue()).isEqualTo(2);
            assertThat(endpoint.get("clients").get("blocked").intValue()).isEqualTo(1);
            assertThat(endpoint.get("clients").get("mostBlocked"))
                    .singleElement()
                    .asString()
                    .contains("\"name\":\"ip=203.0.113.7\"", "\"blocks\":2", "\"forMillis\":1800000");
        }
    }

    /** Compares with an independent count of what fixed windows refuse. */
    @Test
    void fixedWindowsRefuseWhatAnIndependentCountSays() throws IOException {
        Random random = new Random(11);
        StringBuilder log = new StringBuilder();
        Map<String, Integer> inWindow = new HashMap<>();
        Map<String, Integer> refusedOf = new HashMap<>();
        Set<String> callers = new HashSet<>();
        int calls = 0;
        int refused = 0;
        long second = START;
        for (int i = 0; i < 20_000; i++) {
            second += random.nextInt(20) == 0 ? random.nextInt(3) : 0;
            String ip = "203.0.113." + (int) Math.min(40, Math.abs(random.nextGaussian()) * 12);
            boolean counts = random.nextInt(10) > 0;
            log.append(line(second, ip, counts ? "GET /product/" + i + " HTTP/1.1" : "POST /cart HTTP/1.1"));
            if (counts) {
                calls++;
                callers.add(ip);
                if (inWindow.merge(ip + " " + second / 10, 1, Integer::sum) > 7) {
                    refused++;
                    refusedOf.merge(ip, 1, Integer::sum);
                }
            }
        }
        JsonNode report =
                json("rehearse", limits("{ period: 10s, threshold: 7 }"), file("a.log", log.toString()), "--json");
        assertThat(refused).isPositive();
        assertThat(report.get("calls").asInt()).isEqualTo(20_000);
        assertThat(report.get("refused").asInt()).isEqualTo(refused);
        assertThat(report.get("unlimited").asInt()).isEqualTo(20_000 - calls);
        JsonNode endpoint = report.get("endpoints").get(0);
        assertThat(endpoint.get("calls").get("all").asInt()).isEqualTo(calls);
        assertThat(endpoint.get("calls").get("refused").asInt()).isEqualTo(refused);
        assertThat(endpoint.get("clients").get("all").asInt()).isEqualTo(callers.size());
        assertThat(endpoint.get("clients").get("refused").asInt()).isEqualTo(refusedOf.size());
        assertThat(endpoint.get("tiers").get(0).get("refused").asInt()).isEqualTo(refused);
        endpoint.get("clients")
                .get("mostRefused")
                .forEach(client -> assertThat(client.get("refused").asInt())
                        .isEqualTo(refusedOf.get(client.get("name").asText().replace("ip=", ""))));
        assertWindows(endpoint.get("windows").get(0), inWindow, calls);
    }

    private static void assertWindows(JsonNode windows, Map<String, Integer> inWindow, int calls) {
        assertThat(windows.get("windows").asInt()).isEqualTo(inWindow.size());
        for (JsonNode range : windows.get("distribution")) {
            int from = range.get("from").asInt();
            int to = range.get("to").asInt();
            assertThat(inWindow.values().stream().filter(asked -> asked >= from && asked <= to))
                    .hasSize(range.get("windows").asInt());
        }
        List<Integer> sorted = new ArrayList<>(inWindow.values());
        sorted.sort(null);
        assertThat(windows.get("max").asInt()).isEqualTo(sorted.get(sorted.size() - 1));
        assertThat(windows.get("p50").asInt()).isEqualTo(sorted.get((sorted.size() + 1) / 2 - 1));
        Map<String, Integer> peaks = new HashMap<>();
        inWindow.forEach((window, asked) -> peaks.merge(window.substring(0, window.indexOf(' ')), asked, Integer::max));
        for (JsonNode one : windows.get("thresholds")) {
            int threshold = one.get("threshold").asInt();
            String aim = one.get("aim").asText();
            int refused = inWindow.values().stream()
                    .mapToInt(asked -> Math.max(0, asked - threshold))
                    .sum();
            assertThat(one.get("refused").asInt()).as(aim).isEqualTo(refused);
            if (aim.endsWith("% of calls")) {
                double most = Double.parseDouble(aim.replace("% of calls", "")) / 100 * calls;
                int tighter = inWindow.values().stream()
                        .mapToInt(asked -> Math.max(0, asked - threshold + 1))
                        .sum();
                assertThat(refused).as(aim).isLessThanOrEqualTo((int) most);
                assertThat(threshold == 1 || tighter > (int) most).as(aim).isTrue();
            } else {
                int most = Integer.parseInt(aim.substring(0, aim.indexOf(' ')));
                assertThat(peaks.values().stream()
                                .filter(peak -> peak > threshold)
                                .count())
                        .isLessThanOrEqualTo(most);
                assertThat(peaks.values().stream()
                                .filter(peak -> peak > threshold - 1)
                                .count())
                        .isGreaterThan(most);
            }
        }
    }

    /**
     * The day after which clocks go back has 25 hours: a call at 23:30 UTC of the 24th is one of the 25th in Berlin.
     */
    @Test
    void daysOfTheCalendarAreThoseOfTheirZone() throws IOException {
        long saturday = java.time.Instant.parse("2026-10-24T21:59:59Z").getEpochSecond();
        StringBuilder log = new StringBuilder();
        for (long second :
                new long[] {saturday, saturday + 1, saturday + 60, saturday + 25 * 3_600, saturday + 25 * 3_600 + 1}) {
            log.append(line(second, "203.0.113.1", "GET /product/1 HTTP/1.1"));
        }
        String limits = limits("{ period: day, threshold: 1, zone: Europe/Berlin }");
        JsonNode endpoint = json("rehearse", limits, file("a.log", log.toString()), "--json")
                .get("endpoints")
                .get(0);
        assertThat(endpoint.get("calls").get("refused").asInt()).isEqualTo(2);
        assertThat(endpoint.get("tiers").get(0).get("name").asText()).isEqualTo("day-Europe/Berlin");
        assertThat(endpoint.get("tiers").get(0).get("period").asText()).isEqualTo("a day in Europe/Berlin");
        assertThat(endpoint.get("tiers").get(0).get("text").asText()).isEqualTo("1 in a day in Europe/Berlin");
        assertThat(endpoint.get("windows").get(0).get("windows").asInt()).isEqualTo(3);
        assertThat(endpoint.get("windows").get(0).get("max").asInt()).isEqualTo(3);
        assertThat(endpoint.get("clients")
                        .get("mostRefused")
                        .get(0)
                        .get("forMillis")
                        .asLong())
                .isEqualTo(25 * 3_600_000L);
        assertThat(Invocation.of("rehearse", limits, file("a.log", log.toString()))
                        .out())
                .contains("How many calls a client makes in a day in Europe/Berlin, if it makes any:")
                .contains("3 in a day in Europe/Berlin");
    }

    @Test
    void reportsEachMatchingEndpoint() throws IOException {
        String limits = file("limits.yml", """
            endpoints:
              - { id: one, pathPattern: /a/*, per: [ ip ], tiers: [ { period: 1h, threshold: 2 } ] }
              - { id: all, pathPattern: /**, per: [ ], tiers: [ { period: 1h, threshold: 5 } ] }
            """);
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            log.append(line(START, "203.0.113.1", "GET /a/1 HTTP/1.1"));
        }
        for (int i = 0; i < 4; i++) {
            log.append(line(START, "203.0.113.2", "GET /b HTTP/1.1"));
        }
        JsonNode report = json("rehearse", limits, file("a.log", log.toString()), "--json");
        JsonNode one = report.get("endpoints").get(0);
        JsonNode all = report.get("endpoints").get(1);
        assertThat(one.get("calls").get("all").asInt()).isEqualTo(4);
        assertThat(one.get("calls").get("refused").asInt()).isEqualTo(2);
        assertThat(all.get("calls").get("all").asInt()).isEqualTo(8);
        assertThat(all.get("calls").get("refusedElsewhere").asInt()).isEqualTo(2);
        assertThat(all.get("calls").get("refused").asInt()).isEqualTo(1);
        assertThat(all.get("clients").get("all").asInt()).isEqualTo(1);
        assertThat(report.get("refused").asInt()).isEqualTo(3);
    }

    @Test
    void callsInFlightEndWhenTheLogSays() throws IOException {
        String limits = limits("{ threshold: 1, algorithm: concurrency }");
        String log = file("a.log", """
            203.0.113.1 1772409610.000 10.000 "GET /product/1 HTTP/1.1" 200
            203.0.113.1 1772409609.000 4.000 "GET /product/2 HTTP/1.1" 200
            203.0.113.1 1772409612.000 2.000 "GET /product/3 HTTP/1.1" 200
            """);
        String format = "$remote_addr $msec $request_time \"$request\" $status";
        JsonNode report = json("rehearse", limits, log, "--format", format, "--json");
        assertThat(report.get("refused").asInt()).isEqualTo(1);
    }

    @Test
    void theReportIsAsItsSchemaSays() throws IOException {
        String log = file(
                "a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1").repeat(3) + "rubbish\n");
        Invocation run = Invocation.of("rehearse", limits("{ period: 10s, threshold: 1 }"), log, "--json");
        try (InputStream in = Rehearse.class.getResourceAsStream("rehearsal.schema.json")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(text, InputFormat.JSON);
            List<Error> errors = schema.validate(run.out(), InputFormat.JSON);
            assertThat(errors).isEmpty();
            assertThat(schema.validate(run.out().replace("\"calls\" : 3", "\"calls\" : \"3\""), InputFormat.JSON))
                    .isNotEmpty();
        }
    }

    @Test
    void namesFromTheLogDoNoHarmInATerminal() throws IOException {
        String limits = file("limits.yml", """
            - { id: a, pathPattern: /**, tiers: [ { period: 1h, threshold: 1 } ] }
            """);
        String line = "203.0.113.1 1772409610 \"GET / HTTP/1.1\" \"\\x1b]0;owned\\x07\u001b[2J\u202e\"\n";
        String log = file("a.log", line.repeat(3) + "\u001b[31mrubbish\n");
        String format = "$remote_addr $msec \"$request\" \"$http_x_org_id\"";
        for (String option : List.of("--cut=/x", "--json", "--field=attribute:x=y")) {
            Invocation run = Invocation.of("rehearse", limits, log, "--format", format, option);
            assertThat(run.out() + run.err()).doesNotContain("\u001b", "\u0007", "\u202e");
        }
        Invocation text = Invocation.of("rehearse", limits, log, "--format", format);
        assertThat(text.out()).contains("tenant=\"\\u001b]0;owned\\u0007\\u001b[2J\\u202e\"");
    }

    @Test
    void failsWhereTooManyAreRefused() throws IOException {
        String log = file(
                "a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1").repeat(100));
        String limits = limits("{ period: 10s, threshold: 90 }");
        assertThat(Invocation.of("rehearse", limits, log, "--fail-if-refused", "10%")
                        .exitCode())
                .isZero();
        assertThat(Invocation.of("rehearse", limits, log, "--fail-if-refused", "9.9%")
                        .exitCode())
                .isEqualTo(7);
        assertThat(Invocation.of("rehearse", limits, log, "--fail-if-refused", "0.1")
                        .exitCode())
                .isZero();
        assertThat(Invocation.of("rehearse", limits, log, "--fail-if-refused", "many")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void comparesWhomTwoFilesRefuse() throws IOException {
        String log = file(
                "a.log",
                line(START, "203.0.113.1", "GET /product/1 HTTP/1.1").repeat(5)
                        + line(START, "203.0.113.2", "GET /other HTTP/1.1").repeat(4));
        String other = file("other.yml", """
            - { id: others, pathPattern: /**, per: [ ip ], tiers: [ { period: 1h, threshold: 3 } ] }
            """);
        JsonNode report = json("rehearse", limits("{ period: 1h, threshold: 1 }"), log, "--compare", other, "--json");
        JsonNode comparison = report.get("comparison");
        assertThat(comparison.get("refusedByBoth").asInt()).isEqualTo(2);
        assertThat(comparison.get("onlyFirst").asInt()).isEqualTo(2);
        assertThat(comparison.get("onlySecond").asInt()).isEqualTo(1);
        assertThat(comparison.get("refusedByFirst").get(0).get("client").asText())
                .isEqualTo("ip=203.0.113.1");
        assertThat(comparison.get("refusedBySecond").get(0).get("client").asText())
                .isEqualTo("ip=203.0.113.2");
        assertThat(comparison.get("refusedBySecond").get(0).get("endpoint").asText())
                .isEqualTo("others");
    }

    /** A limiter keeps ten thousand blocks; the first callers are forgotten, whichever of the files they call. */
    @Test
    void aFileDoesNotDifferFromItselfWhenVeryManyAreBlocked() throws IOException {
        StringBuilder log = new StringBuilder();
        for (long second : new long[] {START, START, START, START + 7_200}) {
            for (int i = 0; i < 10_500; i++) {
                log.append(line(second, "10.9." + i / 250 + "." + i % 250, "GET /product/1 HTTP/1.1"));
            }
        }
        String limits = limits("{ period: 1m, threshold: 1, block: { after: 2, within: 1m, for: 1d } }");
        JsonNode comparison = json("rehearse", limits, file("a.log", log.toString()), "--compare", limits, "--json")
                .get("comparison");
        assertThat(comparison.get("onlyFirst").asInt()).isZero();
        assertThat(comparison.get("onlySecond").asInt()).isZero();
    }

    @Test
    void cutsTheContextPath() throws IOException {
        String log = file(
                "a.log",
                line(START, "203.0.113.1", "GET /shop/product/1 HTTP/1.1").repeat(5)
                        + line(START, "203.0.113.1", "GET /product/1 HTTP/1.1").repeat(5));
        JsonNode report = json("rehearse", limits("{ period: 1h, threshold: 2 }"), log, "--cut", "/shop", "--json");
        JsonNode endpoint = report.get("endpoints").get(0);
        assertThat(endpoint.get("calls").get("all").asInt()).isEqualTo(5);
        assertThat(endpoint.get("calls").get("refused").asInt()).isEqualTo(3);
        assertThat(report.get("lines").get("outside").asInt()).isEqualTo(5);
    }

    @Test
    void asksForNothingWhereTheStatusIsNotCounted() throws IOException {
        String limits = file("limits.yml", """
            - id: a
              pathPattern: /login
              per: [ ip ]
              count: { status: [ 401 ] }
              tiers: [ { period: 1m, threshold: 2, algorithm: sliding-log } ]
            """);
        String ok = "203.0.113.1 - - [02/Mar/2026:00:00:01 +0000] \"GET /login HTTP/1.1\" 200 1\n";
        String wrong = ok.replace(" 200 1", " 401 1");
        String log = file("a.log", ok.repeat(6) + wrong.repeat(3) + ok);
        JsonNode report = json("rehearse", limits, log, "--json");
        assertThat(report.get("refused").asInt()).isEqualTo(2);
        JsonNode windows = report.get("endpoints").get(0).get("windows").get(0);
        assertThat(windows.get("max").asInt()).isEqualTo(3);
        assertThat(Invocation.of("rehearse", limits, log).out()).contains("3 in 1m", "1.5x");
    }

    /** The log says what became of the calls that had taken all. */
    @Test
    void callsAwaitTheOutcomesOfOthers() throws IOException {
        String limits = file("limits.yml", """
            - id: a
              pathPattern: /login
              per: [ ip ]
              count: { status: [ 401 ] }
              tiers: [ { period: 1h, threshold: 2 } ]
            """);
        String right = "203.0.113.1 1772409610 0.2 200 \"GET /login HTTP/1.1\"\n";
        String wrong = right.replace(" 200 ", " 401 ");
        String format = "$remote_addr $msec $request_time $status \"$request\"";
        String log = file("a.log", right.repeat(12) + wrong.repeat(5));
        JsonNode report = json("rehearse", limits, log, "--format", format, "--json");
        assertThat(report.get("refused").asInt()).isEqualTo(3);
    }

    @Test
    void chargesWhatTheLogSaysWasCharged() throws IOException {
        String limits = file("limits.yml", """
            - { id: a, pathPattern: /**, per: [ ip ], cost: charged, tiers: [ { period: 1h, threshold: 100 } ] }
            """);
        String log = file("a.json", """
            {"time":"2026-03-02T00:00:00Z","ip":"203.0.113.1","path":"/a","status":200,"cents":99}
            {"time":"2026-03-02T00:00:01Z","ip":"203.0.113.1","path":"/a","status":200,"cents":30}
            {"time":"2026-03-02T00:00:02Z","ip":"203.0.113.1","path":"/a","status":200,"cents":1}
            """);
        JsonNode report = json(
                "rehearse",
                limits,
                log,
                "--format=json",
                "--field=ip=ip",
                "--field=path=path",
                "--field=charge=cents",
                "--json");
        assertThat(report.get("refused").asInt()).isEqualTo(1);
        assertThat(report.get("notPlayed")).isEmpty();
        assertThat(report.get("endpoints")
                        .get(0)
                        .get("windows")
                        .get(0)
                        .get("max")
                        .asInt())
                .isEqualTo(130);
    }

    @Test
    void countsCostsAndStatusesAlsoIfThereAreSeveralEndpoints() throws IOException {
        String limits = file("limits.yml", """
            - { id: a, pathPattern: /**, per: [ ip ], cost: 10, tiers: [ { period: 1h, threshold: 100 } ] }
            - { id: b, pathPattern: /**, per: [ ip ], cost: { reserve: 5 }, tiers: [ { period: 1h, threshold: 90 } ] }
            - id: c
              pathPattern: /a
              per: [ ip ]
              count: { status: [ 401 ] }
              tiers: [ { period: 1h, threshold: 9 } ]
            """);
        String log = file("a.json", """
            {"time":"2026-03-02T00:00:00Z","ip":"203.0.113.1","path":"/a","status":200,"tokens":30}
            {"time":"2026-03-02T00:00:01Z","ip":"203.0.113.1","path":"/a","status":401,"tokens":3}
            {"time":"2026-03-02T00:00:02Z","ip":"203.0.113.1","path":"/a","status":200,"tokens":1}
            """);
        JsonNode report = json("rehearse", limits, log, "--field=charge=tokens", "--json");
        assertThat(report.get("endpoints"))
                .extracting(one -> one.get("windows").get(0).get("max").asInt())
                .containsExactly(30, 34, 1);
    }

    @Test
    void settlesWhatTheLogSaysACallCost() throws IOException {
        String limits = file("limits.yml", """
            - id: a
              pathPattern: /**
              per: [ ip ]
              cost: { reserve: 60 }
              tiers: [ { period: 1h, threshold: 100 } ]
            """);
        String log = file("a.json", """
            {"time":"2026-03-02T00:00:00Z","ip":"203.0.113.1","path":"/a","status":200,"tokens":20}
            {"time":"2026-03-02T00:00:01Z","ip":"203.0.113.1","path":"/a","status":200,"tokens":30}
            {"time":"2026-03-02T00:00:02Z","ip":"203.0.113.1","path":"/a","status":200,"tokens":1}
            """);
        String[] fields = {"--format=json", "--field=ip=ip", "--field=path=path", "--json", "--field=charge=tokens"};
        JsonNode settled = json("rehearse", limits, log, fields[0], fields[1], fields[2], fields[3], fields[4]);
        assertThat(settled.get("refused").asInt()).isEqualTo(1); // 50 are spent, and 60 do not fit
        assertThat(settled.get("endpoints")
                        .get(0)
                        .get("windows")
                        .get(0)
                        .get("max")
                        .asInt())
                .isEqualTo(51);
        JsonNode kept = json("rehearse", limits, log, fields[0], fields[1], fields[2], fields[3]);
        assertThat(kept.get("refused").asInt()).isEqualTo(2);
        assertThat(kept.get("notPlayed").get(0).asText())
                .startsWith("a: the log does not contain the final cost of calls, so each call keeps its reservation");
    }

    @Test
    void saysWhatALogCannotTell() throws IOException {
        String limits = file("limits.yml", """
            endpoints:
              - id: a
                pathPattern: /**
                tiers: [ { period: 1h, threshold: 9, elastic: { upTo: 150%, whileLoadBelow: 60% } } ]
              - { id: b, pathPattern: /**, cost: charged, tiers: [ { period: 1h, threshold: 9 } ] }
              - id: c
                pathPattern: /**
                tiers: [ { period: 1h, threshold: 9, algorithm: leaky-bucket, queue: 4, maxQueueTime: 1h } ]
              - { id: d, pathPattern: /**, tiers: [ { threshold: 1, algorithm: concurrency } ] }
              - { id: e, pathPattern: /, count: { status: [ 401 ] }, tiers: [ { period: 1h, threshold: 9 } ] }
            plans: { pro: { multiply: 10 } }
            clients: { from: our-clients }
            """);
        String bare = file("bare.log", "::1 1772409610 \"GET / HTTP/1.1\"\n");
        JsonNode told = json(
                "rehearse",
                limits,
                bare,
                "--resolver",
                "our-clients",
                "--format",
                "$remote_addr $msec \"$request\"",
                "--json");
        assertThat(told.get("notPlayed"))
                .extracting(JsonNode::asText)
                .satisfiesExactly(
                        one -> assertThat(one)
                                .startsWith("clients: rehearse cannot query the application's ClientSource"),
                        one -> assertThat(one)
                                .isEqualTo(
                                        "tenant: no call in the log has header:X-Org-Id, so all calls are keyed by ip,"
                                                + " and its clients and plans are not applied; add %{X-Org-Id}i"
                                                + " (Apache) or $http_x_org_id (nginx) to the log's format"),
                        one -> assertThat(one).startsWith("a: elastic tiers are played as on an idle machine"),
                        one -> assertThat(one)
                                .startsWith(
                                        "b: the log does not contain what the application charges after a call, so no"
                                                + " call"),
                        one -> assertThat(one).startsWith("c: queued calls proceed in turn"),
                        one -> assertThat(one).startsWith("d: the log has no durations"),
                        one -> assertThat(one).startsWith("e: the log has no statuses"));
        String full = file("full.log", "::1 1772409610 0.2 200 \"GET / HTTP/1.1\"\n");
        Invocation text = Invocation.of(
                "rehearse",
                limits,
                full,
                "--resolver",
                "our-clients",
                "--format",
                "$remote_addr $msec $request_time $status \"$request\"");
        assertThat(text.out())
                .contains("A service would decide differently:\n  clients: ", "\n  a: ")
                .doesNotContain("d: the log", "e: the log");
    }

    /** Whatever a header decides: conditions, costs, plans and the addresses of callers. */
    @Test
    void saysWhichHeadersAreMissing() throws IOException {
        String item = "{ id: a, pathPattern: /**, per: [ %s ], tiers: [ { period: 1h, threshold: 9 } ]%s }";
        String condition = "endpoints: [ " + item.formatted("principal", ", when: { %s }") + " ]";
        String[][] cases = {
            {
                condition.formatted("'header:X-Plan': free"),
                "a: no call in the log has header:X-Plan, which its condition reads"
            },
            {condition.formatted("country: FR"), "a: no call in the log has country, which its condition reads"},
            {condition.formatted("between: 01:00-06:00, 'query:q': present"), ""},
            {
                "endpoints: [ " + item.formatted("principal", ", cost: 'header:X-Cost'") + " ]",
                "a: no call in the log has header:X-Cost, so each call has the default cost"
            },
            {
                "endpoints: [ " + item.formatted("principal", ", cost: { reserve: 'header:X-Cost', default: 5 }")
                        + " ]",
                "a: no call in the log has header:X-Cost, so each call has the default cost"
            },
            {
                "plans: { free: { multiply: 2 } }\nclients: { planFrom: [ 'header:X-Plan' ] }\nendpoints: [ "
                        + item.formatted("principal", "") + " ]",
                "clients: no call in the log has header:X-Plan, which planFrom reads"
            },
            {
                "trustedProxies: [ 10.0.0.0/8 ]\nendpoints: [ " + item.formatted("ip", "") + " ]",
                "ip: calls come from trustedProxies, but none in the log has header:X-Forwarded-For, so callers behind"
                        + " a proxy count as one"
            },
            {"trustedProxies: [ 10.9.0.0/16 ]\nendpoints: [ " + item.formatted("ip", "") + " ]", ""},
        };
        String call = "10.0.0.1 eve 1772409610 \"GET / HTTP/1.1\" 200 \"%s\"\n";
        String[] names = {"x_plan", "x_cost", "x_forwarded_for", "cf_ipcountry"};
        for (String[] one : cases) {
            String limits = file("limits.yml", one[0]);
            List<String> missing = new ArrayList<>();
            for (String name : names) {
                JsonNode report = json(
                        "rehearse",
                        limits,
                        file("a.log", call.formatted(name.equals("cf_ipcountry") ? "FR" : "7")),
                        "--format",
                        "$remote_addr $remote_user $msec \"$request\" $status \"$http_" + name + "\"",
                        "--json");
                report.get("notPlayed").forEach(sentence -> {
                    if (!sentence.asText().contains("final cost")) {
                        missing.add(sentence.asText());
                    }
                });
            }
            assertThat(missing)
                    .as(one[0])
                    .hasSize(one[1].isEmpty() ? 0 : names.length - 1)
                    .allSatisfy(sentence -> assertThat(sentence).startsWith(one[1]));
        }
    }

    @Test
    void aSourceThatTheLogHasIsNotMissed() throws IOException {
        String limits = file("limits.yml", """
            subjects: { caller: [ principal, "header:X-Api-Key" ], unused: [ "header:X-Unused" ] }
            endpoints:
              - { id: a, pathPattern: /**, per: [ caller ], tiers: [ { period: 1h, threshold: 9 } ] }
            """);
        String log =
                file("a.log", "::1 1772409610 \"GET / HTTP/1.1\" \"k\"\n::1 1772409611 \"GET / HTTP/1.1\" \"-\"\n");
        String format = "$remote_addr $msec \"$request\" \"$http_%s\"";
        JsonNode known = json("rehearse", limits, log, "--json", "--format", format.formatted("x_api_key"));
        assertThat(known.get("notPlayed"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "caller: no call in the log has principal, so all calls are keyed by header:X-Api-Key");
        JsonNode missing = json("rehearse", limits, log, "--json", "--format", format.formatted("referer"));
        assertThat(missing.get("notPlayed"))
                .extracting(JsonNode::asText)
                .singleElement()
                .asString()
                .startsWith(
                        "caller: no call in the log has principal or header:X-Api-Key, so all calls count as those of "
                                + "one caller; add %{X-Api-Key}i");
    }

    /** The report says once that no log has them; the limiter's own advice is for services. */
    @Test
    void saysOnceThatALogHasNoFailedLogins() throws IOException {
        String calls = file(
                "a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1").repeat(300));
        String limits = file("limits.yml", """
            endpoints:
              - id: login
                pathPattern: /product/*
                per: [ ip ]
                count: { outcome: login-failure }
                tiers: [ { period: 1h, threshold: 1 } ]
              - { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1h, threshold: 999 } ] }
            """);
        PrintStream console = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        try (PrintStream log = new PrintStream(logged, true, StandardCharsets.UTF_8)) {
            System.setErr(log);
            JsonNode report = json("rehearse", limits, calls, "--compare", limits, "--json");
            assertThat(report.get("notPlayed"))
                    .extracting(JsonNode::asText)
                    .containsExactly(
                            "login: the log does not show which logins failed, so no login counts or is refused;"
                                    + " rehearse it with count: { status: [ 401 ] }, or the status that the service"
                                    + " sends");
        } finally {
            System.setErr(console);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("failed logins");
    }

    @Test
    void saysThatALogHasNoNamesOfLogins() throws IOException {
        String calls =
                file("a.log", line(START, "203.0.113.1", "POST /login HTTP/1.1").repeat(9));
        String limits = file("limits.yml", """
            secrets: { key: "a key of sixteen characters" }
            endpoints:
              - id: account
                pathPattern: /login
                per: [ login ]
                count: { outcome: login-failure }
                tiers: [ { period: 1h, threshold: 1 } ]
            """);
        JsonNode report = json("rehearse", limits, calls, "--json");
        assertThat(report.get("notPlayed"))
                .extracting(JsonNode::asText)
                .containsExactly("account: the log contains no user names of logins, so no login counts or is "
                        + "refused; to see how often one address fails, rehearse it with per: [ ip ] and count: { "
                        + "status: [ 401 ] }, or the status that the service sends");
    }

    @Test
    void thresholdsAreExplained() throws IOException {
        String log = file("a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1"));
        assertThat(Invocation.of("rehearse", limits("{ period: 10s, threshold: 1 }"), log)
                        .out())
                .contains("  The lowest threshold for 10s that keeps the refusals within a bound:")
                .containsPattern("refuse at most +threshold +refused +share\\R +1% of calls +1 +0 +0%")
                .containsPattern("1 client +1 +0 +0%");
    }

    @Test
    void fieldsTellSubjects() throws IOException {
        String limits = file("limits.yml", """
            - { id: a, pathPattern: /**, tiers: [ { period: 1h, threshold: 1 } ] }
            """);
        String log = file("a.log", """
            {"time":"2026-03-02T00:00:00Z","ip":"::1","method":"GET","path":"/","org":{"id":"acme"}}
            {"time":"2026-03-02T00:00:01Z","ip":"::1","method":"GET","path":"/","org":{"id":"beta"}}
            {"time":"2026-03-02T00:00:02Z","ip":"::2","method":"GET","path":"/","org":{"id":"acme"}}
            """);
        JsonNode report = json("rehearse", limits, log, "--field", "tenant=org.id", "--json");
        assertThat(report.get("endpoints")
                        .get(0)
                        .get("clients")
                        .get("mostRefused")
                        .get(0)
                        .get("name")
                        .asText())
                .isEqualTo("tenant=acme");
        Invocation wrong = Invocation.of("rehearse", limits, log, "--field", "tennant=org.id");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("--field tennant: the file has no such subject; write one of ", "tenant");
    }

    @Test
    void saysWhatIsWrongWithALog() throws IOException {
        String limits = limits("{ period: 10s, threshold: 1 }");
        assertFails("the log is empty; name a log that contains lines", limits, file("empty.log", ""));
        assertFails("there is no file", limits, directory.resolve("none.log").toString());
        assertFails("cannot detect the format of", limits, limits);
        String newestFirst =
                line(START + 900, "203.0.113.1", "GET / HTTP/1.1") + line(START, "203.0.113.1", "GET / HTTP/1.1");
        assertFails("1 of 2 lines are more than five minutes behind", limits, file("backwards.log", newestFirst));
        byte[] binary = new byte[100_000];
        new Random(5).nextBytes(binary);
        Path noise = Files.write(directory.resolve("noise"), binary);
        assertFails("cannot detect the format of", limits, noise.toString());
    }

    private static void assertFails(String complaint, String limits, String log) {
        Invocation run = Invocation.of("rehearse", limits, log);
        assertThat(run.err()).startsWith("sluice: ").contains(complaint).hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    /** A gate of CI must not open because nothing came through. */
    @Test
    void aRehearsalOfNothingFails() throws IOException {
        String limits = limits("{ period: 10s, threshold: 1 }");
        String call = line(START, "203.0.113.1", "GET /product/1 HTTP/1.1");
        String[][] cases = {
            {
                call.repeat(3),
                "--format=[%t] %h \"%r\" %>s",
                "no call was played: 3 of 3 lines could not be read; check --format"
            },
            {call.repeat(3), "--cut=/shop", "no call was played: 3 calls outside the path of --cut; check that path"},
            {
                call.repeat(2) + "rubbish\n".repeat(3),
                "--format=combined",
                "3 of 5 lines could not be read, too many to check --fail-if-refused; check --format"
            }
        };
        for (String[] one : cases) {
            Invocation run = Invocation.of("rehearse", limits, file("a.log", one[0]), one[1], "--fail-if-refused=100%");
            assertThat(run.err()).isEqualToIgnoringNewLines("sluice: " + one[2]);
            assertThat(run.exitCode()).isEqualTo(1);
        }
        assertThat(Invocation.of("rehearse", limits, file("a.log", call + "rubbish\n".repeat(3)))
                        .exitCode())
                .isZero();
    }

    @Test
    void aFileIsReplacedOnlyByForce() throws IOException {
        String log = file("a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1"));
        String limits = limits("{ period: 10s, threshold: 1 }");
        String written = Files.readString(Path.of(limits));
        String html = file("a.html", "mine");
        String json = file("a.json", "mine");
        String[][] wrong = {
            {"rehearse", "--suggest", limits, log},
            {"rehearse", limits, log, "--suggest", limits},
            {"rehearse", limits, log, "--html", html},
            {"rehearse", limits, log, "--json", json}
        };
        for (String[] words : wrong) {
            Invocation run = Invocation.of(words);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains(" already exists; write --force to replace it");
        }
        assertThat(Path.of(limits)).hasContent(written);
        assertThat(Path.of(html)).hasContent("mine");
        Invocation forced = Invocation.of("rehearse", limits, log, "--html", html, "--json", json, "--force");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.err().lines()).containsExactly("Written to " + html, "Written to " + json);
        assertThat(Path.of(json)).content().contains("get-product");
    }

    @Test
    void aMisplacedOptionDoesNotWriteOverALog() throws IOException {
        String log = file("a.log", line(START, "203.0.113.1", "GET /product/1 HTTP/1.1"));
        String limits = limits("{ period: 10s, threshold: 1 }");
        Invocation run = Invocation.of("rehearse", limits, log, "--json", log);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("does not end in .json; write --json report.json");
        assertThat(Files.readString(Path.of(log))).contains("/product/1");
    }

    /** A process of its own is told to end while it reads. */
    @Test
    void reportsWhatWasReadUntilItIsInterrupted() throws Exception {
        Path output = directory.resolve("report.txt");
        Process rehearse = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "rehearse",
                        limits("{ period: 10s, threshold: 5 }"),
                        "-")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        byte[] line = line(START, "203.0.113.7", "GET /product/1 HTTP/1.1").getBytes(StandardCharsets.UTF_8);
        try (OutputStream log = rehearse.getOutputStream()) {
            for (int i = 0; i < LINES_BEFORE; i++) {
                log.write(line);
            }
            rehearse.toHandle().destroy();
            while (rehearse.isAlive()) {
                log.write(line);
            }
        } catch (IOException e) {
            // it has ended, and reads no more
        }
        assertThat(rehearse.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(output).content().contains("Stopped before the end: ", "get-product: GET /product/*");
    }
}
