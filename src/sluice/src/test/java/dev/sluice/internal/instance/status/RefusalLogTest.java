package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Eventually;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.open.RecordingLogger;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The test ends the intervals, since those of the file are a day long. */
class RefusalLogTest {

    private static final Tier TIER = new Tier("10s", new Limit.FixedWindow(100, Duration.ofSeconds(10)));
    private static final List<Subject> ALL = List.of();

    private final RecordingLogger log = new RecordingLogger();
    private Duration interval = Duration.ofDays(1);
    private final RefusalLog refusals = new RefusalLog(
            log, () -> interval, subject -> subject.value().equals("#wlmbexiOcGSBpGSKCA6U7Q") ? "Acme Ltd" : null);

    @AfterEach
    void close() {
        refusals.close();
    }

    private void decide(int times, String endpoint, List<Subject> who, Outcome outcome) {
        Endpoint shop = new Endpoint(endpoint, Set.of(), "/", List.of(), Mode.ENFORCE, List.of(TIER));
        for (int i = 0; i < times; i++) {
            refusals.onDecision(TestCall.get("/"), new Decision(outcome, shop, TIER, who, 0, 1, 1, null));
        }
    }

    private void decide(int times, String endpoint, String tenant, Outcome outcome) {
        decide(times, endpoint, List.of(new Subject("tenant", "header:X-Org-Id", tenant)), outcome);
    }

    private List<String> told() {
        List<String> told = List.copyOf(log.entries());
        log.entries().clear();
        return told;
    }

