package dev.sluice.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of the Bucket4j starter for Spring Boot. */
class Bucket4jImportTest {

    private static final TestCall ANN = Imported.get("/x", "principal", "ann");
    private static final TestCall BOB = Imported.get("/x", "principal", "bob");
    private static final String FIVE = "bandwidths: [ { capacity: 5, time: 10, unit: seconds } ]";

    @TempDir
    private Path directory;

    /** A filter with the limits that are given. */
    private static String filter(String url, String... limits) {
        return "bucket4j:\n  filters:\n    - url: '" + url + "'\n      rate-limits:\n"
                + String.join(
                        "",
                        Arrays.stream(limits)
                                .map(limit -> "        - {" + limit + "}\n")
                                .toList());
    }

    private Imported imported(String text) {
        return Imported.of(directory, text);
    }

    @Test
    void greedyTokensComeOneByOne() {
        Imported imported =
                imported(filter(".*", "bandwidths: [ { capacity: 6, refill-capacity: 2, time: 10, unit: seconds } ]"));
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(6);
        imported.clock().advance(Duration.ofSeconds(5));
        assertThat(imported.passed(Imported.get("/y").from("198.51.100.1"), 9)).isEqualTo(1);
    }

    @Test
    void intervalTokensComeAllAtOnce() {
        Imported imported = imported(
                filter(".*", "bandwidths: [ { capacity: 6, time: 10, unit: seconds, refill-speed: interval } ]"));
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(6);
        imported.clock().advance(Duration.ofSeconds(9));
        assertThat(imported.passed(Imported.get("/x"), 9)).isZero();
        imported.clock().advance(Duration.ofSeconds(1));
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(6);
        assertThat(imported.told()).contains("different: tokens that are added all at once become a fixed window");
    }

    @Test
    void anUnknownSettingIsNamedAsItIsWritten() {
        String bandwidth = "{ capacity: 6, time: 10, unit: seconds, refill-jitter: 1 }";
        Imported imported = imported(filter(".*", "maxTokens: 3, bandwidths: [ " + bandwidth + " ]")
                .replace("rate-limits:", "filterKind: zuul\n      rate-limits:"));
        assertThat(imported.told())
                .contains("the setting \"filterKind\" is unknown here")
                .contains("the setting \"refill-jitter\" is unknown here")
                .contains("the setting \"maxTokens\" is unknown here");
    }

    /** In a pattern, {@code {x}} would be a variable, which limits nearly all paths. */
    @ParameterizedTest
    @ValueSource(strings = {"/\\{x\\}/.*", "/a\\;b/.*", "/my%20files/.*", "/x\\?.*", "/.*/\\{x\\}", "/x#y/.*"})
    void aCharacterThatPatternsReadOtherwiseIsNotImported(String url) {
        Invocation run = Imported.run(directory, filter(url, FIVE));
        assertThat(run.out()).doesNotContain("pathPattern");
        assertThat(run.err()).contains("no pattern can match the same paths; write one by hand");
    }

