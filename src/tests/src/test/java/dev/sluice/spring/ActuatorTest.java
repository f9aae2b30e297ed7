package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Eventually;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/** Operators see and change limits through the actuator. */
@Timeout(300)
@Tag("store")
@Tag("server")
@Tag("docs")
class ActuatorTest {

    @Test
    void aSecretClientIsSetByItsKeyWhichIsNeitherStoredNorReturned() throws IOException {
        String limits = """
            limits: { refresh: 100ms }
            secrets: { key: "the key of all instances" }
            subjects: { tenant: [ "hash(header:X-Org-Id)", ip ] }
            endpoints: [ { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 7 } ] } ]
            """;
        String hash = SecretDigest.keyed("the key of all instances").apply("acme");
        try (RunningApplication own = RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("secret.yml"), limits),
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(set(own, "30/1d").body()).contains(hash).doesNotContain("acme");
            Eventually.await("30 for acme", () -> limitOfAcme(own).equals("30"));
            assertThat(own.get("/actuator/ratelimits").body()).contains(hash).doesNotContain("acme");
            assertThat(own.get("/actuator/ratelimits/tenant/acme").body())
                    .contains("\"threshold\":30", hash)
                    .doesNotContain("acme");
            assertThat(own.get("/actuator/ratelimits/tenant/" + hash.replace("#", "%23"))
                            .body())
                    .contains("\"threshold\":30");
            assertThat(own.caller()
                            .delete("/actuator/ratelimits/tenant/acme?endpoint=product")
                            .body())
                    .contains("\"removed\":true");
        }
    }

    private static final String SEVEN_PRODUCTS = """
        limits: { refresh: 100ms }
        endpoints:
          - id: product
            pathPattern: /product/*
            tiers: [ { period: 1d, threshold: 7 } ]
        """;

    private static final String[] EVERYTHING = {
        "management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always"
    };

    @TempDir
    private static Path directory;

    /** An application whose limits no test changes. */
    private static RunningApplication shop;

    @BeforeAll
    static void open() throws IOException {
        shop = start();
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static RunningApplication start(String... properties) throws IOException {
        String config = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), SEVEN_PRODUCTS);
        return RunningApplication.start(
                Shop.class,
                Stream.of(Stream.of(config), Stream.of(EVERYTHING), Stream.of(properties))
                        .flatMap(some -> some)
                        .toArray(String[]::new));
    }

    @Test
    void theLimiterIsHealthy() {
        HttpResponse<String> health = shop.get("/actuator/health/sluice");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"UP\"", "limits.yml", "\"store\":\"memory:\"");
    }

    @Test
    void aStoreThatIsUnavailableIsShownAndLeavesTheStatusUp() throws IOException {
        try (RunningApplication own = start("sluice.store=redis://127.0.0.1:1")) {
            assertThat(own.get("/product/1").statusCode()).isEqualTo(200);
            Eventually.await(
                    "the store is unavailable",
                    () -> own.get("/actuator/health/sluice").body().contains("storeUnavailableBecause"));
            HttpResponse<String> health = own.get("/actuator/health/sluice");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"status\":\"UP\"");
        }
    }

    @Test
    void aStoreThatMayEvictCountersIsShown() throws IOException {
        try (RedisServer redis = RedisServer.open("--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru");
                RunningApplication own = start("sluice.store=" + redis.patientUri())) {
            assertThat(own.get("/product/1").statusCode()).isEqualTo(200);
            Eventually.await(
                    "the warning",
                    () -> own.get("/actuator/health/sluice").body().contains("\"storeWarning\":\"" + redis.uri()));
            HttpResponse<String> health = own.get("/actuator/health/sluice");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"status\":\"UP\"", "Set maxmemory-policy to noeviction");
            assertThat(own.get("/actuator/ratelimits").body()).contains("\"storeWarning\":\"" + redis.uri());
        }
    }

    @Test
    void theStatusForAStoreThatIsUnavailableIsConfigurable() throws IOException {
        try (RunningApplication own =
                start("sluice.store=redis://127.0.0.1:1", "sluice.health.store-unavailable=OUT_OF_SERVICE")) {
            assertThat(own.get("/product/1").statusCode()).isEqualTo(200);
            Eventually.await(
                    "out of service", () -> own.get("/actuator/health/sluice").statusCode() == 503);
        }
    }

    @Test
    void theStatusForAStoreThatIsUnavailableAcceptsRelaxedSpelling() throws IOException {
        try (RunningApplication own =
                start("sluice.store=redis://127.0.0.1:1", "sluice.health.store-unavailable=out-of-service")) {
            Eventually.await(
                    "out of service",
                    () -> own.get("/actuator/health/sluice").body().contains("\"status\":\"OUT_OF_SERVICE\""));
        }
    }

    @Test
    void anUnknownStatusStopsTheStart() {
        assertThatThrownBy(() -> start("sluice.health.store-unavailable=DWON"))
                .hasStackTraceContaining("sluice.health.store-unavailable")
                .hasStackTraceContaining("DWON");
    }

    @Test
    void showsLimitsInForceAndTheStandingOfAClient() {
        assertThat(shop.get("/product/1", "X-Org-Id", "acme").statusCode()).isEqualTo(200);
        assertThat(shop.get("/actuator/ratelimits").body())
                .contains("\"id\":\"product\"", "\"pathPattern\":\"/product/*\"", "\"threshold\":7")
                .contains("\"diagnostics\":{\"accounts\":[]}");
        assertThat(shop.get("/actuator/ratelimits/tenant/acme").body())
                .contains("\"endpoint\":\"product\"", "\"foundBy\":\"header:X-Org-Id\"", "\"remaining\":6")
                .contains("\"accounts\":[]");
        HttpResponse<String> unknown = shop.get("/actuator/ratelimits/buyer/acme");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("there is no subject buyer; known subjects are");
    }

    @Test
    void readOnlyAccessCannotSetALimit() {
        assertThat(set(shop, "3/1d").statusCode()).isEqualTo(405);
    }

    @Test
    void aClientsOwnLimitCanBeSetAndRemoved() throws IOException {
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            HttpResponse<String> mistaken = set(own, "many");
            assertThat(mistaken.statusCode()).isEqualTo(400);
            assertThat(mistaken.body()).contains("\"error\":", "many");
            assertThat(set(own, "30/1d").statusCode()).isEqualTo(200);
            Eventually.await("30 for acme", () -> limitOfAcme(own).equals("30"));
            assertThat(own.get("/product/1", "X-Org-Id", "other").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("7");
            assertThat(own.get("/actuator/ratelimits").body())
                    .contains("\"client\":\"acme\"", "\"limit\":\"30 in 1d\"", "\"why\":\"a sale\"", "\"until\":");
            assertThat(own.caller()
                            .delete("/actuator/ratelimits/tenant/acme?endpoint=product")
                            .body())
                    .contains("\"removed\":true");
            Eventually.await("7 for acme", () -> limitOfAcme(own).equals("7"));
            assertThat(own.get("/actuator/ratelimits/tenant/acme").body())
                    .containsSubsequence("\"changes\":[{", "\"unset\":true", "\"set\":\"30/1d\"", "\"why\":\"a sale\"");
            assertThat(own.get("/actuator/ratelimits/tenant/other").body()).contains("\"changes\":[]");
        }
    }

    @Test
    void aClientCanBeGivenCalls() throws IOException {
        try (RedisServer redis = RedisServer.open();
                RunningApplication own = start(
                        "management.endpoint.ratelimits.access=unrestricted", "sluice.store=" + redis.patientUri())) {
            for (int call = 0; call < 7; call++) {
                assertThat(getAsAcme(own)).isEqualTo(200);
            }
            assertThat(getAsAcme(own)).isEqualTo(429);
            Eventually.await(
                    "7 calls are given",
                    () -> post(own, "reset", "{\"endpoint\":\"product\",\"why\":\"a test\"}")
                            .body()
                            .equals("{\"given\":{\"1d\":7}}"));
            for (int call = 0; call < 7; call++) {
                Eventually.await("a call passes", () -> getAsAcme(own) == 200);
            }
            assertThat(getAsAcme(own)).isEqualTo(429);
            assertThat(post(own, "give", "{\"endpoint\":\"product\",\"calls\":3}")
                            .body())
                    .isEqualTo("{\"given\":{\"1d\":3}}");
            Eventually.await("a call passes", () -> getAsAcme(own) == 200);
            assertThat(own.get("/product/1", "X-Org-Id", "acme").headers().firstValue("x-ratelimit-limit"))
                    .contains("17");
            assertThat(post(own, "give", "{\"endpoint\":\"*\",\"calls\":2}").body())
                    .contains("\"product 1d\":2");
            assertThat(own.get("/actuator/ratelimits/tenant/acme").body())
                    .contains("\"reset\":\"7 in 1d\"", "\"why\":\"a test\"", "\"give\":\"3 in 1d\"");
            assertThat(post(own, "give", "{\"endpoint\":\"product\"}").body())
                    .contains("calls is missing; write, for example, \\\"calls\\\": 500");
            assertThat(post(own, "reset", "{\"endpoint\":\"prodct\"}").body()).contains("did you mean product?");
            assertThat(post(own, "take", "{\"endpoint\":\"product\"}").statusCode())
                    .isEqualTo(404);
        }
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            HttpResponse<String> alone = post(own, "reset", "{\"endpoint\":\"product\"}");
            assertThat(alone.statusCode()).isEqualTo(400);
            assertThat(alone.body()).contains("this limiter has no store that can give calls");
        }
    }

    private static int getAsAcme(RunningApplication shop) {
        return shop.get("/product/1", "X-Org-Id", "acme").statusCode();
    }

    private static HttpResponse<String> post(RunningApplication shop, String what, String body) {
        return shop.caller().post("/actuator/ratelimits/tenant/acme/" + what, "application/json", body);
    }

    /** Spring Boot would ignore them: {@code last} for {@code lasts} would set the limit for ever. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        last|1d|there is no parameter last; did you mean lasts? Known parameters are endpoint, tiers, lasts, why
        until|1d|there is no parameter until; known parameters are endpoint, tiers, lasts, why
        lasts|1 day|lasts \\"1 day\\" is not a duration; write 1d
        lasts|0s|lasts 0s is out of range; write a duration from 1ms to 3660d
        endpoint|prodct|; did you mean product?
        """)
    void mistakesOfAChangeAreRefusedWithWhatToWrite(String key, String value, String problem) throws IOException {
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            HttpResponse<String> mistaken = own.caller()
                    .post(
                            "/actuator/ratelimits/tenant/acme",
                            "application/json",
                            "{\"endpoint\":\"product\",\"tiers\":\"9/1d\",\"" + key + "\":\"" + value + "\"}");
            assertThat(mistaken.statusCode()).isEqualTo(400);
            assertThat(mistaken.body()).contains("{\"error\":").contains(problem);
            assertThat(own.get("/actuator/ratelimits").body()).contains("\"overrides\":[]");
        }
    }

    @Test
    void aMisspeltEndpointOfADeletionUnblocksNothing() throws IOException {
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(unblock(own, "tenant/acme/blocks?endpont=product"))
                    .contains("there is no parameter endpont; did you mean endpoint?");
        }
    }

    @Test
    void aClientsLimitsCanBeMultipliedEverywhere() throws IOException {
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(own.caller()
                            .post(
                                    "/actuator/ratelimits/tenant/acme",
                                    "application/json",
                                    "{\"endpoint\":\"*\",\"tiers\":\"x2\"}")
                            .statusCode())
                    .isEqualTo(200);
            Eventually.await("14 for acme", () -> limitOfAcme(own).equals("14"));
            assertThat(own.get("/actuator/ratelimits").body())
                    .contains("\"subject\":\"tenant\",\"client\":\"acme\",\"endpoint\":\"*\",\"limit\":\"x2\"");
        }
    }

    @Test
    void theLimitsOfAPlanCanBeSetAndRemoved() throws IOException {
        String config = "sluice.config=" + Files.writeString(directory.resolve("plans.yml"), """
                limits: { refresh: 100ms }
                plans: { pro: { multiply: 2 } }
                clients: [ { tenant: acme, plan: pro } ]
                endpoints: [ { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 7 } ] } ]
                """);
        try (RunningApplication own = RunningApplication.start(
                Shop.class, config, EVERYTHING[0], "management.endpoint.ratelimits.access=unrestricted")) {
            String body = "{\"endpoint\":\"*\",\"tiers\":\"x3\",\"lasts\":\"2h\",\"why\":\"a sale\"}";
            assertThat(own.caller()
                            .post("/actuator/ratelimits/plan/pro", "application/json", body)
                            .body())
                    .contains("\"set\":\"plan=pro at *: x3\"");
            Eventually.await("42 for acme", () -> limitOfAcme(own).equals("42"));
            assertThat(own.get("/product/1", "X-Org-Id", "other").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("7");
            assertThat(own.get("/actuator/ratelimits/plan/pro").body())
                    .contains("\"plan\":\"pro\"", "\"overrides\":[{", "\"limit\":\"x3\"", "\"why\":\"a sale\"")
                    .contains("\"changes\":[{", "\"set\":\"x3\"");
            HttpResponse<String> unknown = own.get("/actuator/ratelimits/plan/prp");
            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(unknown.body()).contains("there is no plan prp in ", "; did you mean pro?");
            HttpResponse<String> mistaken =
                    own.caller().post("/actuator/ratelimits/plan/prp", "application/json", body);
            assertThat(mistaken.statusCode()).isEqualTo(400);
            assertThat(mistaken.body()).contains("there is no plan prp in ", "; did you mean pro?");
            HttpResponse<String> reset = own.caller()
                    .post("/actuator/ratelimits/plan/pro/reset", "application/json", "{\"endpoint\":\"product\"}");
            assertThat(reset.statusCode()).isEqualTo(400);
            assertThat(reset.body()).contains("a plan has no counts of its own; name one of its callers");
            assertThat(own.caller()
                            .delete("/actuator/ratelimits/plan/pro?endpoint=*")
                            .body())
                    .contains("\"removed\":true");
            Eventually.await("14 for acme", () -> limitOfAcme(own).equals("14"));
        }
    }

    private static final String BLOCKING = """
        limits: { refresh: 100ms }
        secrets: { key: "the key of all instances" }
        subjects: { tenant: [ "hash(header:X-Org-Id)", ip ] }
        clients: [ { tenant: acme, name: Acme Ltd } ]
        endpoints:
          - id: product
            pathPattern: /product/*
            tiers: [ { period: 1d, threshold: 1, block: { after: 1, within: 1m, for: 1h } } ]
          - id: products
            pathPattern: /product/*
            mode: dry-run
            tiers: [ { period: 1d, threshold: 1 } ]
        """;

    /** The name stands in place of the key, which may be secret. */
    @Test
    void aNameStandsForTheHashOfAKeyThatMayBeSecret() throws IOException {
        String mixed = BLOCKING.replace("ip ]", "principal, ip ]").replace("tenant: acme", "tenant: key-of-acme");
        try (RunningApplication own = RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("mixed.yml"), mixed),
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(own.get("/actuator/ratelimits/tenant/Acme%20Ltd").body())
                    .contains("\"client\":\"#")
                    .doesNotContain("key-of-acme");
            assertThat(own.caller()
                            .post(
                                    "/actuator/ratelimits/tenant/Acme%20Ltd",
                                    "application/json", "{\"endpoint\":\"product\",\"tiers\":\"30/1d\"}")
                            .body())
                    .contains("\"set\":\"tenant=#")
                    .doesNotContain("key-of-acme");
        }
    }

    @Test
    void theBlocksOfAClientCanBeEnded() throws IOException {
        try (RunningApplication own = RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("blocking.yml"), BLOCKING),
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.ratelimits.access=unrestricted")) {
            for (String tenant : List.of("acme", "acme", "globex", "globex")) {
                own.get("/product/1", "X-Org-Id", tenant);
            }
            assertThat(blocked(own)).isEqualTo(2);
            assertThat(own.get("/actuator/ratelimits").body())
                    .contains("\"cause\":\"1 refusal within 1m by 1 in 1d\"")
                    .contains("\"block\":{\"after\":1,\"within\":\"1m\",\"for\":\"1h\"}")
                    .containsOnlyOnce("\"called\":\"Acme Ltd\"");
            assertThat(own.get("/actuator/ratelimits/tenant/acme").body())
                    .contains("\"called\":\"Acme Ltd\"")
                    .containsOnlyOnce("\"inARow\":1");
            assertThat(own.get("/actuator/ratelimits/tenant/nobody").body()).contains("\"blocked\":[]");
            assertThat(set(own, "30/1d").body()).contains(" (Acme Ltd) at product: 30/1d");
            Eventually.await(
                    "its own limit",
                    () -> own.get("/actuator/ratelimits").body().contains("\"why\":\"a sale\""));
            assertThat(own.get("/actuator/ratelimits").body())
                    .containsPattern("\"overrides\":\\[\\{\"called\":\"Acme"
                            + " Ltd\",\"subject\":\"tenant\",\"client\":\"#[^\"]+\"");
            assertThat(own.caller()
                            .delete("/actuator/ratelimits/tenant/acme?endpoint=product")
                            .body())
                    .contains("\"removed\":true");
            Eventually.await(
                    "the file's limit",
                    () -> own.get("/actuator/ratelimits").body().contains("\"overrides\":[]"));
            assertThat(unblock(own, "tenant/acme/blocks?endpoint=other")).contains("{\"unblocked\":0}");
            assertThat(unblock(own, "tenant/nobody/blocks")).contains("{\"unblocked\":0}");
            assertThat(unblock(own, "user/acme/blocks")).contains("there is no subject user; known subjects are");
            assertThat(own.caller()
                            .delete("/actuator/ratelimits/tenant/acme/limits")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(unblock(own, "tenant/acme/blocks?endpoint=product")).contains("{\"unblocked\":1}");
            Eventually.await("one is blocked", () -> blocked(own) == 1);
            own.get("/product/1", "X-Org-Id", "acme");
            assertThat(blocked(own)).isEqualTo(2);
            assertThat(unblock(own, "tenant/Acme%20Ltd/blocks"))
                    .as("by its name")
                    .contains("{\"unblocked\":1}");
        }
    }

    private static String unblock(RunningApplication shop, String whom) {
        return shop.caller().delete("/actuator/ratelimits/" + whom).body();
    }

    private static long blocked(RunningApplication shop) {
        return Pattern.compile("\"inARow\"")
                .matcher(shop.get("/actuator/ratelimits").body())
                .results()
                .count();
    }

    @Test
    void readOnlyAccessCannotUnblock() {
        assertThat(shop.caller()
                        .delete("/actuator/ratelimits/tenant/acme/blocks")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void commandsInTheDocumentationWork() throws Exception {
        String shown = Pattern.compile("```sh\n(curl \\S*/actuator/ratelimits\n.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs/spring.md")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        try (RunningApplication own = start("management.endpoint.ratelimits.access=unrestricted")) {
            String script = shown.replace("localhost:8080", own.at("").getAuthority())
                    .replace("curl ", "curl -sS ")
                    .replace("\"api\"", "\"product\"")
                    .replace("endpoint=api", "endpoint=product");
            Process bash = new ProcessBuilder("bash", "-c", script)
                    .redirectErrorStream(true)
                    .start();
            String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor()).as(printed).isZero();
            assertThat(printed)
                    .contains("\"threshold\":7", "{\"set\":\"tenant=acme at product: 5000/1m\"", "{\"removed\":true}")
                    .contains("{\"unblocked\":0}");
        }
    }

    private static HttpResponse<String> set(RunningApplication shop, String tiers) {
        return shop.caller()
                .post(
                        "/actuator/ratelimits/tenant/acme",
                        "application/json",
                        "{\"endpoint\":\"product\",\"tiers\":\"" + tiers + "\",\"lasts\":\"2h\",\"why\":\"a sale\"}");
    }

    private static String limitOfAcme(RunningApplication shop) {
        return shop.get("/product/1", "X-Org-Id", "acme")
                .headers()
                .firstValue("x-ratelimit-limit")
                .orElse("");
    }

    @Test
    void thePageIsServedBesideTheEndpoint() {
        HttpResponse<String> page = shop.get("/actuator/ratelimits/page/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<title>Sluice</title>");
        assertThat(shop.get("/actuator/ratelimits/page/data.json").body()).contains("\"id\":\"product\"");
    }

    @Test
    void whoMayWriteToTheEndpointMayChangeSomethingOnItsPage() throws IOException {
        assertThat(rights(shop)).contains("\"mayChange\":false");
        String writable = "management.endpoint.ratelimits.access=unrestricted";
        try (RunningApplication own = start(writable)) {
            assertThat(rights(own)).contains("\"mayChange\":true");
        }
        try (RunningApplication own = start(writable, "management.endpoints.access.max-permitted=read-only")) {
            assertThat(rights(own)).contains("\"mayChange\":false");
        }
    }

    /** The page's data about the first client. */
    private static String rights(RunningApplication of) {
        assertThat(of.get("/product/1").statusCode()).isIn(200, 429);
        String data = of.get("/actuator/ratelimits/page/data.json").body();
        Matcher id = Pattern.compile("\"clients\":\\[\\{\"id\":(\\d+)").matcher(data);
        assertThat(id.find()).isTrue();
        return of.get("/actuator/ratelimits/page/client.json?id=" + id.group(1)).body();
    }

    @Test
    void thePageWatchesFromTheStart() throws IOException {
        try (RunningApplication own = start()) {
            Instant started = Instant.now();
            assertThat(own.get("/product/1").statusCode()).isEqualTo(200);
            String data = own.get("/actuator/ratelimits/page/data.json").body();
            assertThat(Pattern.compile("\"watch\":\\{[^}]*\"since\":\"([^\"]+)")
                            .matcher(data)
                            .results())
                    .singleElement()
                    .satisfies(
                            since -> assertThat(Instant.parse(since.group(1))).isBeforeOrEqualTo(started));
        }
    }

    /** Applications guard the actuator with {@code EndpointRequest.toAnyEndpoint()}, which matches these paths. */
    @Test
    void securityRulesForTheEndpointGuardThePage() {
        String endpoint = shop.bean(PathMappedEndpoints.class).getPath(EndpointId.of("ratelimits"));
        assertThat(shop.get(endpoint + "/page/").body()).contains("<title>Sluice</title>");
    }

    @Test
    void thePageIsOnThePortOfTheActuator() throws IOException {
        try (RunningApplication own = start("management.server.port=0", "management.server.address=127.0.0.1")) {
            String port = own.context().getEnvironment().getProperty("local.management.port");
            URI page = URI.create("http://127.0.0.1:" + port + "/actuator/ratelimits/page/");
            assertThat(own.caller().get(page).statusCode()).isEqualTo(200);
            assertThat(own.get("/actuator/ratelimits/page/").statusCode()).isEqualTo(404);
        }
    }

    /** The page moves with the endpoint; otherwise rules for the endpoint would leave it open at its old place. */
    @ParameterizedTest
    @CsvSource({
        "management.endpoints.web.base-path=/manage/, /manage/ratelimits",
        "management.endpoints.web.path-mapping.ratelimits=limits, /actuator/limits",
        "spring.mvc.servlet.path=/mvc/, /mvc/actuator/ratelimits",
        "server.servlet.context-path=/shop, /shop/actuator/ratelimits",
    })
    void thePageIsBelowTheEndpointWhereverThatIs(String setting, String endpoint) throws IOException {
        try (RunningApplication own = start(setting)) {
            assertThat(own.get(endpoint).body()).contains("\"id\":\"product\"");
            assertThat(own.get(endpoint + "/page/").body()).contains("<title>Sluice</title>");
        }
    }

    @Test
    void anEndpointExposedOnlyToJmxIsNotOnTheWeb() throws IOException {
        try (RunningApplication own = start(
                "management.endpoints.web.exposure.include=health",
                "management.endpoints.jmx.exposure.include=ratelimits",
                "spring.jmx.enabled=true")) {
            assertThat(own.get("/actuator/ratelimits/page/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void anEndpointThatIsNotExposedDoesNotExist() throws IOException {
        try (RunningApplication own = start("management.endpoints.web.exposure.include=health")) {
            assertThat(own.get("/actuator/ratelimits").statusCode()).isEqualTo(404);
            assertThat(own.get("/actuator/ratelimits/page/").statusCode()).isEqualTo(404);
        }
    }
}
