package dev.sluice.internal.instance.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.OverrideChange;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import dev.sluice.open.RecordingLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** While the source fails, only the log changes. */
class OverrideRefresherTest {

    private static final Overrides FIRST =
            new Overrides("1", List.of(new ClientOverride("tenant", "acme", "get-product", "5000/10s")));

    private final RecordingLogger log = new RecordingLogger();
    private final List<Overrides> taken = new ArrayList<>();
    private final List<OverrideChange> changes = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private boolean toldUnavailable;
    private @Nullable CompletionStage<Optional<Overrides>> answer =
            CompletableFuture.completedFuture(Optional.of(FIRST));
    private final ClientOverrideSource source = version -> {
        asked.add(version);
        if (answer == null) {
            throw new IllegalStateException("a guest's trouble");
        }
        return answer;
    };
    private final List<ClientOverride> skipped = new ArrayList<>();
    private long nanos;
    private final OverrideRefresher refresh = new OverrideRefresher(
            log,
            source,
            () -> Duration.ofSeconds(5),
            this::take,
            this::name,
            () -> toldUnavailable,
            heard(),
            new TaskThread("test"),
            () -> nanos);

    private @Nullable String name(ClientOverride limit) {
        return limit.value().equals("#rKyfBeNJjQKihLUMNruyfw") ? "Globex" : null;
    }

    private RateLimitListener heard() {
        return new RateLimitListener() {
            @Override
            public void onOverrideChange(OverrideChange change) {
                changes.add(change);
            }
        };
    }

    @Test
    void tellsListenersWhatHasChangedButNotWhatItFinds() {
        refresh.poll();
        assertThat(changes).isEmpty();
        OverrideNote note = new OverrideNote(1_000, 9_000, "eve@ops-1", "a sale");
        ClientOverride doubled = new ClientOverride("tenant", "acme", "*", "x2");
        answer = CompletableFuture.completedFuture(
                Optional.of(new Overrides("2", List.of(doubled), Map.of(doubled, note), 5_000)));
        refresh.poll();
        assertThat(changes)
                .containsExactly(
                        new OverrideChange("tenant", "acme", "*", "x2", 1_000, 9_000, "eve@ops-1", "a sale"),
                        new OverrideChange("tenant", "acme", "get-product", "", 0, 0, "", ""));
        assertThat(changes.get(1).isRemoval()).isTrue();
        assertThat(log.entries()).singleElement().asString().contains("set to x2 for tenant=acme at all endpoints");
    }

    @Test
    void theLogNamesAClientThatIsKnownByAHash() {
        refresh.poll();
        ClientOverride doubled = new ClientOverride("tenant", "#rKyfBeNJjQKihLUMNruyfw", "*", "x2");
        answer = CompletableFuture.completedFuture(Optional.of(new Overrides("2", List.of(doubled), Map.of(), 5_000)));
        refresh.poll();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .contains("set to x2 for tenant=#rKyfBeNJjQKihLUMNruyfw (Globex) at all endpoints");
    }

    private List<ClientOverride> take(Overrides kept) {
        taken.add(kept);
        return kept.limits().stream().filter(limit -> !skipped.contains(limit)).toList();
    }

    private static final ClientOverride ENDING = new ClientOverride("tenant", "acme", "get-product", "7/1s");
    private static final ClientOverride LASTING = new ClientOverride("tenant", "beta", "get-product", "7/1s");

    private static CompletionStage<Optional<Overrides>> until(long endMillis, long nowMillis) {
        OverrideNote note = new OverrideNote(0, endMillis, "", "");
        return CompletableFuture.completedFuture(
                Optional.of(new Overrides("1", List.of(ENDING, LASTING), Map.of(ENDING, note), nowMillis)));
    }

    private static CompletionStage<Optional<Overrides>> unavailable(String why) {
        return CompletableFuture.failedFuture(StoreException.unavailable(why, null));
    }

