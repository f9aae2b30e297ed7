package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Endpoint;
import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.Limits.PendingCalls;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsFileTest {

    private static List<String> sources(LimitsFile file, String subject) {
        return file.limits().subjects().get(subject).stream()
                .map(SubjectSource::name)
                .toList();
    }

    private static Endpoint only(LimitsFile file) {
        assertThat(file.limits().endpoints()).hasSize(1);
        return file.limits().endpoints().get(0);
    }

    @Nested
    class ABareList {

        private final LimitsFile file = new GivenFile("""
            - id: get-product
              enabled: true
              methods: [ 'GET' ]
              pathPattern: /product/*
              tiers:
                - period: 10          # seconds, or 10s, 5m, 1h, 1d, PT10S
                  threshold: 1000
            """).load();

        @Test
        void isReadAsItStands() {
            Tier tier = new Tier("10s", new Limit.FixedWindow(1000, Duration.ofSeconds(10)));
            assertThat(only(file))
                    .isEqualTo(new Endpoint(
                            "get-product",
                            Set.of("GET"),
                            "/product/*",
                            List.of("tenant"),
                            Mode.ENFORCE,
                            List.of(tier)));
            assertThat(file.warnings()).isEmpty();
        }

        @Test
        void hasAllDefaults() {
            assertThat(sources(file, "tenant")).containsExactly("header:X-Org-Id", "ip");
            assertThat(file.limits().caseSensitive()).isTrue();
            assertThat(file.limits().maximumCounters()).isEqualTo(100_000);
            assertThat(file.limits().pendingCalls()).isEqualTo(PendingCalls.DEFAULT);
            assertThat(file.limits().responses()).isEqualTo(ResponseOptions.DEFAULT);
            assertThat(file.intervals().reload()).isEqualTo(Duration.ofSeconds(5));
        }

        @Test
        void namesKeysAsIfTheyStoodUnderEndpoints() {
            assertThat(new GivenFile("- id: a").problems())
                    .allSatisfy(problem -> assertThat(problem).startsWith("1:3 endpoints[0]: "));
        }
    }

    @Nested
    class TheFullForm {

        private final LimitsFile file = new GivenFile("""
            mode: dry-run
            headers: { style: both, reset: epoch, inDryRun: true }
            reject: { status: 503, retryAfterJitter: 3s }
            subjects:
              user: [ principal, "cookie:visitor" ]
              organisation: [ "path:org" ]
            caseSensitive: false
            maximumCounters: 5000
            pendingCalls: { queued: 3, waiting: 7, awaitingOutcomes: 11 }
            reload: 1m
            endpoints:
              - id: organisation
                methods: [ POST, PUT ]
                pathPattern: "/orgs/{org}/**"
                per: [ organisation, user, "header:X-Api-Key", server ]
                mode: enforce
                tiers:
                  - { period: 500ms, threshold: 2 }
                  - { period: PT1H, threshold: 100, algorithm: fixed-window }
              - { id: asleep, enabled: false, pathPattern: /, tiers: [ { period: 1d, threshold: 1 } ] }
            """).load();

        @Test
        void isReadAsItStands() {
            Endpoint endpoint = only(file);
            assertThat(endpoint.methods()).containsExactlyInAnyOrder("POST", "PUT");
            assertThat(endpoint.per()).containsExactly("organisation", "user", "header:X-Api-Key", "server");
            assertThat(endpoint.tiers())
                    .containsExactly(
                            new Tier("500ms", new Limit.FixedWindow(2, Duration.ofMillis(500))),
                            new Tier("1h", new Limit.FixedWindow(100, Duration.ofHours(1))));
            assertThat(file.limits().responses())
                    .isEqualTo(new ResponseOptions(
                            ResponseOptions.Headers.BOTH,
                            ResponseOptions.Reset.EPOCH,
                            true,
                            503,
                            503,
                            Duration.ofSeconds(3),
                            null));
            assertThat(file.limits().caseSensitive()).isFalse();
            assertThat(file.limits().maximumCounters()).isEqualTo(5000);
            assertThat(file.limits().pendingCalls()).isEqualTo(new PendingCalls(3, 7, 11));
            assertThat(file.intervals().reload()).isEqualTo(Duration.ofMinutes(1));
        }

        @Test
        void letsAnEndpointHaveAnotherModeThanTheFile() {
            assertThat(only(file).mode()).isEqualTo(Mode.ENFORCE);
            assertThat(only(GivenFile.with("mode: dry-run").load()).mode()).isEqualTo(Mode.DRY_RUN);
        }

        @Test
        void knowsTheSubjectsThatItNamesAndTheSourcesThatStandInPer() {
            assertThat(sources(file, "organisation")).containsExactly("path:org");
            assertThat(sources(file, "user")).containsExactly("principal", "cookie:visitor");
            assertThat(sources(file, "header:X-Api-Key")).containsExactly("header:X-Api-Key");
            assertThat(sources(file, "server")).containsExactly("server");
            assertThat(file.limits().subjects()).containsKey("tenant");
        }

        @Test
        void checksDisabledEndpointsToo() {
            assertThat(GivenFile.withEndpoint("enabled: false\n  methods: [ get ]")
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("write GET [SL-122]");
        }

        @Test
        void mayCountAllCallersTogether() {
            assertThat(only(GivenFile.withEndpoint("per: []").load()).per()).isEmpty();
        }

        @Test
        void mayNameRegisteredResolvers() {
            GivenFile file = GivenFile.with("subjects: { tenant: [ customer, ip ] }");
            assertThat(sources(file.load("customer"), "tenant")).containsExactly("customer", "ip");
            assertThat(only(GivenFile.withEndpoint("per: [ customer ]").load("customer"))
                            .per())
                    .containsExactly("customer");
        }
    }

    @Nested
    class Durations {

        @ParameterizedTest
        @CsvSource({
            "10, 10s",
            "10s, 10s",
            "60, 1m",
            "90s, 90s",
            "5m, 5m",
            "3600s, 1h",
            "24h, 1d",
            "48h, 2d",
            "500ms, 500ms",
            "1000ms, 1s",
            "PT10S, 10s",
            "PT1M30S, 90s",
            "P1D, 1d",
            "1500ms, 1500ms",
            "\"10\", 10s"
        })
        void nameTiersInTheirShortestForm(String written, String name) {
            LimitsFile file = GivenFile.withTiers("{ period: " + written + ", threshold: 1 }")
                    .load();
            assertThat(only(file).tiers()).extracting(Tier::name).containsExactly(name);
        }

        @ParameterizedTest
        @CsvSource({
            "10 mins, 10m",
            "10 seconds, 10s",
            "3 hours, 3h",
            "2days, 2d",
            "5 millis, 5ms",
            "'5 s', 5s",
            "1h30m, 90m",
            "1m30s, 90s",
            "'1h 30m', 90m",
            "1m30, '10s, 5m, 1h or 1d'",
            "soon, '10s, 5m, 1h or 1d'",
            "PT, '10s, 5m, 1h or 1d'",
            "10S, 10s"
        })
        void areGuessedFromInvalidTexts(String written, String guess) {
            assertThat(GivenFile.withTiers("{ period: " + written + ", threshold: 1 }")
                            .problems())
                    .containsExactly("1:66 endpoints[0].tiers[0].period: \"" + written + "\" is not a duration; write "
                            + guess + " [SL-104]");
        }

        @Test
        void mayBeTooLongForAnyNumber() {
            assertThat(GivenFile.withTiers("{ period: 999999999999999999d, threshold: 1 }")
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("is out of range; write a duration from 1ms to 366d");
        }
    }

    @Nested
    class YamlsOldHabits {

        @ParameterizedTest
        @CsvSource({"off, OFF", "'\"off\"', OFF", "enforce, ENFORCE"})
        void doNotTurnWordsIntoTruths(String written, Mode mode) {
            assertThat(only(GivenFile.with("mode: " + written).load()).mode()).isEqualTo(mode);
            assertThat(only(GivenFile.withEndpoint("mode: " + written).load()).mode())
                    .isEqualTo(mode);
        }

        @ParameterizedTest
        @ValueSource(strings = {"off", "on", "yes", "no", "y", "1:30:00", "2024-01-01", "1_0", "="})
        void doNotTurnIdsIntoAnythingElse(String id) {
            List<String> problems = new GivenFile(
                            "[ { id: " + id + ", pathPattern: /, tiers: [ { period: 1, threshold: 1 } ] } ]")
                    .problems();
            assertThat(problems).allSatisfy(problem -> assertThat(problem).contains("[SL-120]"));
        }

        @ParameterizedTest
        @CsvSource({"yes, true", "on, true", "no, false", "OFF, false", "True, true", "1, true"})
        void areAnsweredWithWhatToWrite(String written, String meant) {
            assertThat(GivenFile.withEndpoint("enabled: " + written).problems())
                    .containsExactly("4:12 endpoints[0].enabled: \"" + written + "\" is neither true nor false; write "
                            + meant + " [SL-105]");
        }

        @Test
        void letAliasesStandForWholeValues() {
            LimitsFile file = new GivenFile("""
                - { id: a, pathPattern: /a, tiers: &usual [ { period: 10s, threshold: 5 } ] }
                - { id: b, pathPattern: /b, tiers: *usual }
                """).load();
            assertThat(file.limits().endpoints()).hasSize(2);
            assertThat(file.limits().endpoints().get(0).tiers())
                    .isEqualTo(file.limits().endpoints().get(1).tiers());
        }
    }

    @Nested
    class AVariable {

        @Test
        void standsAnywhereAValueStands() {
            GivenFile file = new GivenFile("""
                mode: ${MODE}
                headers: { inDryRun: "${IN_DRY_RUN}" }
                endpoints:
                  - id: get-${NOUN}
                    methods: [ "${METHOD:GET}" ]
                    pathPattern: ${ROOT:/}${NOUN}/*
                    tiers: [ { period: "${PERIOD}", threshold: "${THRESHOLD}" } ]
                """);
            LimitsFile loaded = file.loadWith(
                    Map.of("MODE", "off", "IN_DRY_RUN", "true", "NOUN", "product", "PERIOD", "1m", "THRESHOLD", "7"));
            Endpoint endpoint = only(loaded);
            assertThat(endpoint.id()).isEqualTo("get-product");
            assertThat(endpoint.pathPatterns()).containsExactly("/product/*");
            assertThat(endpoint.methods()).containsExactly("GET");
            assertThat(endpoint.mode()).isEqualTo(Mode.OFF);
            assertThat(endpoint.tiers())
                    .containsExactly(new Tier("1m", new Limit.FixedWindow(7, Duration.ofMinutes(1))));
            assertThat(loaded.limits().responses().inDryRun()).isTrue();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "mode: ${SECRET}",
                    "reload: ${SECRET}",
                    "maximumCounters: ${SECRET}",
                    "caseSensitive: ${SECRET}",
                    "store: ${SECRET}",
                    "store: { uri: \"${SECRET}\" }",
                    "subjects: { tenant: [ \"${SECRET}\" ] }",
                    "subjects: { tenant: [ \"x${SECRET}:y\" ] }",
                    "endpoints: [ { id: \"${SECRET} \", methods: [ \"${SECRET}\" ], pathPattern: \"${SECRET}\", per: "
                            + "[ \"${SECRET}\" ], tiers: [] } ]",
                    "endpoints: [ { id: a, pathPattern: /, per: [ \"${SECRET}:x\" ], tiers: [ { period: "
                            + "\"${SECRET}\", threshold: \"${SECRET}\" } ] } ]",
                    "endpoints: [ { id: a, pathPattern: \"/${SECRET}/**x\", tiers: [ \"${SECRET}\" ] } ]"
                })
        void keepsItsValueToItself(String text) {
            String secret = "hunter2 of 17";
            assertThat(new GivenFile(text).problemsWith(Map.of("SECRET", secret)))
                    .isNotEmpty()
                    .allSatisfy(problem ->
                            assertThat(problem).doesNotContain("hunter2").doesNotContain("of 17"));
        }
    }

    @Nested
    class Secrets {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "store: redis://:hunter2@cache:6379",
                    "store: { uri: \"redis://user:hunter2@cache:6379/0\" }",
                    "store: { uri: \"reddis://user:hunter2@cache:6379/0\" }",
                    "store: { uri: \"hunter2\" }",
                    "store: { uri: [ \"redis://user:hunter2@cache:6379/0\" ] }",
                    "stroe: { uri: \"redis://user:hunter2@cache:6379/0\" }",
                    "mode: \"redis://user:hun/ter2@hunter2@cache\"",
                    "store: { uri: !hunter2 x }",
                    "store: { uri: *hunter2 }",
                    "store: { uri: \"hunter2 }",
                    "store: { uri: hunter2: x }"
                })
        void areNotRepeatedInMessages(String text) {
            assertThat(new GivenFile(text).problems())
                    .isNotEmpty()
                    .allSatisfy(problem ->
                            assertThat(problem).doesNotContain("hunter2").doesNotContain("ter2"));
        }
    }

    @Nested
    class Tiers {

        private final List<String> none = List.of();

        private List<String> of(String... tiers) {
            return GivenFile.withTiers(tiers).problems().stream()
                    .map(problem ->
                            problem.replaceFirst("^1:\\d+ endpoints\\[0]\\.(tiers\\[\\d]).*\\[(SL-\\d+)]$", "$1 $2"))
                    .toList();
        }

        private String tier(String period, long threshold) {
            return "{ period: " + period + ", threshold: " + threshold + " }";
        }

        @Test
        void areIdleIfShorterOnesLetNoMorePass() {
            assertThat(of(tier("10s", 1000), tier("1m", 6000))).containsExactly("tiers[1] SL-152");
            assertThat(of(tier("10s", 1000), tier("1m", 6001))).containsExactly("tiers[1] SL-152");
            assertThat(of(tier("10s", 1000), tier("1m", 5999))).isEqualTo(none);
            assertThat(of(tier("1m", 6000), tier("10s", 1000))).containsExactly("tiers[0] SL-152");
        }

        @Test
        void areIdleIfLongerOnesLetNoMorePass() {
            assertThat(of(tier("10s", 100), tier("1m", 100))).containsExactly("tiers[0] SL-152");
            assertThat(of(tier("10s", 99), tier("1m", 100))).isEqualTo(none);
        }

        @Test
        void areJudgedByAllWindowsTheyTouchWherePeriodsDoNotDivide() {
            assertThat(of(tier("7s", 100), tier("10s", 300))).containsExactly("tiers[1] SL-152");
            assertThat(of(tier("7s", 100), tier("10s", 299))).isEqualTo(none);
            assertThat(of(tier("7s", 199), tier("10s", 100))).isEqualTo(none);
            assertThat(of(tier("7s", 200), tier("10s", 100))).containsExactly("tiers[0] SL-152");
        }

        @Test
        void areEachReportedOnce() {
            assertThat(of(tier("1s", 1), tier("1m", 60), tier("1h", 3600)))
                    .containsExactly("tiers[1] SL-152", "tiers[2] SL-152");
        }

        @Test
        void doNotOverflow() {
            assertThat(of(tier("1ms", 1_000_000_000_000L), tier("366d", 1_000_000_000_000L)))
                    .containsExactly("tiers[0] SL-152");
        }
    }

    @Nested
    class Twins {

        @Test
        void areReportedIfBothAreEnabled() {
            String twin = GivenFile.SMALLEST.replace("get-product", "read-product");
            assertThat(new GivenFile(GivenFile.SMALLEST + twin).problems())
                    .containsExactly(
                            "4:3 endpoints[1]: this endpoint is identical to get-product in line 1 except for its "
                                    + "id; keep one of the two [SL-151]");
            assertThat(new GivenFile(GivenFile.SMALLEST + twin + "  enabled: false\n").problems())
                    .isEmpty();
            assertThat(new GivenFile(GivenFile.SMALLEST + twin + "  mode: dry-run\n").problems())
                    .isEmpty();
        }
    }

    @Nested
    class Failing {

        @Test
        void tellsAllProblemsInTheOrderOfTheFile() {
            GivenFile file = new GivenFile("""
                endpoints:
                  - id: a b
                    pathPattern: a
                    tiers: [ { period: x, threshold: x } ]
                mode: x
                """);
            assertThatThrownBy(file::load).isInstanceOfSatisfying(LimitsException.class, e -> {
                assertThat(e.problems()).extracting(Problem::line).containsExactly(2, 3, 4, 4, 5);
                assertThat(e.getMessage().lines()).hasSize(5).allMatch(line -> line.startsWith("limits.yml:"));
            });
        }

        @Test
        void showsTheFirstHundredOfMany() {
            assertThatThrownBy(() -> new GivenFile("- {}\n".repeat(200)).load())
                    .isInstanceOfSatisfying(LimitsException.class, e -> {
                        assertThat(e.problems()).hasSize(101);
                        assertThat(e.problems().get(99).line()).isEqualTo(34);
                        assertThat(e.problems().get(100))
                                .hasToString("limits.yml: and 500 more; correct these first [SL-199]");
                    });
        }

        @Test
        void countsFarMoreThanItKeeps() {
            assertThat(new GivenFile("- {}\n".repeat(20_000)).problems())
                    .hasSize(101)
                    .last()
                    .isEqualTo("and 59900 more; correct these first [SL-199]");
        }

        @Test
        void doesNotRefuseAFileForManyWarnings() {
            StringBuilder twins = new StringBuilder();
            for (int i = 0; i < 150; i++) {
                twins.append(GivenFile.SMALLEST.replace("get-product", "product-" + i));
            }
            assertThat(new GivenFile(twins.toString()).load().warnings())
                    .hasSize(101)
                    .last()
                    .hasToString("warning: limits.yml: and 49 more; correct these first [SL-198]");
        }

        @Test
        void marksWarningsAsSuch() {
            GivenFile file = new GivenFile("""
                - id: get-product
                  pathPattern: /product/*
                  methods: [ GTE ]
                  tiers: [ { period: 1s, threshold: 0 } ]
                """);
            assertThatThrownBy(file::load)
                    .isInstanceOfSatisfying(
                            LimitsException.class,
                            e -> assertThat(e.getMessage().lines())
                                    .anyMatch(line -> line.startsWith("warning: limits.yml:3:"))
                                    .anyMatch(line -> line.startsWith("limits.yml:4:")));
        }
    }

    @Nested
    class TheSampleThatUsersCopy {

        private final LimitsFile file = LimitsReader.read(ConfigLocation.source("rate-limits.yml"), Set.of());

        @Test
        void loadsWithoutAWarning() {
            assertThat(file.warnings()).isEmpty();
            assertThat(file.name()).isEqualTo("rate-limits.yml");
        }

        @Test
        void holdsTheEndpointsThatThePagesSpeakOf() {
            assertThat(file.limits().endpoints())
                    .filteredOn(endpoint -> endpoint.id().equals("get-product"))
                    .singleElement()
                    .satisfies(endpoint -> {
                        assertThat(endpoint.methods()).containsExactly("GET");
                        assertThat(endpoint.pathPatterns()).containsExactly("/product/*");
                        assertThat(endpoint.tiers())
                                .containsExactly(new Tier("10s", new Limit.FixedWindow(1000, Duration.ofSeconds(10))));
                    });
            assertThat(file.limits().endpoints())
                    .filteredOn(endpoint -> endpoint.id().equals("login"))
                    .singleElement()
                    .satisfies(endpoint -> assertThat(endpoint.per()).containsExactly("ip"));
        }
    }

    @Nested
    class CountingTogether {

        private Sync sync(String sync, String ofTier) {
            LimitsFile file = new GivenFile(sync + """

                endpoints:
                  - id: e
                    pathPattern: /a
                    tiers: [ { period: 10s, threshold: 1000%s } ]
                """.formatted(ofTier.isEmpty() ? "" : ", sync: " + ofTier)).load();
            return only(file).tiers().get(0).sync();
        }

        @Test
        void hasDefaults() {
            LimitsFile file = new GivenFile(GivenFile.SMALLEST).load();

            assertThat(file.store().uri()).isEqualTo("memory:");
            assertThat(file.limits().sharing()).isEqualTo(SharingOptions.DEFAULT);
            assertThat(sync("", "")).isEqualTo(new Sync(Duration.ofSeconds(1), 0.01, false));
        }

        @Test
        void isSaidForTheFileOrForATier() {
            assertThat(sync("sync: { every: 200ms, slack: 2.5% }", ""))
                    .isEqualTo(new Sync(Duration.ofMillis(200), 0.025, false));
            assertThat(sync("sync: { every: 200ms, slack: 0 }", "1s"))
                    .isEqualTo(new Sync(Duration.ofSeconds(1), 0, false));
            assertThat(sync("sync: { every: 200ms, slack: 2% }", "{ slack: 0 }"))
                    .isEqualTo(new Sync(Duration.ofMillis(200), 0, false));
            assertThat(sync("sync: { every: 200ms }", "strict")).isEqualTo(new Sync(Duration.ofMillis(200), 0, true));
        }

        /** An exchange with MongoDB takes two round trips or more, and waits for the majority. */
        @Test
        void letsCallsWaitLongerForMongo() {
            for (String uri : List.of("mongodb://db/shop", "MongoDB+srv://db.example.org")) {
                assertThat(sharing("store: { uri: \"" + uri + "\" }").timeout()).isEqualTo(Duration.ofMillis(250));
                assertThat(sharing("store: { uri: \"" + uri + "\" }\nsync: { timeout: 20ms }")
                                .timeout())
                        .isEqualTo(Duration.ofMillis(20));
            }
            assertThat(sharing("store: { uri: \"redis://db\" }")).isEqualTo(SharingOptions.DEFAULT);
        }

        private static SharingOptions sharing(String keys) {
            return new GivenFile(keys
                            + "\nendpoints: [ { id: e, pathPattern: /a, tiers: [ { period: 10s, threshold: "
                            + "1000 } ] } ]")
                    .load()
                    .limits()
                    .sharing();
        }

        @Test
        void takesAStoreAndWhatToDoWithoutIt() {
            LimitsFile file = new GivenFile("""
                store: { uri: "redis://:secret@cache:6379/2", onFailure: deny, instances: 3 }
                sync: { timeout: 20ms }
                endpoints: [ { id: e, pathPattern: /a, tiers: [ { period: 10s, threshold: 1000 } ] } ]
                """).load();

            assertThat(file.store().uri()).isEqualTo("redis://:secret@cache:6379/2");
            assertThat(file.limits().sharing())
                    .isEqualTo(new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofMillis(20), 3));
        }
    }
}
