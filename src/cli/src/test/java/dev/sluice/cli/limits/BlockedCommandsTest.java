package dev.sluice.cli.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators see who is blocked, wherever the block began, and end it for all instances. */
@Tag("store")
@Tag("docs")
class BlockedCommandsTest {

    private static final String FILE = """
        store: { uri: "%s" }
        sync: { timeout: 30s }
        endpoints:
          - id: log-in
            methods: [ POST ]
            pathPattern: /login
            per: [ ip ]
            tiers: [ { period: 360d, threshold: 1, block: { after: 2, within: 1h, for: 15m, upTo: 24h } } ]
          - id: voucher
            pathPattern: /voucher
            per: [ ip ]
            tiers: [ { period: 360d, threshold: 1, block: { after: 1, within: 1h, for: 1h } } ]
          - id: partner
            pathPattern: /partner
            per: [ key ]
            tiers: &once [ { period: 360d, threshold: 1, block: { after: 1, within: 1h, for: 1h } } ]
        subjects: { key: { sources: [ "header:X-Api-Key" ], secret: true } }
        secrets: { key: "the key of all instances" }
        clients:
          list: [ { key: [ one-of-globex, other-of-globex ], name: Globex, endpoints: { partner: *once } } ]
        """;
    private static final String SINCE = " since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    private static final String UNTIL = " until \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ \\(";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private Path file;
    private Sluice one;
    private Sluice two;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(directory.resolve("rate-limits.yml"), FILE.formatted(redis.patientUri()));
        one = instance();
        two = instance();
    }

    private Sluice instance() {
        return Sluice.builder().config(ConfigLocation.source(file.toString())).open();
    }

    @AfterEach
    void end() {
        one.close();
        two.close();
    }

    private static Invocation sluice(String... arguments) {
        return Invocation.onStore(redis.patientUri(), arguments);
    }

    /** The page shows another limit, and the second block in a row. */
    @Test
    void printWhatOperationsShows() throws IOException {
        String page = Files.readString(Path.of("docs/operations.md"));
        String caller = "ip=203\\.0\\.113\\.7 (POST )?log-in \\d+[md]";
        Pattern blocked = Pattern.compile("(?m)^" + caller + SINCE + UNTIL
                + "([0-9]+[dhms] ?)+\\)(, block \\d in a row)?: \\d+ refusals within \\d+[mh] by \\d+ in \\d+[md]$");
        Pattern unblocked =
                Pattern.compile("(?m)^" + caller + " is unblocked; it is refused only while its limit is used up$");
        assertThat(page).containsPattern(blocked).containsPattern(unblocked);

        block("203.0.113.7");
        assertThat(sluice("limits", "blocked").out()).containsPattern(blocked);
        assertThat(sluice("limits", "unblock", "203.0.113.7", "log-in").out()).containsPattern(unblocked);
    }

    private static TestCall login(String ip) {
        return TestCall.post("/login").from(ip);
    }

    private void block(String ip) {
        for (int i = 0; i < 3; i++) {
            one.decide(login(ip));
        }
        Eventually.await("a block on the other instance", () -> !two.blocks().isEmpty());
    }

    @Test
    void listShowsWhoIsBlockedWhereSinceWhenUntilWhenAndWhy() {
        assertThat(sluice("limits", "blocked").err()).isEqualToIgnoringNewLines("nobody is blocked");
        block("192.0.2.1");
        assertThat(sluice("limits", "blocked").printed())
                .matches("(?s)ip=192\\.0\\.2\\.1 POST log-in 360d" + SINCE + UNTIL
                        + "1[45]m( \\d+s)?\\): 2 refusals within 1h by 1 in 360d\\R");
        assertThat(sluice("limits", "blocked", "--endpoint", "voucher").err())
                .isEqualToIgnoringNewLines("nobody is blocked there");
    }

    @Test
    void listsThatAreEmptyAreNoFailure() {
        for (String list : List.of("list", "history", "blocked")) {
            assertThat(sluice("limits", list).exitCode()).as(list).isZero();
        }
        assertThat(Invocation.of("limits", "--help").out().replaceAll("\\s+", " "))
                .contains("5 if get or unset finds no limit, give or reset can give nothing, "
                        + "or unblock finds no block;");
    }

    @Test
    void listShowsADashIfTheStoreDoesNotKnowWhy() {
        block("192.0.2.1");
        String name = one.blocks().get(0).key().identity();
        redis.call("HSET", "sluice:{limits}:blocks", name, "1000 " + (System.currentTimeMillis() + 900_000) + " 1");
        assertThat(sluice("limits", "blocked").printed()).contains(" since 1970-01-01T00:00:01Z until ", "): -");
    }

