package dev.sluice.internal.instance.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.RecordingListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.tier.TierText;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.open.GivenFile;
import dev.sluice.open.RecordingLogger;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of overrides on calls, together with the file. */
class UsableOverridesTest {

    private static final String FILE = """
        subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
        clients:
          - { tenant: free, exempt: true }
          - { tenant: big, multiply: 10 }
          - { tenant: rich, endpoints: { a: [ { period: 1h, threshold: 7 } ] } }
          - { tenant: trial, mode: dry-run }
        endpoints:
          - { id: a, pathPattern: /a, tiers: [ { period: 1h, threshold: 2 } ] }
          - { id: b, pathPattern: /b, per: [ ], tiers: [ { period: 1h, threshold: 2 } ] }
          - { id: c, pathPattern: /c, per: [ user ], tiers: [ { period: 1h, threshold: 2 } ] }
        """;

    private final RecordingLogger log = new RecordingLogger();
    private final RecordingListener listener = new RecordingListener();
    private final LimitsFile file = new GivenFile(FILE).load();
    private final CountingRateLimiter limiter =
            new CountingRateLimiter(file.limits(), new TestClock(0), RateLimitListener.NONE);
    private final LimitsInForce inForce = new LimitsInForce(log, file, now -> false, limiter::replace, listener);

    @AfterEach
    void close() {
        limiter.close();
    }

    private void keep(ClientOverride... limits) {
        inForce.follow(new Overrides("v", Arrays.asList(limits)));
    }

    private static ClientOverride of(String tenant, String endpoint, String tiers) {
        return new ClientOverride("tenant", tenant, endpoint, tiers);
    }

    private Decision decide(String path, String tenant) {
        return limiter.decide(TestCall.get(path).of(tenant));
    }

    /** The number of ten calls that pass. */
    private long passing(String path, String tenant) {
        return IntStream.range(0, 10)
                .filter(i -> decide(path, tenant).admitted())
                .count();
    }

    @Test
    void areToldToTheListenerOnceForEachChange() {
        keep();
        assertThat(listener.take()).isEmpty();
        keep(of("acme", "a", "4/1h"));
        keep(of("acme", "a", "4/1h"));
        inForce.follow(new GivenFile(FILE.replace("threshold: 2", "threshold: 3")).load());
        keep();
        assertThat(listener.take()).containsExactly("overrides 1", "reload [a, b, c]", "overrides 0");
    }

    @ParameterizedTest
    @CsvSource({"acme, /a", "big, /a", "rich, /a", "acme, /b", "acme, /c"})
    void holdInThePlaceOfTheFilesTiers(String tenant, String path) {
        keep(of(tenant, path.substring(1), "4/1h"));
        assertThat(passing(path, tenant)).isEqualTo(4);
        assertThat(passing(path, "other")).isEqualTo(2);
    }

    /** The threshold of the endpoint {@code a} for a tenant. */
    private long threshold(String path, String tenant) {
        return limiter.explain(TestCall.get(path).of(tenant))
                .get(0)
                .tier()
                .limit()
                .threshold();
    }

    @ParameterizedTest
    @CsvSource({"acme, 4", "big, 40", "rich, 14", "other, 2"})
    void multiplyWhatTheFileSaysForThatClient(String tenant, long threshold) {
        keep(of("acme", "a", "x2"), of("big", "*", "200%"), of("rich", "*", "2x"));
        assertThat(threshold("/a", tenant)).isEqualTo(threshold);
    }

    @Test
    void multiplyAtAllEndpointsButThoseThatCountAllCallersTogether() {
        keep(of("acme", "*", "x2"));
        assertThat(passing("/a", "acme")).isEqualTo(4);
        assertThat(threshold("/c", "acme")).isEqualTo(4);
        assertThat(threshold("/b", "acme")).isEqualTo(2);
        keep(of("acme", "a", "x2"));
        assertThat(threshold("/c", "acme")).isEqualTo(2);
    }

    @Test
    void continueCountsWhereTheyMultiply() {
        assertThat(passing("/a", "acme")).isEqualTo(2);
        keep(of("acme", "*", "x3"));
        assertThat(passing("/a", "acme")).isEqualTo(4);
    }

    @Test
    void ofAnEndpointComeBeforeThoseOfAll() {
        keep(of("acme", "*", "x2"), of("acme", "a", "3/1h"));
        assertThat(threshold("/a", "acme")).isEqualTo(3);
        assertThat(threshold("/c", "acme")).isEqualTo(4);
        keep(of("acme", "*", "x2"), of("acme", "a", "x1"));
        assertThat(threshold("/a", "acme")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5/10s|a limit for all endpoints must be a factor, such as x2; 5/10s can be set only"
                        + " for a single endpoint",
                "x0|\"x0\" is not a factor from 0.001 to 1000000, with at most 3 decimal places; write",
                "x1000001|\"x1000001\" is not a factor from 0.001 to 1000000, with",
                "x|\"x\" is not a factor from 0.001"
            })
    void areNothingElseForAllEndpoints(String text, String why) {
        keep(of("acme", "*", text));
        assertThat(log.entries()).singleElement().asString().contains("Skipped: tenant *: " + why);
        assertThat(threshold("/a", "acme")).isEqualTo(2);
    }