    /** Before {@code cache-key}, the starter had {@code filter-key-type} and {@code expression}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        filter-key-type: ip                                                 | per: [ ip ]
        filter-key-type: IP, expression: "getHeader('X-Api-Key')"           | per: [ ip ]
        filter-key-type: default                                            | per: []
        filter-key-type: expression, expression: "getHeader('X-Api-Key')"   | per: [ "header:X-Api-Key" ]
        expression: "getHeader('X-Api-Key')"                                | per: [ "header:X-Api-Key" ]
        expression: getRemoteAddr(), cache-key: "getHeader('X-Api-Key')"    | per: [ "header:X-Api-Key" ]
        """)
    void keysOfOldVersionsAreRead(String setting, String per) {
        Imported imported = imported(filter(".*", setting + ", " + FIVE));
        assertThat(imported.yaml()).contains(per + "\n").doesNotContain("dry-run");
        assertThat(imported.told()).doesNotContain("is unknown");
    }

    @Test
    void namesAnOldExpressionThatItDoesNotUnderstand() {
        Invocation run = Imported.run(
                directory, filter(".*", "filter-key-type: expression, expression: '@users.name()', " + FIVE));
        assertThat(run.exitCode()).isEqualTo(8);
        assertThat(run.err()).contains("not imported: expression \"@users.name()\": it calls an application bean");
    }

    @ParameterizedTest
    @CsvSource({
        "10, seconds, '{ period: 10s, threshold: 6 }'",
        "1, minutes, '{ period: 1m, threshold: 6 }'",
        "0, seconds, '{ period: 10s, threshold: 6, algorithm: token-bucket }'",
        "2, seconds, '{ period: 10s, threshold: 6, algorithm: token-bucket }'",
        "500, millis, '{ period: 10s, threshold: 6, algorithm: token-bucket }'"
    })
    void intervalsOfOldVersionsAreRead(long interval, String unit, String tier) {
        String bandwidth = "{ capacity: 6, time: 10, unit: seconds, fixed-refill-interval: " + interval
                + ", fixed-refill-interval-unit: " + unit + " }";
        Imported imported = imported(filter(".*", "bandwidths: [ " + bandwidth + " ]"));
        assertThat(imported.yaml()).contains("- " + tier + "\n").doesNotContain("dry-run");
        assertThat(imported.told().contains("tokens were added in steps"))
                .isEqualTo(tier.contains("token-bucket") && interval > 0);
    }

    @Test
    void theSecondConditionForThePathIsNamed() {
        Imported imported = imported(filter("/api/.*", "execute-predicates: [ 'PATH=/api/v1/{id}' ], " + FIVE));
        assertThat(imported.told())
                .contains("two conditions for the path; the endpoint has only the first, not \"/api/v1/{id}\"");
    }

    @Test
    void allBandwidthsApply() {
        Imported imported = imported(filter(
                ".*",
                "bandwidths: [ { capacity: 9, time: 1, unit: hours }, { capacity: 4, time: 1, unit: seconds } ]"));
        assertThat(imported.passed(Imported.get("/x"), 20)).isEqualTo(4);
        imported.clock().advance(Duration.ofSeconds(2));
        assertThat(imported.passed(Imported.get("/x"), 20)).isEqualTo(4);
        imported.clock().advance(Duration.ofSeconds(2));
        assertThat(imported.passed(Imported.get("/x"), 20)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "getRemoteAddr()                                | ip",
                "getHeader('X-Api-Key')                         | \"header:X-Api-Key\"",
                "getHeader(\"X-Api-Key\")                       | \"header:X-Api-Key\"",
                "getUserPrincipal()?.getName()                  | principal",
                "getUserPrincipal().name                        | principal",
                "getRemoteUser()                                | principal",
                "getSession().getId()                           | session",
                "getParameter('org')                            | \"query:org\"",
                "getAttribute('plan').toString()                | \"attribute:plan\"",
                "getHeader('A') + '-' + getRemoteAddr()         | \"header:A\", ip",
                "'all'                                          | ",
                "1                                              | "
            })
    void commonCacheKeysBecomeSources(String expression, String per) {
        Imported imported = imported(filter(".*", "cache-key: \"" + expression.replace("\"", "\\\"") + "\", " + FIVE));
        assertThat(imported.yaml())
                .contains(per == null ? "per: []\n" : "per: [ " + per + " ]\n")
                .doesNotContain("dry-run");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "getHeader('A') ?: getRemoteAddr()",
                "getHeader('A') != null ? getHeader('A') : getRemoteAddr()",
                "getHeader('A') == null ? getRemoteAddr() : getHeader('A')"
            })
    void fallbacksBecomeChains(String expression) {
        Imported imported = imported(filter(".*", "cache-key: \"" + expression + "\", " + FIVE));
        assertThat(imported.yaml()).contains("caller: [ \"header:A\", ip ]");
        assertThat(imported.passed(Imported.get("/x", "A", "one"), 9)).isEqualTo(5);
        assertThat(imported.passed(Imported.get("/x", "A", "two"), 9)).isEqualTo(5);
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"@users.name()", "getRequestURI()", "getHeader('A').substring(1)", "T(java.lang.Runtime)", "("})
    void otherCacheKeysAreNotImported(String expression) {
        Invocation run = Imported.run(directory, filter(".*", "cache-key: \"" + expression + "\", " + FIVE));
        assertThat(run.exitCode()).isEqualTo(8);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(":5:12 bucket4j.filters[0].rate-limits[0].cache-key: not imported: cache-key");
    }

    @Test
    void usersHaveAnotherLimitThanGuests() {
        Imported imported = imported(filter(
                ".*",
                "execute-condition: getUserPrincipal() == null, cache-key: getRemoteAddr(), " + FIVE,
                "cache-key: getUserPrincipal().getName(), bandwidths: [ { capacity: 8, time: 1, unit: minutes } ]"));
        assertThat(imported.yaml()).doesNotContain("dry-run");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(5);
        assertThat(imported.passed(ANN, 9)).isEqualTo(8);
        assertThat(imported.passed(BOB, 9)).isEqualTo(8);
    }

    @Test
    void aSkippedCallerIsNotLimited() {
        Imported imported = imported(filter(".*", "skip-condition: getHeader('X-Internal') != null, " + FIVE));
        assertThat(imported.passed(Imported.get("/x", "X-Internal", "yes"), 50)).isEqualTo(50);
        assertThat(imported.passed(Imported.get("/x"), 50)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "skip-condition: getServletPath().startsWith('/health')",
                "skip-condition: \"getServletPath().equals('/health') or getRequestURI().startsWith('/health/')\"",
                "execute-condition: \"!getServletPath().startsWith('/health')\"",
                "skip-predicates: [ 'PATH=/health,/health/**' ]"
            })
    void aSkippedPathIsExcepted(String condition) {
        Imported imported = imported(filter(".*", condition + ", " + FIVE));
        assertThat(imported.yaml()).contains("except: [ ").doesNotContain("dry-run");
        assertThat(imported.passed(Imported.get("/health"), 9)).isEqualTo(9);
        assertThat(imported.passed(Imported.get("/health/live"), 9)).isEqualTo(9);
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(5);
    }

    @Test
    void aSkippedPathBesideTheLimitedOnesNeedsNoException() {
        Imported imported =
                imported(filter("/api/.*", "skip-condition: getServletPath().startsWith('/health'), " + FIVE));
        assertThat(imported.yaml()).doesNotContain("except").doesNotContain("dry-run");
    }

    /** A file that excepts a login from a limit on failed logins would not load. */
    @Test
    void noPathIsExceptedWhereFailedLoginsCount() {
        Imported imported = imported(filter(
                "/auth/.*",
                "skip-condition: getServletPath().equals('/auth/login'), post-execute-condition: getStatus() == 401, "
                        + FIVE));
        assertThat(imported.yaml()).doesNotContain("except:").contains("dry-run");
        assertThat(imported.told()).contains("the limit did not apply to \"/auth/login\"; here it does");
    }

