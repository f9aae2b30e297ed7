package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.config.Sluice;
import dev.sluice.config.source.ConfigLocation;
import dev.sluice.store.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command sets reaches the instances on the store, whatever becomes of the store. */
class LimitsCommandTest {

    private static final String FILE = """
            store: { uri: "%s" }
            limits: { refresh: 100ms }
            subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
            endpoints:
              - { id: get-product, pathPattern: /product/*, tiers: [ { period: 10s, threshold: 1000 } ] }
            """;

    private static RedisServer redis;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.call("FLUSHALL");
    }

    private static Invocation limits(String... arguments) {
        List<String> all = new ArrayList<>(List.of("limits"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--store", redis.patientUri()));
        return Invocation.of(all.toArray(String[]::new));
    }

    private static void assertPrints(String out, String... arguments) {
        Invocation run = limits(arguments);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualToNormalizingNewlines(out);
        assertThat(run.exitCode()).isZero();
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

    @Test
    void setsForAllInstancesAndTakesBack() throws IOException {
        try (Sluice one = instance();
                Sluice other = instance()) {
            assertThat(threshold(one)).isEqualTo(1000);
            assertPrints("tenant acme get-product 5000/10s\n", "set", "acme", "get-product", "5000/10s");
            awaitThreshold(5000, one, other);
            assertPrints(
                    "tenant acme get-product: removed, the limit in the file holds again\n",
                    "unset",
                    "acme",
                    "get-product");
            awaitThreshold(1000, one, other);
        }
    }

    @Test
    void whatIsKnownOutlivesAnOutage() throws IOException {
        try (Sluice one = instance();
                Sluice other = instance()) {
            limits("set", "acme", "get-product", "5000/10s");
            awaitThreshold(5000, one, other);
            redis.kill();
            Invocation refused = limits("set", "acme", "get-product", "6000/10s");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).startsWith("sluice: redis://127.0.0.1:").hasLineCount(1);
            assertThat(threshold(one)).isEqualTo(5000);
            redis.start();
            redis.call("HSET", "sluice:{limits}", "?", "garbled");
            limits("set", "other", "get-product", "1/10s");
            limits("set", "acme", "get-product", "6000/10s");
            awaitThreshold(6000, one, other);
        }
    }

    @Test
    void showsWhatIsSet() {
        limits("set", "beta", "get-product", "5/1m");
        limits("set", "acme inc", "get-product", "100/1s,5000/10s");
        limits("set", "--subject", "user", "eve", "login", "1/1s");
        assertPrints("100/1s,5000/10s\n", "get", "acme inc", "get-product");
        assertPrints("tenant acme inc get-product 100/1s,5000/10s\ntenant beta get-product 5/1m\n", "list");
        assertPrints("user eve login 1/1s\n", "list", "--subject", "user");
    }

    @Test
    void saysThatNothingIsSet() {
        String line = "sluice: nothing is set for tenant acme get-product";
        assertFails(1, line, limits("get", "acme", "get-product"));
        assertFails(1, line, limits("unset", "acme", "get-product"));
        assertPrints("", "list");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "acme|get-product|lots|\"lots\" is not a threshold and a period; write, for example, 5000/10s or 100/1s,5000/10s",
                "acme|get-product|0/1s|the threshold of 0/1s is not from 1 to 1000000000000",
                "acme|get product|1/1s|'get product' cannot be the id of an endpoint",
                "ac*|get-product|1/1s|'ac*' cannot be a client; write 1 to 256 characters without a star"
            })
    void refusesWhatNoInstanceWouldFollow(String client, String endpoint, String tiers, String why) {
        assertFails(2, "sluice: " + why + " (see sluice limits set --help)", limits("set", client, endpoint, tiers));
        assertPrints("", "list");
    }

    @Test
    void asksForWhatIsMissing() {
        assertFails(
                2,
                "sluice: say what to do with limits: set, get, list or unset (see sluice limits --help)",
                Invocation.of("limits"));
        assertFails(
                2,
                "sluice: Missing required option: '--store=URI' (see sluice limits list --help)",
                Invocation.of("limits", "list"));
        assertFails(
                2,
                "sluice: --store: store uri memory: cannot keep limits of clients; write, for example, redis://localhost:6379 (see sluice limits list --help)",
                Invocation.of("limits", "list", "--store", "memory:"));
    }
}
