package dev.sluice.cli.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.Invocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("docs")
class SuggestTest {

    private static final String LIMITS =
            Path.of("examples", "rehearse", "rate-limits.yml").toString();
    private static final String LOG =
            Path.of("examples", "rehearse", "access.log").toString();
    private static final Pattern SAID = Pattern.compile(
            "In these logs, it refuses (nobody|(\\d+) calls? of (\\d+) callers?: .*)\\.?\\n  - id: (\\S+)");

    @TempDir
    private static Path directory;

    private static String site;

    @BeforeAll
    static void writeLog() throws Exception {
        site = SiteLog.write(directory.resolve("site.log")).toString();
    }

    private static String suggest(String... names) throws Exception {
        Path file = directory.resolve("suggested.yml");
        Files.deleteIfExists(file);
        String[] words = Stream.concat(
                        Stream.concat(Stream.of("rehearse"), Stream.of(names)), Stream.of("--suggest", file.toString()))
                .toArray(String[]::new);
        Invocation run = Invocation.of(words);
        assertThat(run.exitCode()).as(run.err()).isZero();
        Invocation check = Invocation.of("check", file.toString());
        assertThat(check.out()).as(check.err()).startsWith("OK ").doesNotContain("warning");
        return Files.readString(file);
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Nested
    class WithoutAFile {

        @Test
        void endpointsAreWhatTheSiteServesToVisitors() throws Exception {
            assertThat(all("(methods: .*\\n.*pathPattern: .*)", suggest(site)))
                    .map(endpoint -> endpoint.replaceAll("methods: \\[ | ]|\\n *pathPattern:|\"", ""))
                    .containsExactlyInAnyOrder(
                            "GET /",
                            "GET /product/{id}",
                            "GET /category/boots",
                            "GET /category/coats",
                            "GET /category/gloves",
                            "GET /search",
                            "POST /cart",
                            "POST /login",
                            "POST /orders");
        }

        @Test
        void nobodyIsLimitedToAFewCallsAnHour() throws Exception {
            String suggested = suggest(site);
            assertThat(all("period: (\\w+)", suggested)).containsOnly("1m");
            assertThat(all("threshold: (\\d+)", suggested))
                    .hasSize(9)
                    .allSatisfy(
                            threshold -> assertThat(Integer.parseInt(threshold)).isBetween(10, 60));
        }

        @Test
        void saysWhatItWasNotFittedTo() throws Exception {
            assertThat(suggest(site))
                    .contains("# The limits apply to crawlers too, but are not fitted to them: AhrefsBot (4000 calls), "
                            + "Googlebot (4000 calls).\n")
                    .contains("# The limits are not fitted to 15 addresses, which mostly requested paths that do not"
                            + " exist.\n")
                    .containsPattern("# Static files have no limit: \\d+ calls for css, js, svg, webp, woff2\\.\n")
                    .doesNotContain("archive", "php", "assets", "images");
        }

        @Test
        void refusesWhoStandsOutAndNamesCrawlers() throws Exception {
            List<String> refused = all("it refuses (\\d+ calls .*|nobody)", suggest(site));
            assertThat(refused).filteredOn("nobody"::equals).hasSize(8);
            assertThat(refused)
                    .anySatisfy(who -> assertThat(who)
                            .contains("of 2 callers: ip=" + SiteLog.PRICE_READER + ", ip=54.36.148.7 (AhrefsBot)"));
        }

        @Test
        void beginsAsADryRun() throws Exception {
            assertThat(suggest(site))
                    .contains(". Review them; each is a dry run until you remove its mode.\n")
                    .satisfies(
                            text -> assertThat(all("( mode: dry-run)\n", text)).hasSize(9));
        }

        @Test
        void aPathWithASingleCallerGetsNoLimit() throws Exception {
            Path log = directory.resolve("probed.log");
            Files.writeString(log, Files.readString(Path.of(site)));
            String probe =
                    "10.0.0.1 - - [02/Mar/2026:20:06:02 +0000] \"GET /health HTTP/1.1\" 200 2 \"-\" \"kube-probe\"\n";
            Files.writeString(log, probe.repeat(900), StandardOpenOption.APPEND);
            assertThat(suggest(log.toString()))
                    .contains("pathPattern: /search", "# Other paths have no limit: 900 calls.\n")
                    .doesNotContain("/health");
            assertThat(Invocation.of(
                                    "rehearse",
                                    Files.writeString(directory.resolve("p.log"), probe.repeat(900))
                                            .toString(),
                                    "--suggest")
                            .err())
                    .contains("no path in the logs has enough calls of more than one caller to suggest a limit for it");
        }

        @Test
        void reportsOnTheLogOnly() {
            Path file = directory.resolve("reported.yml");
            Invocation run = Invocation.of("rehearse", LOG, "--suggest", file.toString());
            assertThat(run.err()).isEqualToIgnoringNewLines("Written to " + file);
            assertThat(run.out().lines())
                    .containsExactly(
                            LOG + ": combined log format",
                            "8482 calls from 2026-03-02T00:04:48Z to 2026-03-04T23:13:57Z (2d 23h), in 8490 lines",
                            "8 lines have no request");
            assertThat(Invocation.of("rehearse", LOG, "--suggest", "a.yml", "--html")
                            .err())
                    .contains("--html and --json report on a limits FILE; name one");
        }

        @Test
        void findsThoseWhoStandOut() {
            Invocation run = Invocation.of("rehearse", LOG, "--suggest");
            assertThat(run.out())
                    .startsWith("# Suggested by sluice rehearse, from 8482 calls")
                    .contains("of 1 caller: ip=192.0.2.66", "ip=192.0.2.200")
                    .contains("pathPattern: \"/product/{id}\"", "algorithm: token-bucket, burst:");
        }

        @Test
        void whatItWritesRefusesWhatItSays() throws Exception {
            Matcher said = SAID.matcher(suggest(LOG));
            JsonNode report = new ObjectMapper()
                    .readTree(Invocation.of(
                                    "rehearse",
                                    directory.resolve("suggested.yml").toString(),
                                    LOG,
                                    "--json")
                            .out());
            int endpoints = 0;
            long refused = 0;
            for (; said.find(); endpoints++) {
                JsonNode endpoint = report.get("endpoints").get(endpoints);
                assertThat(endpoint.get("id").asText()).isEqualTo(said.group(4));
                long calls = said.group(2) == null ? 0 : Long.parseLong(said.group(2));
                long callers = said.group(3) == null ? 0 : Long.parseLong(said.group(3));
                assertThat(endpoint.get("calls").get("refused").asLong()).isEqualTo(calls);
                assertThat(endpoint.get("clients").get("refused").asLong()).isEqualTo(callers);
                refused += calls;
            }
            assertThat(endpoints).isEqualTo(report.get("endpoints").size()).isBetween(6, 12);
            assertThat(refused).isEqualTo(report.get("refused").asLong()).isPositive();
        }

        @Test
        void aLogIsNeeded() {
            assertThat(Invocation.of("rehearse", "limits.yml", "--suggest").err())
                    .contains("Missing required parameter: 'LOG'");
            assertThat(Invocation.of("rehearse", LOG).err()).contains("Missing required parameter: 'LOG'");
            assertThat(Invocation.of("rehearse", LOG, LIMITS).err())
                    .contains("FILE comes before LOG; write: sluice rehearse " + LIMITS + " " + LOG);
        }
    }

    @Nested
    class WithAFile {

        /** Only figures change, and comments are added. */
        @Test
        void itsThresholdsAreFittedAndAllElseStays() throws Exception {
            Path file = Files.writeString(directory.resolve("own.yml"), """
                # Limits of the shop
                regionShare: 0.5
                endpoints:
                  # what visitors read
                  - id: products
                    pathPattern: /product/*
                    per: [ ip ]
                    tiers:
                      - { period: 10s, threshold: 20000 }   # at once
                      - { threshold: "${MOST:400}", period: 1h }
                      - { threshold: 9, algorithm: concurrency }
                  - { id: login, methods: [ POST ], pathPattern: /login, per: [ ip ], count: { status: [ 401 ] },
                      tiers: [ { period: 15m, threshold: 600, algorithm: token-bucket } ] }
                  - id: never
                    pathPattern: /never
                    tiers: [ { period: 1m, threshold: 7 } ]
                """);
            String suggested = suggest(file.toString(), site);
            assertThat(suggested.replaceAll("(?m)^ *# (?!Limits|what).*\\n", ""))
                    .isEqualTo(Files.readString(file)
                            .replace("threshold: 20000", "threshold: 10")
                            .replace("threshold: 600", "threshold: 20"));
            assertThat(suggested)
                    .contains("  # These logs contain no calls to it, so nothing is changed.\n")
                    .contains("  # In these logs, it refuses nobody.\n")
                    .containsPattern("  # \\d+ calls of \\d+ callers, and all but \\d+ of them never exceeded \\d+ in "
                            + "10s; the maximum was 30\\.\n")
                    .containsPattern("of \\d+ callers: ip=" + SiteLog.PRICE_READER)
                    .containsPattern(
                            "# No endpoint matches \\d+ calls, most of them GET /search \\(\\d+\\), GET / \\(300\\)");
        }

        /** One quiet day says little about what customers may do on another. */
        @Test
        void aShortOrQuietLogLowersNoThresholdByMuch() throws Exception {
            Path file = Files.writeString(directory.resolve("orders.yml"), """
                endpoints:
                  - id: orders
                    methods: [ POST ]
                    pathPattern: /orders
                    per: [ ip ]
                    tiers: [ { period: 1m, threshold: 10 }, { period: day, threshold: 100 } ]
                  - id: cart
                    methods: [ POST ]
                    pathPattern: /cart
                    per: [ ip ]
                    tiers: [ { period: 1m, threshold: 3 }, { period: 1s, threshold: 90, algorithm: token-bucket } ]
                """);
            String suggested = suggest(file.toString(), site);
            assertThat(all("threshold: (\\d+)", suggested)).containsExactly("10", "100", "3", "5");
            assertThat(suggested)
                    .contains(" in a day; the maximum was ", "# The logs are too short to lower this threshold.\n")
                    .contains(" in 1s; the maximum was ");
        }

        @Test
        void tiersThatShareANumberAreFittedOnce() throws Exception {
            Path file = Files.writeString(directory.resolve("shared.yml"), """
                endpoints:
                  - { id: a, pathPattern: /product/*, per: [ ip ], tiers: &usual [ { period: 1m, threshold: 77 } ] }
                  - { id: b, pathPattern: /search, per: [ ip ], tiers: *usual }
                """);
            assertThat(all("threshold: (\\d+)", suggest(file.toString(), site)))
                    .singleElement()
                    .isNotEqualTo("77");
        }
    }

    @Test
    void standardInputIsThereOnce() {
        assertThat(Invocation.of("rehearse", LIMITS, "-", "--suggest").err())
                .contains("--suggest reads the logs several times, but standard input can be read only once");
    }
}
