package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that the command sets reach all instances, and failures of the store are reported. */
@Tag("store")
class LimitsCommandTest {

    private static final String FILE = """
        store: { uri: "%s" }
        limits: { refresh: 100ms }
        sync: { timeout: 30s }
        subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
        endpoints:
          - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 1000 } ] }
          - { id: api, pathPattern: /api, per: [ user ], tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: both, pathPattern: /both, per: [ tenant, user ], tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: all, pathPattern: /all, per: [], tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: trial, pathPattern: /trial, mode: dry-run, tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: idle, pathPattern: /idle, mode: off, tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: by-ip, pathPattern: /ip, per: [ ip ], tiers: [ { period: 360d, threshold: 10 } ] }
          - { id: by-country, pathPattern: /c, per: [ country ], tiers: [ { period: 360d, threshold: 10 } ] }
        clients:
          - { tenant: "free-*", exempt: true }
          - { tenant: big, multiply: 10 }
        """;
    private static final String UNSEEN = "warning: tenant=acme is not in clients, and has no counter in the store: "
            + "nobody with that name has made a call lately\n";
    private static final String FOLLOWED = "  1 of 1 instance has applied it\n";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private static Invocation limits(String... arguments) {
        List<String> all = new ArrayList<>(List.of("limits"));
        all.addAll(List.of(arguments));
        return Invocation.onStore(redis.patientUri(), all.toArray(String[]::new));
    }

    private static void assertPrints(String out, String... arguments) {
        assertThat(limits(arguments).printed()).isEqualToNormalizingNewlines(out);
    }

    private static void assertNoneIsSet() {
        Invocation list = limits("list");
        assertThat(list.out()).isEmpty();
        assertThat(list.err()).isEqualToIgnoringNewLines("no limits are set");
        assertThat(list.exitCode()).isZero();
    }

    private static void assertFails(int exitCode, String line, Invocation run) {
        assertThat(run.err()).isEqualToIgnoringNewLines(line).hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(exitCode);
    }