    @Test
    void namesForEachEndpointTheCallersRefusedMost() {
        refusals.follow();
        for (int caller = 1; caller <= 7; caller++) {
            decide(caller, "shop", "tenant-" + caller, Outcome.REFUSED);
        }
        decide(2, "shop", "tenant-7", Outcome.REFUSED_BUSY);
        decide(9, "shop", "tenant-8", Outcome.ADMITTED);
        decide(1, "login", ALL, Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly(
                        "INFO login refused 1 call within the last 1d: 1 by tier 10s, which all callers share",
                        "INFO shop refused 30 calls within the last 1d: "
                                + "9 of tenant=tenant-7 by tier 10s; 6 of tenant=tenant-6 by tier 10s; "
                                + "5 of tenant=tenant-5 by tier 10s; 4 of tenant=tenant-4 by tier 10s; "
                                + "3 of tenant=tenant-3 by tier 10s; 3 of other callers");
        refusals.write();
        assertThat(told()).isEmpty();
    }

    @Test
    void tellsWhatADryRunWouldRefuse() {
        refusals.follow();
        decide(3, "search", "acme", Outcome.WOULD_REFUSE);
        decide(3, "shop", "acme", Outcome.WOULD_REFUSE);
        decide(1, "shop", "globex", Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly(
                        "INFO search would have refused 3 calls (dry run) within the last 1d: 3 of tenant=acme by tier 10s",
                        "INFO shop refused 1 call and would have refused 3 calls (dry run) within the last 1d: "
                                + "3 of tenant=acme by tier 10s; 1 of tenant=globex by tier 10s");
    }

    @Test
    void cutsAndEscapesNames() {
        refusals.follow();
        decide(1, "shop", "a\r\nERROR forged", Outcome.REFUSED);
        decide(2, "shop", "\u202e" + "x".repeat(10_000), Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly("INFO shop refused 3 calls within the last 1d: 2 of tenant=\"\\u202e"
                        + "x".repeat(15)
                        + "\"… by tier 10s; 1 of tenant=\"a\\u000d\\u000aERROR forged\" by tier 10s");
    }

    @Test
    void namesSecretsByTheirWholeHash() {
        refusals.follow();
        String hash = SecretDigest.unkeyed().apply("key-of-a-customer");
        decide(1, "shop", hash, Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly("INFO shop refused 1 call within the last 1d: 1 of tenant=" + hash + " by tier 10s");
    }

    @Test
    void namesClientsAsPeopleDo() {
        refusals.follow();
        decide(1, "shop", "#wlmbexiOcGSBpGSKCA6U7Q", Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly("INFO shop refused 1 call within the last 1d: 1 of \"Acme Ltd\" by tier 10s");
    }

    @Test
    void letsNobodyForgeCountsOrAddresses() {
        refusals.follow();
        decide(3, "shop", "acme 441", Outcome.REFUSED);
        decide(2, "shop", "a\" 9; tenant b", Outcome.REFUSED);
        decide(4, "shop", "127.0.0.1", Outcome.REFUSED);
        decide(5, "shop", List.of(new Subject("tenant", "ip", "127.0.0.1")), Outcome.REFUSED);
        decide(6, "shop", List.of(new Subject("ip", "ip", "127.0.0.2")), Outcome.REFUSED);
        decide(1, "shop", "127.0.0.1 (by ip)", Outcome.REFUSED);
        refusals.write();
        assertThat(told())
                .containsExactly("INFO shop refused 21 calls within the last 1d: 6 of ip=127.0.0.2 by tier 10s; "
                        + "5 of tenant=127.0.0.1 (by ip) by tier 10s; "
                        + "4 of tenant=127.0.0.1 by tier 10s; 3 of tenant=\"acme 441\" by tier 10s; "
                        + "2 of tenant=\"a\\\" 9; tenant b\" by tier 10s; 1 of other callers");
    }

    @Test
    void saysAsManyLinesForAMillionRefusalsAsForOne() {
        refusals.follow();
        for (int i = 0; i < 1_000_000; i++) {
            decide(1, "shop", i % 10 == 0 ? "busy" : "made-up-" + i, Outcome.REFUSED);
        }
        refusals.write();
        assertThat(told())
                .singleElement()
                .asString()
                .startsWith("INFO shop refused 1000000 calls within the last 1d: 100000 of tenant=busy by tier 10s; "
                        + "1 of tenant=made-up-")
                .hasSizeLessThan(300);
    }

    @Test
    void saysNothingUnlessTheFileAsksForIt() {
        interval = Duration.ZERO;
        refusals.follow();
        decide(1, "shop", "acme", Outcome.REFUSED);
        refusals.write();
        refusals.close();
        assertThat(told()).isEmpty();
    }

    @Test
    void followsTheFile() {
        interval = Duration.ZERO;
        refusals.follow();
        interval = Duration.ofDays(1);
        refusals.onReload(List.of());
        decide(1, "shop", "acme", Outcome.REFUSED);
        assertThat(told()).isEmpty();
        interval = Duration.ZERO;
        refusals.onReload(List.of());
        assertThat(told()).containsExactly("INFO shop refused 1 call within the last 1d: 1 of tenant=acme by tier 10s");
        decide(1, "shop", "acme", Outcome.REFUSED);
        refusals.write();
        assertThat(told()).isEmpty();
    }

    @Test
    void tellsTheLastWhenTheFileChangesItsInterval() {
        refusals.follow();
        decide(1, "shop", "acme", Outcome.REFUSED);
        interval = Duration.ofDays(2);
        refusals.onReload(List.of());
        assertThat(told()).containsExactly("INFO shop refused 1 call within the last 1d: 1 of tenant=acme by tier 10s");
        decide(1, "shop", "acme", Outcome.REFUSED);
        interval = Duration.ofMillis(1);
        refusals.onReload(List.of());
        assertThat(told()).containsExactly("INFO shop refused 1 call within the last 2d: 1 of tenant=acme by tier 10s");
        decide(1, "shop", "acme", Outcome.REFUSED);
        Eventually.await("a line after a millisecond", () -> !told().isEmpty());
    }

    @Test
    void tellsTheLastWhenItEnds() {
        refusals.follow();
        decide(1, "shop", "acme", Outcome.REFUSED);
        refusals.close();
        assertThat(told()).containsExactly("INFO shop refused 1 call within the last 1d: 1 of tenant=acme by tier 10s");
        refusals.onReload(List.of());
        decide(1, "shop", "acme", Outcome.REFUSED);
        refusals.write();
        assertThat(told()).isEmpty();
    }
}