    @Test
    void areForgottenAsTheyCame() {
        keep(of("acme", "a", "4/1h"));
        assertThat(passing("/a", "acme")).isEqualTo(4);
        keep();
        assertThat(limiter.explain(TestCall.get("/a").of("acme")))
                .singleElement()
                .satisfies(found -> assertThat(found.tier().limit().threshold()).isEqualTo(2));
    }

    @Test
    void leaveExemptionsAndModesToTheFile() {
        keep(of("free", "a", "1/1h"), of("trial", "a", "1/1h"));
        decide("/a", "free");
        decide("/a", "trial");
        assertThat(decide("/a", "free").outcome()).isEqualTo(Outcome.EXEMPT);
        assertThat(decide("/a", "trial").outcome()).isEqualTo(Outcome.WOULD_REFUSE);
    }

    @Test
    void stayWhenTheFileChanges() {
        keep(of("acme", "a", "4/1h"));
        inForce.follow(new GivenFile(FILE.replace("threshold: 2", "threshold: 3")).load());
        assertThat(passing("/a", "acme")).isEqualTo(4);
        assertThat(passing("/a", "other")).isEqualTo(3);
    }

    @Test
    void doNotPutAFileInForceThatTheLimiterDidNotTake() {
        LimitsFile other = new GivenFile(FILE.replace("threshold: 2", "threshold: 3")).load();
        AtomicBoolean isBroken = new AtomicBoolean(true);
        LimitsInForce failing = new LimitsInForce(
                log,
                file,
                now -> false,
                limits -> {
                    if (isBroken.get()) {
                        throw new IllegalStateException("broken by a test");
                    }
                    limiter.replace(limits);
                },
                RateLimitListener.NONE);
        assertThatThrownBy(() -> failing.follow(other)).hasMessage("broken by a test");
        isBroken.set(false);
        failing.follow(new Overrides("v", List.of(of("acme", "a", "4/1h"))));
        assertThat(passing("/a", "acme")).isEqualTo(4);
        assertThat(passing("/a", "other")).isEqualTo(2);
    }

    @Test
    void areSkippedWithOneWarningIfTheyMakeNoSense() {
        ClientOverride[] limits = {
            of("acme", "a", "4/1h"),
            of("acme", "no-such", "4/1h"),
            of("acme", "c", "lots"),
            of("ac*", "c", "1/1s"),
            new ClientOverride("\u0007garbled", "", "", ""),
            new ClientOverride("nobody", "acme", "a", "1/1h")
        };
        keep(limits);
        keep(limits);
        assertThat(passing("/a", "acme")).isEqualTo(4);
        assertThat(passing("/c", "acme")).isEqualTo(2);
        assertThat(log.entries())
                .singleElement()
                .asString()
                .startsWith(
                        "WARN Some client overrides cannot be used with the file and are skipped. The others are in "
                                + "force. Skipped: ")
                .contains("there is no subject")
                .endsWith("(and 4 more)")
                .doesNotContain("\u0007");
    }

    @Test
    void areNamedWithoutTheirClientIfTheyAreTooLongToBeRead() {
        keep(
                of("acme", "a", "4/1h"),
                of("acme", "c", "lots"),
                StoredOverride.unread("tenant|b|secret", "150000000 bytes").limit());
        assertThat(passing("/a", "acme")).isEqualTo(4);
        assertThat(log.entries())
                .singleElement()
                .asString()
                .endsWith(" Skipped: tenant b: its value in the store is not a limit, or is too long for one, and was "
                        + "not read (150000000 bytes); find it with sluice limits list, and set or unset it "
                        + "again (and "
                        + "1 more)");
    }

    @Test
    void haveTiersInOneWord() {
        assertThat(TierText.parse("100/1s,5000/10s", Sync.DEFAULT))
                .extracting(Tier::name)
                .containsExactly("1s", "10s");
        assertThat(TierText.parse("5/1m", Sync.DEFAULT).get(0).limit().threshold())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "5/",
                "/5s",
                "5/10x",
                "0/1s",
                "-5/1s",
                "5/0s",
                "5/367d",
                "5/1s,",
                "5/1s,6/1s",
                "5/1s;6/1m",
                "99999999999999999999/1s",
                "999999999999999999/1s",
                "5/1s,1/2s,1/3s,1/4s,1/5s,1/6s,1/7s,1/8s,1/9s,1/10s," + "1/11s,1/12s,1/13s,1/14s,1/15s,1/16s,1/17s"
            })
    void haveNoOtherTiers(String text) {
        assertThatThrownBy(() -> TierText.parse(text, Sync.DEFAULT)).isInstanceOf(IllegalArgumentException.class);
    }
}
