package dev.sluice.test;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.TestCall;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LimitsAssertTest {

    private static final String CALLER = "ip=192.0.2.1";

    private final LimitsUnderTest limits = new LimitsUnderTest();
    private Sluice sluice;

    @BeforeEach
    void open() {
        Sluice.Builder builder = Sluice.builder().config(GivenFile.of("""
            - id: login
              pathPattern: /login
              per: [ ip ]
              tiers: [ { period: 10s, threshold: 2 }, { period: 1h, threshold: 100 } ]
            - { id: news, mode: dry-run, pathPattern: /news, per: [ ip ], tiers: [ { period: 1m, threshold: 1 } ] }
            """));
        limits.customize(builder);
        sluice = builder.open();
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    private void call(String path, int times) {
        for (int call = 0; call < times; call++) {
            sluice.decide(TestCall.post(path));
        }
    }

    private static void assertFails(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    @Test
    void aTestSaysWhatItExpects() {
        assertThat(limits)
                .refusedNobody()
                .admits("login", CALLER)
                .hasRemaining(2, "login", CALLER)
                .refusedTimes(0, "login", CALLER);
        call("/login", 5);
        assertThat(limits)
                .refused("login", CALLER)
                .refusedTimes(3, "login", CALLER)
                .refuses("login", CALLER)
                .hasRemaining(0, "login", CALLER)
                .admits("login", "ip=192.0.2.2");
        assertThat(limits.refusals()).isEqualTo(3);
    }

    @Test
    void aCallThatWasNotRefused() {
        call("/login", 2);
        assertFails(() -> assertThat(limits).refused("login", CALLER), """
            Expected login to have refused at least one call of ip=192.0.2.1, but it refused none.
            Refused calls: none
            Now left:
              10s: 0 of 2 left, 1h: 98 of 100 left\
            """);
    }

    @Test
    void aRefusalOfSomebodyElse() {
        call("/login", 4);
        assertFails(() -> assertThat(limits).refusedTimes(1, "login", "ip=192.0.2.2"), """
            Expected login to have refused 1 call of ip=192.0.2.2, but it refused 0.
            Refused calls: 2 by login for ip=192.0.2.1
            Now left:
              10s: 2 of 2 left, 1h: 100 of 100 left\
            """);
        assertFails(() -> assertThat(limits).refusedNobody(), """
            Expected no refused calls, but there were
              2 by login for ip=192.0.2.1\
            """);
    }

    @Test
    void aDryRun() {
        call("/news", 3);
        assertFails(() -> assertThat(limits).as("the news").refusedTimes(2, "news", CALLER), """
            [the news] Expected news to have refused 2 calls of ip=192.0.2.1, but it refused 0.
            Refused calls: none
            The endpoint is in a dry run, which would have refused: 2
            Now left:
              1m: 0 of 1 left (dry run)\
            """);
    }

    @Test
    void theNextCall() {
        assertFails(() -> assertThat(limits).refuses("login", CALLER), """
            Expected login to refuse the next call of ip=192.0.2.1, but it would admit it:
              10s: 2 of 2 left, 1h: 100 of 100 left\
            """);
        limits.exhaust("login", CALLER);
        assertFails(() -> assertThat(limits).admits("login", CALLER), """
            Expected login to admit the next call of ip=192.0.2.1, but it would refuse it:
              10s: 0 of 2 left, 1h: 0 of 100 left\
            """);
    }

    @Test
    void whatIsLeft() {
        call("/login", 1);
        assertFails(() -> assertThat(limits).hasRemaining(2, "login", CALLER), """
            Expected ip=192.0.2.1 to have 2 calls left at login, but there are 1:
              10s: 1 of 2 left, 1h: 99 of 100 left\
            """);
    }
}
