package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.account.Outstanding;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.Account;
import dev.sluice.limits.LimiterDiagnostics.Accounts;
import dev.sluice.limits.LimiterDiagnostics.Background;
import dev.sluice.limits.LimiterDiagnostics.InFlight;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators learn of accounts and of the background: what is known, what it waits for, what is due and why. */
class DiagnosticsTest {

    private static LimiterDiagnostics diagnosed(ManualSynchroniser one, int most) {
        CompletableFuture<LimiterDiagnostics> answer = one.synchroniser.diagnose(null, most);
        var unused = one.synchroniser.step();
        return answer.join();
    }

    private static Account only(LimiterDiagnostics found) {
        assertThat(found.accounts()).hasSize(1);
        return found.accounts().get(0);
    }

    @Test
    void aCallThatWaitsIsSeenWithWhatOthersHold() {
        try (ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY)) {
            one.call("acme");
            Statement own = one.lastStatement();
            one.isHeldElsewhere = true;
            one.exchangeOfOther(
                    new Statement(own.key(), List.of(), 0, new Need(4, 4, false), 0, own.leaseMillis(), own.rule()));
            List<LimiterDiagnostics> seen = new ArrayList<>();
            one.meanwhile = () -> seen.add(diagnosed(one, 20));
            one.call("acme");
            Account account = only(seen.get(0));
            assertThat(account)
                    .isEqualTo(new Account(
                            own.key(),
                            Account.Stage.ACTIVE,
                            Account.Decides.SHARED,
                            new Account.Here(1, 0, 0, 0),
                            new Account.Fleet(0, 4, false, null),
                            new Account.Waits(1, 0, false),
                            new Account.Statement(null, Account.Reason.CALLS_WAIT, 1)));
            assertThat(seen.get(0).background())
                    .isEqualTo(new Background(
                            Background.State.RUNNING, false, null, 0, null, 1, 1, new Accounts(1, 0, 1, 0)));
        }
    }

    @Test
    void aBatchWithoutAnAnswerIsSeenWithItsAccounts() {
        try (ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY)) {
            one.call("acme");
            one.unresponsive = true;
            List<LimiterDiagnostics> seen = new ArrayList<>();
            one.meanwhile = () -> seen.add(diagnosed(one, 20));
            one.call("acme");
            assertThat(seen.get(0).background())
                    .extracting(Background::inFlight)
                    .isEqualTo(new InFlight(2, 1, 0));
            assertThat(only(seen.get(0)).statement().inFlight()).isEqualTo(Account.Reason.CALLS_WAIT);
            LimiterDiagnostics later = diagnosed(one, 20);
            assertThat(later.background())
                    .extracting(Background::isStoreUnavailable)
                    .isEqualTo(true);
            assertThat(only(later).decides()).isEqualTo(Account.Decides.DENYING);
        }
    }

    /** An account translates its own constants by their names. */
    @Test
    void eachStageModeAndReasonOfAnAccountIsPublic() {
        assertThat(names(Account.Stage.values()))
                .isEqualTo(names(dev.sluice.internal.limiter.account.Account.Stage.values()));
        assertThat(names(Account.Decides.values())).isEqualTo(names(SharedSnapshot.Mode.values()));
        assertThat(names(Account.Reason.values())).isEqualTo(names(Outstanding.Why.values()));
    }

    private static List<String> names(Enum<?>[] constants) {
        return Stream.of(constants).map(Enum::name).toList();
    }

    @Test
    void aCallerIsFoundAmongAll() {
        try (ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY)) {
            one.call("acme");
            one.call("globex");
            Subject acme = new Subject("tenant", "header:X-Org-Id", "acme");
            CompletableFuture<LimiterDiagnostics> answer =
                    one.synchroniser.diagnose(key -> key.subjects().contains(acme), 20);
            var unused = one.synchroniser.step();
            assertThat(only(answer.join()).key().subjects()).containsExactly(acme);
        }
    }

    @Test
    void noMoreAccountsAreDescribedThanAskedFor() {
        try (ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY)) {
            for (int i = 0; i < 9; i++) {
                one.call("caller-" + i);
            }
            CompletableFuture<LimiterDiagnostics> answer = one.synchroniser.diagnose(key -> true, 5);
            var unused = one.synchroniser.step();
            assertThat(answer.join().accounts()).hasSize(5);
        }
    }

    @Test
    void aBackgroundThatDoesNotLookIsStuck() {
        try (ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY)) {
            assertThat(one.limiter.diagnostics()).isEqualTo(LimiterDiagnostics.unresponsive(Background.State.STUCK));
        }
    }

    @Test
    void aClosedLimiterSaysSo() {
        ManualSynchroniser one = ManualSynchroniser.deciding(OnFailure.DENY);
        one.limiter.close();
        assertThat(one.limiter.diagnostics()).isEqualTo(LimiterDiagnostics.unresponsive(Background.State.CLOSED));
        one.close();
    }

    @Test
    void anUnsharedLimiterHasNoBackground() {
        InstantSource clock = () -> Instant.EPOCH.plus(Duration.ofDays(1));
        var limits =
                FleetSimulation.limits(List.of(List.of(CallPattern.window(5, "PT1H"))), ManualSynchroniser.NO_SLACK);
        try (CountingRateLimiter alone = new CountingRateLimiter(limits, clock, RateLimitListener.NONE)) {
            assertThat(alone.diagnostics()).isEqualTo(LimiterDiagnostics.ALONE);
        }
    }
}
