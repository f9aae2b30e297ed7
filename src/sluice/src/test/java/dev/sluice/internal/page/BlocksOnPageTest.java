package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.instance.status.ShownState.BlockedCaller;
import dev.sluice.internal.page.PageData.BlocksData;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page shows some of the blocked callers that its instance knows, and how many there are. */
class BlocksOnPageTest {

    private final TestClock clock = new TestClock(1_790_000_000_000L);
    private final Sluice sluice =
            Sluice.builder().config(new GivenFile("""
                clients:
                  - { ip: 192.0.2.7, name: Acme }
                endpoints:
                  - id: log-in
                    pathPattern: /login
                    per: [ ip ]
                    tiers: [ { period: 1m, threshold: 1, block: { after: 1, within: 1m, for: 15m } } ]
                """)).clock(clock).open();

    private final Sampler sampler = new Sampler(sluice);

    @AfterEach
    void close() {
        sluice.close();
    }

    private void block(String ip) {
        sluice.decide(TestCall.get("/login").from(ip));
        sluice.decide(TestCall.get("/login").from(ip));
    }

    private BlocksData all() {
        return Objects.requireNonNull(sampler.everything().blocks());
    }

    @Test
    void showsAllThatIsKnown() {
        assertThat(all()).isEqualTo(new BlocksData(0, List.of()));
        block("192.0.2.1");
        assertThat(all())
                .isEqualTo(new BlocksData(
                        1,
                        List.of(new BlockedCaller(
                                null,
                                List.of(new Subject("ip", "ip", "192.0.2.1")),
                                "log-in",
                                "*",
                                "1m",
                                Instant.ofEpochMilli(clock.millis()),
                                Instant.ofEpochMilli(clock.millis() + 900_000),
                                1,
                                "1 refusal within 1m by 1 in 1m"))));
    }

    @Test
    void showsTheNameOfACaller() {
        block("192.0.2.7");
        assertThat(all().first()).singleElement().matches(block -> "Acme".equals(block.called()));
    }

    @Test
    void theLimitsInForceShowWhenTheyBlock() {
        assertThat(Objects.requireNonNull(sampler.everything().endpoints())
                        .get(0)
                        .get("tiers")
                        .toString())
                .contains("text=1 in 1m, blocks for 15m after 1 refusal within 1m")
                .contains("block={after=1, within=1m, for=15m}");
    }

    @Test
    void showsAtMostFifty() {
        for (int i = 0; i < 60; i++) {
            block("192.0.2." + i);
        }
        assertThat(all().count()).isEqualTo(60);
        assertThat(all().first()).hasSize(50);
    }

    @Test
    void sendsAgainOnlyIfSomethingHasChanged() {
        block("192.0.2.1");
        assertThat(Objects.requireNonNull(sampler.takeChanges().blocks()).count())
                .isEqualTo(1);
        assertThat(sampler.takeChanges().blocks()).isNull();
        clock.set(clock.millis() + 900_000);
        assertThat(Objects.requireNonNull(sampler.takeChanges().blocks()).count())
                .isZero();
    }

    @Test
    void whoIsUnblockedIsNoLongerShownAtItsLimitUntilTheBlockWouldHaveEnded() {
        block("192.0.2.1");
        long windowEnds = clock.millis() + 60_000 - clock.millis() % 60_000;
        assertThat(sampler.takeChanges().traffic().clients())
                .singleElement()
                .matches(client -> client.used() == 1 && client.resetAt().toEpochMilli() == clock.millis() + 900_000);
        sluice.unblock(sluice.blocks().get(0).key()).toCompletableFuture().join();
        Eventually.await("this instance knows it", () -> sluice.blocks().isEmpty());
        assertThat(sampler.takeChanges().traffic().clients())
                .singleElement()
                .matches(client -> client.used() == 1 && client.resetAt().toEpochMilli() == windowEnds);
        clock.set(windowEnds + 1);
        assertThat(sampler.everything().traffic().clients())
                .singleElement()
                .matches(client -> client.resetAt().toEpochMilli() == windowEnds);
        sluice.decide(TestCall.get("/login").from("192.0.2.1"));
        assertThat(sampler.everything().traffic().clients())
                .singleElement()
                .matches(client -> client.used() == 1 && client.resetAt().toEpochMilli() == windowEnds + 60_000);
    }
}