    @Test
    void unblockEndsTheBlockOnAllInstances() {
        block("192.0.2.1");
        assertThat(sluice("limits", "unblock", "ip=192.0.2.1").printed())
                .isEqualToIgnoringNewLines(
                        "ip=192.0.2.1 POST log-in 360d is unblocked; it is refused only while its limit is used up");
        Eventually.await(
                "no block", () -> one.blocks().isEmpty() && two.blocks().isEmpty());
        assertThat(two.decide(login("192.0.2.1")).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(sluice("limits", "blocked").out()).isEmpty();
    }

    /** A factor multiplies what the file says, and that blocks. */
    @Test
    void settingALimitSaysIfTheClientStaysBlocked() {
        block("192.0.2.1");
        String blocked = "The client is still blocked: ip=192\\.0\\.2\\.1 POST log-in 360d" + UNTIL
                + "1[45]m( \\d+s)?\\); end this with sluice limits unblock";
        String[] forAll = {"limits", "set", "192.0.2.1", "*", "x2", "--subject", "ip", "--wait", "0s"};
        assertThat(sluice(forAll).out()).containsPattern(blocked);
        String[] get = {"limits", "get", "192.0.2.1", "log-in", "--subject", "ip"};
        assertThat(sluice(get).out()).containsPattern(blocked);
        String[] elsewhere = {"limits", "get", "192.0.2.1", "voucher", "--subject", "ip"};
        assertThat(sluice(elsewhere).out()).doesNotContain("blocked");
        String[] tiers = {"limits", "set", "192.0.2.1", "log-in", "9/1m", "--subject", "ip", "--wait", "0s"};
        assertThat(sluice(tiers).out()).doesNotContain("blocked");
        assertThat(sluice(get).out()).doesNotContain("blocked");
    }

    @Test
    void unblockMayNameAnEndpoint() {
        block("192.0.2.1");
        TestCall voucher = TestCall.get("/voucher").from("192.0.2.1");
        one.decide(voucher);
        one.decide(voucher);
        Eventually.await(
                "both blocks", () -> sluice("limits", "blocked").out().lines().count() == 2);
        assertThat(sluice("limits", "unblock", "192.0.2.1", "voucher").printed())
                .isEqualToIgnoringNewLines(
                        "ip=192.0.2.1 voucher 360d is unblocked; it is refused only while its limit is used up");
        assertThat(sluice("limits", "blocked").out()).contains("log-in").doesNotContain("voucher");
    }

    @Test
    void secretsHaveTheNameOfTheirClient() {
        for (String key : List.of("one-of-globex", "other-of-globex", "of-a-stranger")) {
            TestCall call = TestCall.get("/partner").with("X-Api-Key", key);
            one.decide(call);
            one.decide(call);
        }
        Eventually.await("all blocks on the other instance", () -> two.blocks().size() == 3);
        String blocked = sluice("limits", "blocked").out();
        assertThat(blocked.lines())
                .hasSize(3)
                .filteredOn(line -> line.contains("(Globex) partner 360d since "))
                .hasSize(2);
        assertThat(sluice("limits", "unblock", "Globex", "partner").out().lines())
                .hasSize(2)
                .allMatch(line -> line.contains("(Globex) partner 360d is unblocked; "));
        assertThat(sluice("limits", "blocked").out().lines()).hasSize(1);
    }

    /** The file has the client's keys as they are; only their hashes are keys of counters, and shown. */
    @ParameterizedTest
    @ValueSource(strings = {"Globex", "one-of-globex", "key=one-of-globex"})
    void unblockKnowsSecretsFromTheFile(String caller) {
        TestCall call = TestCall.get("/partner").with("X-Api-Key", "one-of-globex");
        one.decide(call);
        one.decide(call);
        Eventually.await("the block on the other instance", () -> two.blocks().size() == 1);
        assertThat(sluice("limits", "unblock", caller, "partner", "--config", file.toString())
                        .printed())
                .contains("(Globex) partner 360d is unblocked; ")
                .doesNotContain("one-of-globex");
        assertThat(sluice("limits", "blocked").out()).isEmpty();
    }

    @Test
    void unblockSaysWhereNobodyIsBlocked() {
        block("192.0.2.1");
        Invocation other = sluice("limits", "unblock", "192.0.2.11");
        assertThat(other.exitCode()).isEqualTo(ExitCodes.NOTHING_SET);
        assertThat(other.err()).isEqualToIgnoringNewLines("sluice: 192.0.2.11 is not blocked; did you mean 192.0.2.1?");
        Invocation there = sluice("limits", "unblock", "192.0.2.1", "voucher");
        assertThat(there.exitCode()).isEqualTo(ExitCodes.NOTHING_SET);
        assertThat(there.err()).isEqualToIgnoringNewLines("sluice: 192.0.2.1 is not blocked at voucher");
        Invocation misspelt = sluice("limits", "unblock", "192.0.2.1", "log-on");
        assertThat(misspelt.exitCode()).isEqualTo(ExitCodes.UNKNOWN_NAME);
        assertThat(misspelt.err())
                .startsWith("sluice: there is no endpoint log-on in ")
                .contains("; did you mean log-in?");
    }

    @Test
    void topShowsThoseWhoAreBlocked() {
        assertThat(sluice("top", "--once").printed()).doesNotContain("Blocked");
        block("192.0.2.1");
        assertThat(sluice("top", "--once").printed())
                .contains("Callers blocked after too many refusals")
                .containsPattern("1[45]m( \\d+s)?  \\S+Z +1  POST log-in +360d +ip=192\\.0\\.2\\.1\\R");
        assertThat(sluice("top", "--once", "--client", "192.0.2.2").printed()).doesNotContain("Blocked");
    }

    @Test
    void explainSaysThatTheCallerIsBlocked() {
        String[] call = {"explain", file.toString(), "POST", "/login", "--ip", "192.0.2.1"};
        assertThat(sluice(call).printed()).doesNotContain("blocked until");
        block("192.0.2.1");
        assertThat(sluice(call).printed())
                .contains("1 in 360d, blocks for 15m up to 1d after 2 refusals within 1h")
                .containsPattern("    the caller is blocked" + UNTIL)
                .containsPattern(
                        "The next such call is refused:\\R" + "  by log-in, tier 360d: the caller is blocked" + UNTIL);
    }
}