    private Sluice instance() throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE.formatted(redis.patientUri()));
        return Sluice.builder().config(ConfigLocation.source(file.toString())).open();
    }

    private static long threshold(Sluice instance) {
        return instance.explain(TestCall.get("/product/1").of("acme"))
                .get(0)
                .tier()
                .limit()
                .threshold();
    }

    private static void awaitThreshold(long threshold, Sluice... instances) {
        for (Sluice instance : instances) {
            Eventually.await("a threshold of " + threshold, () -> threshold(instance) == threshold);
        }
    }

    private String file() throws IOException {
        return Files.writeString(directory.resolve("shop.yml"), FILE.formatted("memory:"))
                .toString();
    }

    /** An instance that has reported itself to the store. */
    private Sluice knownInstance() throws IOException {
        Sluice instance = instance();
        awaitKnown();
        return instance;
    }

    private static void awaitKnown() {
        Eventually.await(
                "an instance is known",
                () -> !redis.call("ZCARD", "sluice:{limits}:instances").equals(0L));
    }

    @Test
    void setsForAllInstancesAndTakesBack() throws IOException {
        try (Sluice one = knownInstance();
                Sluice other = instance()) {
            assertThat(threshold(one)).isEqualTo(1000);
            Invocation set = limits("set", "acme", "get-product", "5000/10s");
            assertThat(set.err()).isEqualTo(UNSEEN);
            assertThat(set.out())
                    .startsWith("The limit is set: tenant=acme get-product 5000/10s\n")
                    .contains("have applied it");
            assertThat(set.exitCode()).isZero();
            awaitThreshold(5000, one, other);
            assertPrints("""
                The limit is removed, and the one in the file or of the client's plan applies again: tenant=acme get-product
                  2 of 2 instances have applied it
                """, "unset", "acme", "get-product");
            assertThat(threshold(one)).isEqualTo(1000);
            assertThat(threshold(other)).isEqualTo(1000);
        }
        assertThat(redis.call("ZCARD", "sluice:{limits}:instances")).isEqualTo(0L);
    }

    /** A typed secret is hashed as instances hash it; a hash from the log is taken as it is. */
    @Test
    void hashesClientsOfASecretSubject() throws IOException {
        String config = Files.writeString(directory.resolve("secret.yml"), """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            secrets: { key: "the key of all instances" }
            subjects: { tenant: { sources: [ "header:X-Org-Id" ], secret: true } }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 10s, threshold: 1000 } ] }
            """.formatted(redis.patientUri()))
                .toString();
        String hash = SecretDigest.keyed("the key of all instances").apply("k-123");
        Path file = Path.of(config);
        try (Sluice instance =
                Sluice.builder().config(ConfigLocation.source(file.toString())).open()) {
            assertThat(instance.explain(TestCall.get("/product/1").of("k-123"))).isNotEmpty();
            awaitKnown();
            Invocation clear = limits("set", "k-123", "get-product", "5000/10s");
            assertThat(clear.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
            assertThat(clear.err()).contains("the tenant is secret").doesNotContain("k-123");

            Invocation set = limits("set", "k-123", "get-product", "5000/10s", "--config", config);
            assertThat(set.out()).startsWith("The limit is set: tenant=" + hash + " get-product 5000/10s\n");
            assertThat(set.exitCode()).isZero();
            assertThat(limits("get", "k-123", "get-product", "--config", config).out())
                    .contains("store  5000/10s");
            assertThat(limits("get", hash, "get-product").out()).contains("store  5000/10s");
            assertThat(limits("list").out()).contains(hash);
            assertThat(limits("unset", "k-123", "get-product", "--config", config)
                            .exitCode())
                    .isZero();
        }
        assertThat(redis.call("HGETALL", "sluice:{limits}").toString()).doesNotContain("k-123");
    }

    /** Callers without an API key are keyed by address, so a value that is not an address must be a key. */
    @Test
    void putsNoSecretIntoTheStoreWhereAddressesAreNone() throws IOException {
        String mixed = """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            subjects: { tenant: [ "hash(header:X-Api-Key)", ip ] }
            secrets: { key: "the key of all instances" }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 1000 } ] }
            """.formatted(redis.patientUri());
        try (Sluice instance = secretive(mixed)) {
            assertThat(threshold(instance)).isEqualTo(1000);
            Invocation clear = limits("set", "k-123", "get-product", "5/360d");
            assertThat(clear.err()).contains("the tenant is secret").doesNotContain("k-123");
            assertThat(clear.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
            assertThat(limits("set", "192.0.2.7", "get-product", "5/360d").exitCode())
                    .isZero();
            assertThat(limits("list").out()).contains("192.0.2.7").doesNotContain("k-123");
        }
    }

    /** If two services share a store, the advice is for the one that has the endpoint. */
    @Test
    void saysWhyByTheFileThatKnowsTheEndpoint() throws IOException {
        Path other = Files.writeString(directory.resolve("other.yml"), """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            secrets: { key: "the key of all instances" }
            subjects: { key: { sources: [ "header:X-Api-Key" ], secret: true } }
            endpoints: [ { id: orders, pathPattern: /o, per: [ key ], tiers: [ { period: 360d, threshold: 9 } ] } ]
            """.formatted(redis.patientUri()));
        try (Sluice one = knownInstance();
                Sluice two = Sluice.builder()
                        .config(ConfigLocation.source(other.toString()))
                        .open()) {
            Eventually.await(
                    "both are known",
                    () -> redis.call("ZCARD", "sluice:{limits}:instances").equals(2L));
            List<Invocation> runs = List.of(
                    limits("set", "k-123", "orders", "5/360d", "--subject", "key"),
                    limits("get", "k-123", "orders", "--subject", "key"));
            assertThat(runs).allSatisfy(run -> {
                assertThat(run.err()).contains("the key is secret").contains("--config FILE");
                assertThat(run.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
            });
            assertThat(limits("set", "acme", "get-product", "5/360d").err()).contains("it has no effect on 1 of 2");
        }
    }

    /** As while a new version is rolled out, or if two services share a store. */
    @Test
    void showsTheLimitOfEachOfTwoFiles() throws IOException {
        String name = directory.resolve("other.yml").toString();
        Files.writeString(Path.of(name), """
            store: { uri: "%s" }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 300 } ] }
            """.formatted(redis.patientUri()));
        try (Sluice one = knownInstance();
                Sluice two =
                        Sluice.builder().config(ConfigLocation.source(name)).open()) {
            Eventually.await(
                    "both are known",
                    () -> redis.call("ZCARD", "sluice:{limits}:instances").equals(2L));
            assertThat(one.responses()).isNotNull();
            assertThat(limits("get", "acme", "get-product").out())
                    .contains("1000 in 360d (", "300 in 360d (" + name + ", on 1 instance)")
                    .containsOnlyOnce("  now    nothing is used\n");
            assertThat(limits("set", "acme", "get-product", "5000/10s").out())
                    .contains(
                            "  It replaces tier 360d: 1000 in 360d (",
                            "  It replaces tier 360d: 300 in 360d (" + name + ", on 1 instance)\n")
                    .containsOnlyOnce("starts to count at 0");
            assertThat(two.responses()).isNotNull();
        }
    }

    /** Instances report all clients of such a subject as hashes, since any of them may be secret. */
    @Test
    void findsAClientInTheClearWhereOtherSourcesAreSecret() throws IOException {
        String both = """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            subjects: { tenant: [ "hash(header:X-Api-Key)", "header:X-Org-Id" ] }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 1000 } ] }
            clients:
              - { tenant: acme, multiply: 10 }
            """.formatted(redis.patientUri());
        try (Sluice instance = secretive(both)) {
            assertThat(threshold(instance)).isEqualTo(10_000);
            assertThat(limits("get", "acme", "get-product").out()).contains("10000 in 360d, by client");
            assertThat(limits("get", "other", "get-product").out()).contains("1000 in 360d (");
        }
        try (Sluice instance = secretive(both + "secrets: { key: \"the key of all instances\" }\n")) {
            assertThat(threshold(instance)).isEqualTo(10_000);
            assertThat(limits("get", "acme", "get-product").out())
                    .contains("or a limit for a hashed client in that file; to see it, name the file with --config");
        }
    }

    private Sluice secretive(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("secret.yml"), text);
        redis.call("DEL", "sluice:{limits}:instances");
        Sluice instance =
                Sluice.builder().config(ConfigLocation.source(file.toString())).open();
        Eventually.await(
                "the instance is known",
                () -> !redis.call("ZCARD", "sluice:{limits}:instances").equals(0L));
        return instance;
    }

    @Test
    void instancesKeepTheLimitsDuringAnOutage() throws IOException {
        try (Sluice one = knownInstance();
                Sluice other = instance()) {
            limits("set", "acme", "get-product", "5000/10s");
            awaitThreshold(5000, one, other);
            redis.kill();
            Invocation refused = limits("set", "acme", "get-product", "6000/10s");
            assertThat(refused.exitCode()).isEqualTo(4);
            assertThat(refused.err()).startsWith("sluice: redis://127.0.0.1:").hasLineCount(1);
            assertThat(threshold(one)).isEqualTo(5000);
            redis.start();
            Eventually.await(
                    "the limits are back in the store",
                    () -> limits("list").out().contains("\ntenant=acme  get-product  5000/10s  "));
            redis.call("HSET", "sluice:{limits}", "?", "garbled");
            limits("set", "other", "get-product", "1/10s");
            limits("set", "acme", "get-product", "6000/10s");
            awaitThreshold(6000, one, other);
        }
    }

    @Test
    void endsByItself() throws IOException {
        try (Sluice one = knownInstance()) {
            Invocation set = limits("set", "acme", "get-product", "5000/10s", "--for", "2s", "--why", "a sale");
            assertThat(set.out()).contains("  It expires in 2s, at 20").endsWith(FOLLOWED);
            awaitThreshold(5000, one);
            awaitThreshold(1000, one);
            assertNoneIsSet();
        }
    }

    @Test
    void showsWhatIsSet() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.explain(TestCall.get("/product/1").of("acme inc"))).hasSize(1);
            limits("set", "beta", "get-product", "5/1m");
            limits(
                    "set",
                    "acme inc",
                    "get-product",
                    "100/1s,5000/10s",
                    "--for",
                    "2h",
                    "--why",
                    "sale\u202e of | today");
            limits("set", "--subject", "user", "eve", "api", "1/1s");
            Invocation list = limits("list");
            assertThat(list.out().lines())
                    .satisfiesExactly(
                            head -> assertThat(head).matches("client +endpoint +limit +until +set +by +why"),
                            first -> assertThat(first)
                                    .startsWith("tenant=\"acme inc\"  get-product  100/1s,5000/10s  20")
                                    .containsPattern("Z \\(in (2h|1h \\d+m)\\) +20\\S+Z +\\S+@\\S+ ")
                                    .endsWith("  sale\\u202e of | today"),
                            second -> assertThat(second).matches("tenant=beta +get-product +5/1m +- +20.*"),
                            third -> assertThat(third).matches("user=eve +api +1/1s +- +20.*"));
            assertThat(limits("list", "--subject", "user").out())
                    .contains("\nuser=eve  api")
                    .hasLineCount(2);
        }
    }

    @Test
    void showsTheLimitInFileAndStoreAndWhatIsLeft() throws IOException {
        try (Sluice one = knownInstance()) {
            Invocation none = limits("get", "acme", "get-product");
            assertThat(none.exitCode()).isEqualTo(5);
            assertThat(none.out())
                    .contains("  file   tier 360d: 1000 in 360d (", "  store  nothing is set\n")
                    .endsWith("  now    nothing is used\n");
            assertThat(limits("get", "big", "get-product").out())
                    .contains("10000 in 360d, by client tenant: big, multiply 10 (");
            limits("set", "acme", "get-product", "5000/360d", "--for", "2h", "--why", "a sale");
            for (int i = 0; i < 7; i++) {
                assertThat(one.decide(TestCall.get("/product/1").of("acme")).admitted())
                        .isTrue();
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            Invocation get = limits("get", "acme", "get-product");
            while (!get.out().contains("7 of 5000 used, 0 held by instances, 4993 left, full reset in ")) {
                assertThat(System.nanoTime()).as(get.out() + get.err()).isLessThan(deadline);
                get = limits("get", "acme", "get-product");
            }
            assertThat(get.exitCode()).isZero();
            assertThat(get.out())
                    .contains("  file   tier 360d: 1000 in 360d (", "  store  5000/360d, until 20", ": a sale\n")
                    .contains("  now    any method, tier 360d: 7 of");
            assertThat(limits("get", "acme", "both").out())
                    .contains("there is a separate counter for each user; see sluice top --client acme");
        }
    }

    @Test
    void saysThatNothingIsSet() {
        String line = "sluice: nothing is set for tenant=acme get-product";
        assertFails(5, line, limits("get", "acme", "get-product"));
        assertFails(5, line, limits("unset", "acme", "get-product"));
        assertNoneIsSet();
        redis.call("HSET", "sluice:{limits}", "tenant|get-product|acme", "1/1s");
        assertFails(
                5,
                "sluice: nothing is set for tenant=acne get-product; did you mean tenant=acme get-product?",
                limits("unset", "acne", "get-product"));
        assertFails(
                5,
                "sluice: nothing is set for user=acme get-product; did you mean --subject tenant?",
                limits("remove", "acme", "get-product", "--subject", "user"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "acme|get-prodct||there is no endpoint get-prodct in FILE; did you mean get-product?",
                "acme|orders||there is no endpoint orders in FILE; its endpoints are all, api, both, by-country,"
                        + " by-ip, get-product, idle, trial",
                "acme|get-product|tennant|there is no subject tennant in FILE; did you mean tenant?",
                "acme|api||api is keyed by user, not by tenant, so a limit for tenant=acme might have no effect; write"
                        + " --subject user, or --subject tenant if you mean that",
                "acme|all||all counts all callers together, not by tenant, so a limit for tenant=acme might have no"
                        + " effect; write --subject NAME to count callers with that subject separately; its subjects"
                        + " are country, ip, tenant, user"
            })
    void setsNothingThatWouldChangeNothing(String client, String endpoint, String subject, String why)
            throws IOException {
        List<String> set = new ArrayList<>(List.of("set", client, endpoint, "1000/1m"));
        if (subject != null) {
            set.addAll(List.of("--subject", subject));
        }
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            String name = directory.resolve("rate-limits.yml").toString();
            assertFails(3, "sluice: " + why.replace("FILE", name), limits(set.toArray(String[]::new)));
        }
        set.addAll(List.of("--config", file()));
        assertFails(3, "sluice: " + why.replace("FILE", file()), limits(set.toArray(String[]::new)));
        assertNoneIsSet();
    }

    @Test
    void saysWhoDoesNotFollow() throws IOException {
        Invocation alone = limits("set", "acme", "get-product", "5/1m", "--config", file());
        assertThat(alone.exitCode()).isEqualTo(6);
        assertThat(alone.err())
                .isEqualToIgnoringNewLines(UNSEEN
                        + "sluice: the change is saved, but no live instance uses this store; instances apply"
                        + " it when they start");
        assertThat(limits("set", "acme", "get-product", "5/1m", "--config", file(), "--wait", "0s")
                        .exitCode())
                .isZero();
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            redis.call("ZADD", "sluice:{limits}:instances", "9999999999999", "old");
            redis.call("SET", "sluice:{limits}:instance:old", "server=o%1Bld limits=x refresh=5000");
            Invocation some = limits("set", "acme", "get-product", "6/1m", "--wait", "1s");
            assertThat(some.exitCode()).isEqualTo(6);
            assertThat(some.err())
                    .isEqualToIgnoringNewLines(UNSEEN
                            + "sluice: the change is saved, but 1 of 2 instances have applied it; not yet:"
                            + " o\\u001bld (polls every 5s)");
        }
    }

    @Test
    void warnsWhereNobodyCanTellTheNames() {
        Invocation set = limits("set", "acme", "no-such", "5/1m");
        assertThat(set.exitCode()).isEqualTo(6);
        assertThat(set.err())
                .startsWith(
                        "warning: could not check the names, because no live instance uses this store; name the file of"
                                + " the service with --config FILE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "acme|get-product|lots|\"lots\" is not a threshold and a period; write, for example, 5000/10s or"
                        + " 100/1s,5000/10s, or 5000/month",
                "acme|get-product|0/1s|the threshold of 0/1s must be from 1 to 1000000000000",
                "acme|get product|1/1s|'get product' cannot be the id of an endpoint; for all endpoints, write '*' in"
                        + " quotes",
                "acme|*|1/1s|a limit for all endpoints must be a factor, such as x2; 1/1s can be set only"
                        + " for a single endpoint",
                "acme|get-product|mix|\"mix\" is not a threshold and a period; write, for example, 5000/10s or"
                        + " 100/1s,5000/10s, or 5000/month",
                "ac*|get-product|1/1s|'ac*' cannot be a client; write 1 to 256 characters without a star"
            })
    void refusesWhatNoInstanceWouldFollow(String client, String endpoint, String tiers, String why) {
        assertFails(2, "sluice: " + why + " (see sluice limits set --help)", limits("set", client, endpoint, tiers));
        assertNoneIsSet();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "x0",
                "x-1",
                "xNaN",
                "x1e300",
                "x1000001",
                "x1.0001",
                "x1,5",
                "*2",
                "0%",
                "+5x",
                "2.x",
                "x 2"
            })
    void refusesFactorsThatAreNone(String factor) {
        String why = "\"" + factor + "\" is not a factor from 0.001 to 1000000, with at most 3 decimal places; write, "
                + "for example, x2, 1.5x or 150%";
        for (String endpoint : List.of("get-product", "*")) {
            assertFails(
                    2, "sluice: " + why + " (see sluice limits set --help)", limits("set", "acme", endpoint, factor));
        }
        assertNoneIsSet();
    }

    @Test
    void refusesTimesThatAreNone() {
        assertFails(
                2,
                "sluice: --for 'long' is not a duration; write 30s, 2h or 1d (see sluice limits set --help)",
                limits("set", "acme", "get-product", "1/1s", "--for", "long"));
        assertFails(
                2,
                "sluice: --for '0s' is out of range; write a duration from 1ms to 3660d (see sluice limits set --help)",
                limits("set", "acme", "get-product", "1/1s", "--for", "0s"));
        assertFails(
                2,
                "sluice: --wait '2h' is out of range; write at most 1h (see sluice limits unset --help)",
                limits("unset", "acme", "get-product", "--wait", "2h"));
        assertNoneIsSet();
    }

    /** As {@code top}, metrics and the page write a client. */
    @Test
    void takesAClientWithItsSubject() throws IOException {
        try (Sluice one = knownInstance()) {
            Invocation set = limits("set", "tenant=acme", "get-product", "5000/10s");
            assertThat(set.out())
                    .startsWith("The limit is set: tenant=acme get-product 5000/10s\n")
                    .endsWith(FOLLOWED);
            awaitThreshold(5000, one);
            assertThat(limits("get", "tenant=acme", "get-product").out()).contains("store  5000/10s");
            assertThat(limits("unset", "tenant=acme", "get-product").exitCode()).isZero();
            assertThat(limits("set", "user=eve", "api", "5000/10s").out())
                    .startsWith("The limit is set: user=eve api 5000/10s\n");
            assertThat(limits("get", "user=eve", "api").out()).contains("store  5000/10s");
            assertThat(limits("unset", "user=eve", "api").exitCode()).isZero();
            assertFails(
                    3,
                    "sluice: get-product is keyed by tenant, not by user, so a limit for user=eve might have no"
                            + " effect; write --subject tenant, or --subject user if you mean that",
                    limits("set", "user=eve", "get-product", "5000/10s"));
        }
    }

    @Test
    void takesAClientByItsNameForPeople() throws IOException {
        Path table = Files.writeString(
                directory.resolve("clients.csv"), "client,name\nt-1,Globex\nt-2,Twins\nt-3,Twins\nGlobe,Acme Ltd\n");
        Path limits = Files.writeString(directory.resolve("named.yml"), """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
            plans: { pro: { multiply: 2 } }
            clients: { list: [ { user: u-1, name: Eve, plan: pro } ], from: "file:%s" }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 1000 } ] }
              - { id: api, pathPattern: /api, per: [ user ], tiers: [ { period: 360d, threshold: 10 } ] }
            """.formatted(redis.patientUri(), table));
        try (Sluice one = Sluice.open(limits.toString())) {
            assertThat(one.responses()).isNotNull();
            awaitKnown();
            Invocation globex = limits("set", "Globex", "get-product", "5000/10s", "--why", "a sale");
            assertThat(globex.err()).isEmpty();
            assertThat(globex.out()).startsWith("The limit is set: tenant=t-1 (Globex) get-product 5000/10s\n");
            assertThat(limits("set", "Eve", "api", "x2", "--strict").out()).contains(": user=u-1 (Eve) api x2\n");
            assertThat(limits("list").out())
                    .contains("tenant=t-1 (Globex)  get-product  5000/10s")
                    .containsPattern("user=u-1 \\(Eve\\) +api +x2");
            assertThat(limits("history").out())
                    .contains("tenant=t-1 (Globex)  get-product")
                    .containsPattern("user=u-1 \\(Eve\\) +api +x2");
            assertThat(limits("get", "Globex", "get-product").out())
                    .startsWith("tenant=t-1 (Globex) get-product\n")
                    .contains("store  5000/10s");
            assertThat(limits("history", "Globex").out()).contains("tenant=t-1 (Globex)  get-product  5000/10s");
            assertThat(limits("unset", "Globex", "get-product").out())
                    .contains("applies again: tenant=t-1 get-product\n");
            assertFails(
                    3,
                    "sluice: Twins stands for 2 keys; write one of them: tenant=t-2, tenant=t-3",
                    limits("set", "Twins", "get-product", "5000/10s"));
            assertThat(limits("set", "Globe", "get-product", "5000/10s").out())
                    .as("a key comes before a name")
                    .startsWith("The limit is set: tenant=Globe (Acme Ltd) get-product");
        }
    }

    @Test
    void saysWhatHoldsForEachPlanThatACallMayName() throws IOException {
        Path limits = Files.writeString(directory.resolve("planned.yml"), """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            subjects: { tenant: [ "header:X-Org-Id" ] }
            plans: { free: {}, pro: { multiply: 10 } }
            clients: { planFrom: [ "header:X-Plan" ], defaultPlan: free }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 360d, threshold: 5 } ] }
            """.formatted(redis.patientUri()));
        try (Sluice one = Sluice.open(limits.toString())) {
            for (int i = 0; i < 7; i++) {
                assertThat(one.decide(TestCall.get("/product/1").of("acme").with("X-Plan", "pro"))
                                .admitted())
                        .isTrue();
            }
            awaitKnown();
            Eventually.await(
                    "counted", () -> limits("get", "acme", "get-product").out().contains("used"));
            assertThat(limits("get", "acme", "get-product").out())
                    .startsWith("""
                        tenant=acme get-product
                          file   each call names its plan, by header:X-Plan (%1$s)
                                 by plan free: tier 360d: 5 in 360d
                                 by plan pro: tier 360d: 50 in 360d
                          store  nothing is set
                        """.formatted(limits))
                    .containsPattern("any method, tier 360d: \\d+ of 5 used, .*, by plan free")
                    .containsPattern("any method, tier 360d: \\d+ of 50 used, .*, by plan pro");
            assertThat(limits("set", "acme", "get-product", "x2").out()).contains("""
                  each call names its plan, by header:X-Plan (%1$s)
                  get-product now has tier 360d: 10 in 360d, by plan free (%1$s)
                  get-product now has tier 360d: 100 in 360d, by plan pro (%1$s)
                """.formatted(limits));
            limits("unset", "acme", "get-product");
            assertThat(limits("set", "acme", "get-product", "40/360d").out())
                    .contains("""
                          each call names its plan, by header:X-Plan (%1$s)
                          It replaces tier 360d: 5 in 360d, by plan free (%1$s)
                          It replaces tier 360d: 50 in 360d, by plan pro (%1$s)
                        """.formatted(limits))
                    .doesNotContain("is new");
            assertThat(limits("get", "acme", "get-product").out())
                    .containsPattern(
                            "now    any method, tier 360d: \\d+ of 40 used, [^,]*, [^,]*, full reset in \\S+ ?\\S*\n");
        }
    }

    /** Keys in Base64 end in such signs, and some names hold one. */
    @Test
    void takesANameWithAnEqualsSign() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            for (String name : List.of("YQ==", "YWI=", "tenant=a=b")) {
                assertThat(limits("set", name, "get-product", "5000/10s").exitCode())
                        .as(name)
                        .isZero();
            }
            assertThat(limits("list").out()).contains("tenant=\"YQ==\" ", "tenant=\"YWI=\" ", "tenant=\"a=b\" ");
        }
    }

    @Test
    void asksWhetherAnotherWasMeantWhereNobodyOfThatNameCalls() throws IOException {
        try (Sluice one = knownInstance()) {
            one.decide(TestCall.get("/product/1").of("acme"));
            Eventually.await(
                    "a counter",
                    () -> redis.call("KEYS", "sluice:*acme*").toString().contains("acme"));
            assertThat(limits("set", "acmee", "get-product", "5000/10s").err())
                    .isEqualToIgnoringNewLines(
                            "warning: tenant=acmee is not in clients, and has no counter in the store: nobody with"
                                    + " that name has made a call lately; did you mean acme?");
            assertThat(limits("set", "quite-another", "get-product", "5000/10s").err())
                    .endsWith("made a call lately\n");
            assertThat(limits("set", "acme", "get-product", "5000/10s").err()).isEmpty();
            assertThat(limits("set", "big", "get-product", "5000/10s", "--strict")
                            .err())
                    .isEmpty();
            Invocation strict = limits("set", "acmee", "both", "5000/10s", "--strict");
            assertThat(strict.err()).endsWith("; did you mean acme?; nothing was set\n");
            assertThat(strict.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
            assertThat(limits("list").out()).doesNotContain("both");
        }
    }

    @Test
    void multipliesTheLimitsAtAllEndpoints() throws IOException {
        try (Sluice one = knownInstance()) {
            String file = directory.resolve("rate-limits.yml").toString();
            limits("set", "big", "both", "7/10s");
            Invocation set = limits("set", "big", "*", "x2", "--for", "2h", "--why", "a sale");
            assertThat(set.err()).isEmpty();
            assertThat(set.out())
                    .startsWith("The limit is set: tenant=big * x2\n")
                    .contains(
                            "  get-product now has tier 360d: 20000 in 360d (" + file + ")\n",
                            "  all stays the same, because it counts all callers together (" + file + ")\n",
                            "  both keeps its own limit: 7/10s\n")
                    .endsWith(FOLLOWED);
            Eventually.await(
                    "a threshold of 20000",
                    () -> one.explain(TestCall.get("/product/1").of("big"))
                                    .get(0)
                                    .tier()
                                    .limit()
                                    .threshold()
                            == 20_000);
            assertThat(limits("get", "big", "get-product").out())
                    .contains("10000 in 360d, by client tenant: big", "  store  x2 for all endpoints, until 20");
            assertThat(limits("get", "big", "*").out()).contains("tenant=big *\n  store  x2, until 20");
            assertThat(limits("list").out()).containsPattern("tenant=big +\\* +x2 +20");
            assertThat(limits("unset", "big", "*").exitCode()).isZero();
        }
    }

    @Test
    void showsWhatWasSetAndUnsetByWhomAndWhy() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            assertThat(limits("history").err()).isEqualTo("nothing was set or unset in the last 90 days\n");
            limits("set", "acme", "get-product", "5000/10s", "--for", "2h", "--why", "a sale");
            limits("set", "user=eve", "api", "x2");
            limits("unset", "acme", "get-product", "--why", "it is over");
            Invocation all = limits("history");
            assertThat(all.out().lines())
                    .satisfiesExactly(
                            head -> assertThat(head)
                                    .matches("time +change +client +endpoint +limit or calls +until +by +why"),
                            unset -> assertThat(unset)
                                    .matches("20\\S+Z +unset +tenant=acme +get-product +- +- +\\S+@\\S+ +it is over"),
                            eve -> assertThat(eve).matches("20\\S+Z +set +user=eve +api +x2 +- +\\S+@\\S+ +-"),
                            set -> assertThat(set)
                                    .matches("20\\S+Z +set +tenant=acme +get-product +5000/10s +20\\S+Z +"
                                            + "\\S+@\\S+ +a sale"));
            assertThat(limits("history", "acme").out()).hasLineCount(3);
            assertThat(limits("history", "eve", "--subject", "user").out()).hasLineCount(2);
        }
    }

    @Test
    void saysWhatItReplacesAndWhatBeginsAnew() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            String file = directory.resolve("rate-limits.yml").toString();
            assertThat(limits("set", "acme", "get-product", "500/10s", "--for", "2h", "--why", "a sale")
                            .out())
                    .contains(
                            "\n  It replaces tier 360d: 1000 in 360d (" + file + ")\n",
                            "\n  tier 10s is new and starts to count at 0\n");
            assertThat(limits("set", "acme", "get-product", "600/10s").out())
                    .containsPattern(
                            "\n  It replaces 500/10s, until 20\\S+Z \\(in [^)]+\\), set 20\\S+Z by \\S+@\\S+: a sale\n")
                    .doesNotContain("begins", "360d: fixed");
            assertThat(limits("set", "other", "get-product", "2000/360d,50/1s").out())
                    .contains("\n  tier 1s is new and starts to count at 0\n");
        }
    }

    @Test
    void marksLimitsThatHaveNoEffect() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            redis.call("HSET", "sluice:{limits}", "tenant|get-product|zed", "0/10s|0|0|a|b");
            redis.call("HSET", "sluice:{limits}", "tenant|gone|acme", "5/10s|0|0|a|b");
            redis.call("HSET", "sluice:{limits}", "tenant|get-product|acme", "5/10s|0|0|a|b");
            assertThat(limits("list").out().lines())
                    .hasSize(6)
                    .endsWith("tenant=zed get-product 0/10s has no effect: the threshold of 0/10s must be from 1 to "
                            + "1000000000000")
                    .element(4)
                    .asString()
                    .startsWith("tenant=acme gone 5/10s has no effect: there is no endpoint gone in ");
        }
    }

    @Test
    void listsLimitsThoughInstancesCannotBeRead() {
        redis.call("HSET", "sluice:{limits}", "tenant|get-product|acme", "5/10s|0|0|a|b");
        redis.call("SET", "sluice:{limits}:instances", "garbled");
        Invocation list = limits("list");
        assertThat(list.out().lines())
                .last()
                .asString()
                .isEqualTo("tenant=acme  get-product  5/10s  -      -    a   b");
        assertThat(list.exitCode()).isZero();
    }

    /** Without an answer, it is unknown whether the change was made. */
    @Test
    void saysWhatIsNotKnown() throws IOException {
        try (Sluice one = knownInstance()) {
            assertThat(one.responses()).isNotNull();
            redis.call("HSET", "sluice:{limits}", "tenant|get-product|acme", "5/10s");
            redis.call("LPUSH", "sluice:{limits}:version", "no text, so every script fails");
            Invocation unset = limits("unset", "acme", "get-product", "--wait", "0s");
            assertThat(unset.err()).contains("; the limit might have been changed; check with sluice limits get");
            assertThat(unset.exitCode()).isEqualTo(4);
            assertThat(limits("set", "acme", "get-product", "5/10s").err()).endsWith("; nothing was changed\n");
        }
    }

    @Test
    void asksForWhatIsMissing() {
        assertFails(
                2,
                "sluice: name a command: set, get, list, unset, give, reset, history, blocked or unblock (see sluice limits --help)",
                Invocation.of("limits"));
        assertFails(
                2,
                "sluice: name the store: --store redis://localhost:6379, or SLUICE_STORE in the environment (see"
                        + " sluice limits list --help)",
                Invocation.of("limits", "list"));
        assertFails(
                2,
                "sluice: --store: store uri memory: cannot store client limits; write, for example,"
                        + " redis://localhost:6379 (see sluice limits list --help)",
                Invocation.of("limits", "list", "--store", "memory:"));
    }
}