    @Test
    void severalPathsHaveOneCount() {
        Imported imported = imported(filter("/(a|b)/.*", FIVE));
        assertThat(imported.yaml()).contains("pathPattern: [ ");
        assertThat(imported.passed(Imported.get("/a/x"), 3)).isEqualTo(3);
        assertThat(imported.passed(Imported.get("/b/x"), 9)).isEqualTo(2);
    }

    /** {@code when} has no "is not". */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "skip-condition: getHeader('X-Internal') == 'yes'",
                "execute-condition: getHeader('X-Internal') != 'yes'"
            })
    void aConditionThatExcludesAValueMakesADryRun(String condition) {
        Imported imported = imported(filter(".*", condition + ", " + FIVE));
        assertThat(imported.passed(Imported.get("/x", "X-Internal", "yes"), 9)).isEqualTo(9);
        assertThat(imported.told()).contains("cannot be expressed, so the limit applies without it");
    }

    @Test
    void aConditionThatCannotBeExpressedMakesADryRun() {
        Imported imported = imported(filter(".*", "execute-condition: \"@users.name() != 'admin'\", " + FIVE));
        assertThat(imported.passed(ANN, 9)).isEqualTo(9);
        assertThat(imported.outcome(ANN)).isEqualTo(Outcome.WOULD_REFUSE);
        assertThat(imported.told())
                .contains(
                        "execute-condition: stricter: the condition \"@users.name() != 'admin'\" cannot be expressed");
    }

    @Test
    void aLimitAfterOneWithoutConditionNeverApplied() {
        Imported imported = imported(filter(".*", FIVE, "bandwidths: [ { capacity: 1, time: 1, unit: minutes } ]"));
        assertThat(imported.told()).contains("a limit above this one has no condition, so this one never applied");
        assertThat(imported.passed(ANN, 9)).isEqualTo(5);
        String all = filter(
                        ".*",
                        FIVE,
                        "cache-key: getRemoteAddr(), bandwidths: [ { capacity: 1, time: 1, unit: minutes } ]")
                .replace("    - url", "    - strategy: all\n      url");
        assertThat(imported(all).passed(ANN, 9)).isEqualTo(1);
    }

    @Test
    void predicatesAndStatusesAreImported() {
        Imported imported = imported(filter(
                ".*",
                "execute-predicates: [ PATH=/login, METHOD=POST ], post-execute-condition: getStatus() eq 401, "
                        + FIVE));
        assertThat(imported.yaml()).contains("pathPattern: /login", "methods: [ POST ]", "count: { status: [ 401 ] }");
        assertThat(imported.passed(Imported.call("POST", "/login"), 9)).isEqualTo(5);
        assertThat(imported.passed(Imported.get("/login"), 9)).isEqualTo(9);
        assertThat(imported.passed(Imported.call("POST", "/other"), 9)).isEqualTo(9);
    }

    @Test
    void getCoversHeadInOneCount() {
        Imported imported = imported(filter(".*", "execute-predicates: [ 'METHOD=GET,HEAD' ], " + FIVE));
        assertThat(imported.yaml()).contains("methods: [ GET ]").doesNotContain("looser");
        assertThat(imported.passed(Imported.call("HEAD", "/x"), 3)).isEqualTo(3);
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(2);
    }

    @Test
    void twoStarsWithinASegmentBecomeOne() {
        assertThat(imported(filter(".*", "execute-predicates: [ PATH=/hell** ], " + FIVE))
                        .yaml())
                .contains("pathPattern: /hell*\n");
        assertThat(imported(filter(".*", "execute-predicates: [ PATH=/a/**/b ], " + FIVE))
                        .yaml())
                .contains("pathPattern: /a/**/b\n");
    }

    @Test
    void tokensBecomeTheCost() {
        assertThat(imported(filter(".*", "num-tokens: 2, " + FIVE)).passed(ANN, 9))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".*                 | /**",
                "^(/hello).*        | /hello*/**",
                "/api/.*            | /api/**",
                "^/api/v1(/.*)?$    | /api/v1/**",
                "/users/[^/]+/posts | /users/*/posts",
                ".*\\.json          | /**/*.json",
                ".*/export          | /**/export",
                "/status            | /status"
            })
    void regularExpressionsBecomePatterns(String url, String pattern) {
        Imported imported = imported(filter(url, FIVE));
        assertThat(imported.yaml()).contains("pathPattern: " + pattern + "\n").doesNotContain("dry-run");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^(?!/public).*",
                "/admin*",
                "/a{2}",
                "[",
                "(",
                "(/a)+",
                "/a.*b/c",
                "login",
                "(((((((((((((a",
                ")"
            })
    void otherExpressionsAreNotImported(String url) {
        Invocation run = Imported.run(directory, filter(url, FIVE));
        assertThat(run.exitCode()).isEqualTo(8);
        assertThat(run.err()).contains("not imported: the url ");
    }

    @Test
    void aBroaderPatternRefusesNobody() {
        Imported imported = imported(filter("/orders/\\d+", FIVE));
        assertThat(imported.outcome(Imported.get("/orders/7"))).isNotEqualTo(Outcome.UNLIMITED);
        assertThat(imported.passed(Imported.get("/orders/seven"), 9)).isEqualTo(9);
        assertThat(imported.told()).contains("stricter: the pattern matches more than \"/orders/\\d+\"");
    }

    @Test
    void theContextPathIsOmitted() {
        Imported imported = imported("server: { servlet.context-path: /shop }\n" + filter("/shop/cart/.*", FIVE));
        assertThat(imported.passed(Imported.get("/cart/1"), 9)).isEqualTo(5);
    }

    /** The URI begins with the context path, the servlet's path does not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        getRequestURI().startsWith('/shop/api')  | /api/1  | /shop/api/1
        getRequestURI().equals('/shop/api')      | /api    | /shop/api
        getRequestURI().startsWith('/shop')      | /x      |
        requestURI.startsWith('/sh')             | /x      |
        getServletPath().startsWith('/api')      | /api/1  | /shop/api/1
        getServletPath().startsWith('/shop/api') | /shop/api/1 | /api/1
        """)
    void theContextPathIsOmittedFromConditions(String condition, String limited, String other) {
        Imported imported = imported("server: { servlet.context-path: /shop }\n"
                + filter(".*", "execute-condition: \"" + condition + "\", " + FIVE));
        assertThat(imported.passed(Imported.get(limited), 9)).isEqualTo(5);
        assertThat(other == null ? Outcome.UNLIMITED : imported.outcome(Imported.get(other)))
                .isEqualTo(Outcome.UNLIMITED);
    }

    @Test
    void aConditionOutsideOfTheContextPathRefusesNobody() {
        Imported imported = imported("server: { servlet.context-path: /shop }\n"
                + filter(".*", "execute-condition: \"getRequestURI().startsWith('/api')\", " + FIVE));
        assertThat(imported.passed(Imported.get("/api/1"), 9)).isEqualTo(9);
        assertThat(imported.told())
                .contains(
                        "stricter: patterns here omit the context path \"/shop\", and \"/api*/**\" does not begin with"
                                + " it");
    }

    /** Values of {@code when} are case-sensitive. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        execute-condition: "getHeader('X-Plan').equalsIgnoreCase('free')" | false
        skip-condition: "'free'.equalsIgnoreCase(getHeader('X-Plan'))"    | false
        execute-condition: "getMethod().equalsIgnoreCase('get')"          | true
        execute-condition: "getHeader('X-Plan').equals('free')"           | true
        """)
    void aConditionThatIgnoresCaseRefusesNobody(String condition, boolean isExpressed) {
        Imported imported = imported(filter(".*", condition + ", " + FIVE));
        assertThat(imported.passed(Imported.get("/x", "X-Plan", "free"), 9)).isEqualTo(isExpressed ? 5 : 9);
        assertThat(imported.told().contains("cannot be expressed, so the limit applies without it"))
                .isNotEqualTo(isExpressed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"getRemoteAddr()", "getUserPrincipal()?.getName() ?: getRemoteAddr()"})
    void eachAddressCountsByItself(String key) {
        Imported imported = imported(filter(".*", "cache-key: \"" + key + "\", " + FIVE));
        assertThat(imported.passed(Imported.get("/x").from("2001:db8::1"), 9)).isEqualTo(5);
        assertThat(imported.passed(Imported.get("/x").from("2001:db8::2"), 9)).isEqualTo(5);
        assertThat(imported(filter(".*", FIVE)).yaml()).doesNotContain("ipv6Prefix");
    }

    @Test
    void keysAreReadAsSpringReadsThem() {
        Imported imported = imported("""
            bucket4j:
              defaultHttpStatusCode: SERVICE_UNAVAILABLE
              filters:
                - rateLimits:
                    - cacheKey: getRemoteAddr()
                      bandwidths: { capacity: "${limit:3}", time: 1, unit: MINUTES, refillSpeed: INTERVAL }
                  hideHttpResponseHeaders: true
            """);
        assertThat(imported.passed(ANN, 9)).isEqualTo(3);
        assertThat(imported.yaml()).contains("reject: { status: 503 }", "headers: { style: none }");
        assertThat(imported.told()).contains("\"${limit:3}\" is replaced by its default, \"3\"");
    }

    /** Filters, each with these settings and a limit. */
    private static String filters(String head, String... settings) {
        return "bucket4j:\n" + head + "  filters:\n"
                + Arrays.stream(settings)
                        .map(one -> "    - { " + one + ", rate-limits: [ { " + FIVE + " } ] }\n")
                        .collect(Collectors.joining());
    }

    @Test
    void theBodyOfARefusalIsImported() {
        String body = "http-response-body: '{ \"message\": \"slow down\" }'";
        String json = "reject: { contentType: application/json, body: \"{ \\\"message\\\": \\\"slow down\\\" }\" }\n";
        assertThat(imported(filters("", body)).yaml()).contains(json);
        assertThat(imported(filters("  default-" + body + "\n", "url: '/a'", "url: '/b'")))
                .satisfies(imported -> assertThat(imported.yaml()).contains(json))
                .satisfies(imported -> assertThat(imported.told()).doesNotContain("bodies", "body"));
        assertThat(imported(filters(
                                "",
                                "http-response-body: <p>No</p>, http-content-type: text/html, http-status-code: 503"))
                        .yaml())
                .contains("reject: { status: 503, contentType: text/html, body: \"<p>No</p>\" }\n");
    }

    @Test
    void aBodyThatIsNoJsonIsSentAsText() {
        Imported imported = imported(filters("", "http-response-body: slow down"));
        assertThat(imported.yaml()).contains("reject: { contentType: text/plain, body: \"slow down\" }\n");
        assertThat(imported.told())
                .contains("http-response-body: different: the body is not valid as application/json; it is sent as "
                        + "text/plain here");
    }

    @Test
    void aBodyThatCannotBeWrittenIsNamed() {
        Imported imported = imported(filters("", "http-response-body: 'ask {name}'"));
        assertThat(imported.yaml()).doesNotContain("reject:");
        assertThat(imported.told()).contains("different: \"reject.body\" cannot have this text");
    }

    @Test
    void differentAnswersOfFiltersAreNamed() {
        Imported imported = imported(filters(
                "",
                "url: /a, http-response-body: '1', http-status-code: 503",
                "url: /b, http-response-body: '2', http-status-code: FORBIDDEN"));
        assertThat(imported.yaml()).contains("reject: { status: 503, contentType: application/json, body: \"1\" }\n");
        assertThat(imported.told())
                .contains("filters refuse with different statuses")
                .contains("filters refuse with different bodies");
    }

    @Test
    void settingsWithoutACounterpartAreNamedWithTheirLine() {
        Imported imported = imported("""
            bucket4j:
              cache-to-use: redis-lettuce
              filters:
                - cache-name: buckets
                  filter-order: 1
                  http-response-headers: { X-Why: limit }
                  shape: round
                  rate-limits: [ { %s } ]
              methods:
                - { name: mail, rate-limit: { %s } }
            """.formatted(FIVE, FIVE));
        assertThat(imported.told().lines())
                .anyMatch(line -> line.startsWith(":2:3 bucket4j.cache-to-use: left out: "))
                .anyMatch(line -> line.startsWith(":5:7 bucket4j.filters[0].filter-order: left out: "))
                .anyMatch(line -> line.startsWith(":6:7 bucket4j.filters[0].http-response-headers: left out: "))
                .anyMatch(line -> line.startsWith(":7:7 bucket4j.filters[0].shape: left out: "))
                .anyMatch(line -> line.startsWith(":10:7 bucket4j.methods[0]: not imported: the limit \"mail\""));
    }

    @Test
    void anUnknownSettingMakesALimitADryRun() {
        assertThat(imported(filter(".*", "mood: fair, " + FIVE)).outcome(ANN)).isEqualTo(Outcome.ADMITTED);
        assertThat(imported(filter(".*", "mood: fair, " + FIVE)).passed(ANN, 9)).isEqualTo(9);
    }

    @Test
    void aStarterThatIsOffLimitsNobody() {
        assertThat(imported(filter(".*", FIVE).replace("  filters", "  enabled: false\n  filters"))
                        .passed(ANN, 9))
                .isEqualTo(9);
    }

    @Test
    void profilesAreNamed() {
        Imported imported = imported(filter(".*", FIVE) + "---\nspring.config.activate.on-profile: prod\n"
                + filter(".*", "bandwidths: [ { capacity: 1, time: 1, unit: hours } ]"));
        assertThat(imported.told()).contains("not imported: these settings are for the profile \"prod\"");
        assertThat(imported.passed(ANN, 9)).isEqualTo(5);
    }

    @Test
    void manyFiltersAreImportedWithIdsOfTheirOwn() {
        String filters = IntStream.range(0, 50)
                .mapToObj(i -> "    - { url: '/p.*', rate-limits: [ { bandwidths: [ { capacity: " + (i + 1)
                        + ", time: 1, unit: minutes } ] } ] }\n")
                .reduce("bucket4j:\n  filters:\n", String::concat);
        assertThat(imported(filters).yaml()).contains("id: p\n", "id: p-2\n", "id: p-50\n");
    }
}
