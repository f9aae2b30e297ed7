package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** With a store, its counters decide what becomes of the next call. */
@Tag("store")
class ExplainStoreTest {

    private static final String FILE = """
            sync: { timeout: 30s }
            subjects: { tenant: [ "header:X-Org-Id" ] }
            clients: [ { tenant: free, exempt: true } ]
            endpoints:
              - { id: a, pathPattern: /a, cost: 2, tiers: [ { period: 360d, threshold: 10 } ] }
              - { id: b, pathPattern: /b, cost: "header:X-Cost", tiers: [ { period: 360d, threshold: 10 } ] }
              - { id: slot, pathPattern: /p, tiers: [ { algorithm: concurrency, threshold: 3, scope: server } ] }
              - { id: slots, pathPattern: /slots, cost: 5, tiers: [ { algorithm: concurrency, threshold: 3 } ] }
              - { id: trial, pathPattern: /**, mode: dry-run, tiers: [ { period: 360d, threshold: 3 } ] }
            """;

    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    private ExplainedStore store;

    @BeforeEach
    void writeFile() throws IOException {
        store = ExplainedStore.of(directory, FILE, redis.patientUri());
    }

    @Test
    void showsWhatIsLeftAndWhatHappensToTheNextCall() {
        store.callUntilKnown(
                "/a",
                2,
                "now: 4 of 10 used, 0 held by instances, 6 left, full reset in ",
                "now: 2 of 3 used, 0 held by instances, 1 left");
        assertThat(store.explain("/a", "acme"))
                .endsWith("\nThe next such call passes. The limit with the smallest fraction left is trial, tier 360d, "
                        + "where it costs 1.\n");
        assertThat(store.explain("/a", "other")).contains("now: 0 of 10 used, 0 held by instances, 10 left");
        store.callUntilKnown(
                "/a",
                9,
                "now: 10 of 10 used, 0 held by instances, 0 left",
                "now: 3 of 3 used, 0 held by instances, 0 left");
        assertThat(store.explain("/a", "acme"))
                .contains(
                        "\nThe next such call is refused:\n  by a, tier 360d: it costs 2, and 0 of 10 are left; a retry passes in ")
                .contains(
                        "\n  without the dry run, it would be refused by trial, tier 360d: it costs 1, and 0 of 3 are "
                                + "left");
    }

    @Test
    void saysWhatCountsForWhichUnresponsiveInstance() {
        store.holdAndDie("shop-2-0b2f8c1e-5d2a-4f0e-9a3b-6c1d2e3f4a5b", 3);
        store.holdAndDie("\u001b[2Jshop", 1);
        assertThat(store.explain("/a", "acme"))
                .containsPattern("    now: 4 of 10 used, 0 held by instances, 6 left, full reset in .+\n"
                        + "      3 count as used: instance shop-2 held them, and has been unresponsive since "
                        + TIME + "\n"
                        + "      1 counts as used: instance \\?\\[2Jshop held it, and has been unresponsive since "
                        + TIME + "\n");
        assertThat(store.explain("/a", "other")).doesNotContain("unresponsive");
        assertThat(Invocation.of("limits", "get", "acme", "a", "--config", store.file(), "--store", redis.patientUri())
                        .out())
                .containsPattern(
                        "  now    any method, tier 360d: 4 of 10 used, .*; 3 count as used: instance shop-2 held "
                                + "them, and has been unresponsive since " + TIME + "; 1 counts as used: instance ");
    }

    @Test
    void namesThreeUnresponsiveInstancesAndCountsTheOthers() {
        for (int i = 1; i <= 5; i++) {
            store.holdAndDie("shop-" + i, 1);
        }
        assertThat(store.explain("/a", "acme"))
                .contains("instance shop-3 held it", "\n      2 more, of 2 other instances\n")
                .doesNotContain("shop-4");
    }

    @Test
    void showsTheLimitThatIsSetInTheStore() {
        store.assertShowsLimitsThatAreSet();
    }

    @Test
    void saysThatACallIsTooDearToPassEver() {
        assertThat(store.explain("/b", "acme", "-H", "X-Cost: 11"))
                .contains(
                        "  by b, tier 360d: it costs 11, and the limit never admits more than 10 at once, so retrying is useless; raise the limit, or lower the cost\n");
        assertThat(Invocation.of("explain", store.file(), "GET", "/b", "-H", "X-Org-Id: acme", "-H", "X-Cost: 11")
                        .out())
                .contains("The headers show b, tier 360d, because it refuses the call. The call costs 11.\n")
                .contains(
                        "\nSuch a call never passes b, tier 360d: it costs 11, and the limit never admits more than 10 at once, so retrying is useless; raise the limit, or lower the cost.\n");
    }

    /** Whatever it costs, it takes one slot. */
    @Test
    void aCallThatCostsMuchPassesALimitOfSlots() {
        assertThat(store.explain("/slots", "acme")).contains("now: 0 of 3 used", "\nThe next such call passes. ");
        assertThat(Invocation.of("explain", store.file(), "GET", "/slots", "-H", "X-Org-Id: acme")
                        .out())
                .contains(
                        "The headers show slots, tier concurrency. The call costs 1.\n", "A first call is answered 200")
                .doesNotContain("never passes");
    }

    @Test
    void showsExemptCallersAndWhatEachInstanceCountsAlone() {
        assertThat(store.explain("/b", "free", "-H", "X-Cost: 11")).contains("\nThe next such call passes.\n");
        assertThat(store.explain("/p", "acme")).contains("    each instance counts this tier alone\n");
    }

    @Test
    void saysWhichLimitADryRunReports() {
        assertThat(Invocation.of("explain", store.file(), "GET", "/other", "-H", "X-Org-Id: acme")
                        .out())
                .endsWith("""

                        No headers show trial, tier 360d. The call costs 1.
                        trial is in dry-run mode: calls beyond its limit pass, and are reported.
                        A first call is answered 200.
                        """);
    }

    @Test
    void changesNothing() {
        store.callUntilKnown("/a", 2, "now: 4 of 10 used");
        redis.call("CONFIG", "RESETSTAT");
        store.explain("/a", "acme");
        assertThat(redis.commandCalls().keySet())
                .doesNotContain("incrby", "hset", "hdel", "zadd", "zrem", "pexpire", "expire", "del", "set", "publish");
    }

    @Test
    void asksForNoTimeButNow() {
        Invocation run = Invocation.of(
                "explain", store.file(), "GET", "/a", "--at", "2026-01-01T00:00Z", "--store", redis.patientUri());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualToIgnoringNewLines(
                        "sluice: --at and --store cannot be combined: the store contains only current counts"
                                + " (see sluice explain --help)");
    }
}