    @Test
    void takesWhatHasChangedAndNothingElse() {
        refresh.poll();
        answer = CompletableFuture.completedFuture(Optional.empty());
        refresh.poll();
        assertThat(taken).containsExactly(FIRST);
        assertThat(asked).containsExactly("", "1");
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void saysOnceThatTheSourceIsUnavailableAndOnceThatItIsBack() {
        refresh.poll();
        answer = unavailable("redis://host:6379 is not connected");
        refresh.poll();
        refresh.poll();
        assertThat(log.entries())
                .containsExactly("WARN Client overrides cannot be read. The last known overrides stay in "
                        + "force until they expire. Sluice tries again every 5s. Cause: "
                        + "redis://host:6379 is not connected");
        answer = CompletableFuture.completedFuture(Optional.empty());
        refresh.poll();
        refresh.poll();
        assertThat(log.entries())
                .hasSize(2)
                .last()
                .isEqualTo("INFO Client overrides can be read again and are in force");
        assertThat(taken).containsExactly(FIRST);
    }

    /** The limiter has already logged that the store is unavailable. */
    @Test
    void doesNotRepeatWhatTheLogAlreadySays() {
        toldUnavailable = true;
        answer = unavailable("redis://host:6379 is not connected");
        refresh.poll();
        refresh.poll();
        assertThat(log.entries())
                .containsExactly(
                        "INFO Client overrides cannot be read while the store is unavailable. The last known overrides "
                                + "stay in force until they expire; an instance that has just started has none");
    }

    @Test
    void warnsOfACauseThatTheLogDoesNotName() {
        refresh.poll();
        toldUnavailable = true;
        answer = unavailable("redis://host:6379 is not connected");
        refresh.poll();
        toldUnavailable = false;
        answer = unavailable("redis://host:6379 has lost its mind");
        refresh.poll();
        refresh.poll();
        answer = null;
        refresh.poll();
        assertThat(log.entries())
                .satisfiesExactly(
                        info -> assertThat(info).startsWith("INFO Client overrides cannot be read while"),
                        lost -> assertThat(lost).startsWith("WARN ").endsWith("has lost its mind"),
                        guest -> assertThat(guest).startsWith("WARN ").endsWith("a guest's trouble"));
    }

    @Test
    void doesNotFillTheLogWithCausesThatAreNewEachTime() {
        for (int i = 0; i < 100; i++) {
            answer = unavailable("trouble number " + i);
            refresh.poll();
        }
        assertThat(log.entries()).hasSize(4);
    }

    @Test
    void endsLimitsByTheClockOfTheSourceWhileThatIsUnavailable() {
        answer = until(1_060_000, 1_000_000);
        refresh.poll();
        toldUnavailable = true;
        answer = unavailable("redis://host:6379 is not connected");
        nanos = Duration.ofMillis(59_999).toNanos();
        refresh.poll();
        assertThat(taken).hasSize(1);
        nanos = Duration.ofSeconds(60).toNanos();
        refresh.poll();
        assertThat(taken)
                .hasSize(2)
                .last()
                .satisfies(kept -> assertThat(kept.limits()).containsExactly(LASTING));
        assertThat(log.entries())
                .last()
                .isEqualTo("INFO Client overrides have changed and are in force: "
                        + "removed or ended for tenant=acme at get-product. There is 1 now");
        answer = CompletableFuture.completedFuture(Optional.empty());
        refresh.poll();
        assertThat(asked).endsWith("1");
    }

    /** While the store answers, its answer counts, not our clock: its clock may have been set. */
    @Test
    void leavesEndsToASourceThatAnswers() {
        answer = until(1000, 1);
        refresh.poll();
        answer = CompletableFuture.completedFuture(Optional.empty());
        nanos = Duration.ofSeconds(60).toNanos();
        refresh.poll();
        assertThat(taken).hasSize(1);
    }

    @Test
    void asksAgainWhenALimitEnds() {
        answer = until(3000, 1000);
        assertThat(refresh.pause()).isEqualTo(Duration.ofSeconds(5));
        refresh.poll();
        assertThat(refresh.pause()).isEqualTo(Duration.ofSeconds(2));
        nanos = Duration.ofMillis(1999).toNanos();
        assertThat(refresh.pause()).isEqualTo(Duration.ofMillis(50));
        nanos = Duration.ofSeconds(4).toNanos();
        assertThat(refresh.pause()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void callsNothingInForceThatIsSkipped() {
        refresh.poll();
        ClientOverride useless = new ClientOverride("tenant", "zed", "get-product", "0/10s");
        skipped.add(useless);
        answer = CompletableFuture.completedFuture(
                Optional.of(new Overrides("2", List.of(FIRST.limits().get(0), useless))));
        refresh.poll();
        assertThat(taken).hasSize(2);
        assertThat(log.entries()).isEmpty();
        ClientOverride sound = new ClientOverride("tenant", "zed", "get-product", "1/10s");
        answer = CompletableFuture.completedFuture(
                Optional.of(new Overrides("3", List.of(FIRST.limits().get(0), useless, sound))));
        refresh.poll();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .endsWith("set to 1/10s for tenant=zed at get-product. There are 2 now");
    }

    @Test
    void tellsInOneLineWhatHasChangedForWhom() {
        refresh.poll();
        ClientOverride first = FIRST.limits().get(0);
        ClientOverride changed = new ClientOverride(first.subject(), first.value(), first.endpoint(), "7/1s");
        ClientOverride hostile = new ClientOverride("ten\u202eant", "mal\u001b[2Jlory", "a\nb", "1/1s");
        answer = CompletableFuture.completedFuture(Optional.of(new Overrides("2", List.of(changed, hostile))));
        refresh.poll();
        answer = CompletableFuture.completedFuture(Optional.of(new Overrides("3", List.of(hostile))));
        refresh.poll();
        answer = CompletableFuture.completedFuture(Optional.of(new Overrides("4", List.of(hostile))));
        refresh.poll();
        String line = "INFO Client overrides have changed and are in force: ";
        assertThat(log.entries())
                .containsExactly(
                        line + "changed from " + first.tiers() + " to 7/1s for " + first.subject() + "="
                                + first.value() + " at " + first.endpoint()
                                + "; set to 1/1s for ten\\u202eant=\"mal\\u001b[2Jlory\" at a\\u000ab. There are 2 now",
                        line + "removed or ended for " + first.subject() + "=" + first.value() + " at "
                                + first.endpoint()
                                + ". There is 1 now");
    }

    @Test
    void followsNoMoreThanTheMost() {
        ClientOverride limit = FIRST.limits().get(0);
        Overrides many = new Overrides("2", Collections.nCopies(ClientOverrideSource.MOST + 1, limit));
        answer = CompletableFuture.completedFuture(Optional.of(many));
        refresh.poll();
        assertThat(taken).isEmpty();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .contains("there are 100001 limits, but at most 100000 are allowed");
    }
}
