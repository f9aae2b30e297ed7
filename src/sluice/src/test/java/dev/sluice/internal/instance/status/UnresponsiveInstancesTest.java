package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.Account;
import dev.sluice.limits.LimiterDiagnostics.Account.Unresponsive;
import dev.sluice.limits.LimiterDiagnostics.Accounts;
import dev.sluice.limits.LimiterDiagnostics.Background;
import dev.sluice.limits.Standing;
import dev.sluice.open.GivenFile;
import dev.sluice.tier.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What diagnostics learn from the store about unresponsive instances, and what they say if it does not answer. */
class UnresponsiveInstancesTest {

    private static final long NOW = 1_790_000_000_000L;
    private static final Tier WINDOW = tier("period: 1h, threshold: 10");
    private static final Tier BUCKET = tier("period: 1m, threshold: 10, algorithm: token-bucket");
    private static final Tier LOG = tier("period: 1m, threshold: 10, algorithm: sliding-log");

    private static Tier tier(String words) {
        GivenFile file = new GivenFile("- { id: api, pathPattern: /api, tiers: [ { " + words + " } ] }");
        return LimitsReader.read(file, Set.of())
                .limits()
                .endpoints()
                .get(0)
                .tiers()
                .get(0);
    }

    /** A store in which two instances have lapsed, one of them ninety seconds ago; or one that does not answer. */
    private static final class Counters implements LiveCounters {

        private final boolean answers;
        private final List<LiveCounter> asked = new ArrayList<>();

        private Counters(boolean answers) {
            this.answers = answers;
        }

        @Override
        public CompletionStage<Long> nowMillis() {
            return CompletableFuture.completedFuture(NOW);
        }

        @Override
        public CompletionStage<Page> scan(Position from) {
            throw new AssertionError("nobody scans");
        }

        @Override
        public CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld) {
            asked.addAll(counters);
            Look look = new Look(
                    new Grant(10, 0, 0), List.of(new Lapsed("b", 7, NOW - 90_000), new Lapsed("a", 3, NOW - 1000)));
            return answers
                    ? CompletableFuture.completedFuture(
                            counters.stream().map(one -> look).toList())
                    : CompletableFuture.failedFuture(new IllegalStateException("it is gone"));
        }

        @Override
        public void close() {}
    }

    private static CounterKey key(Tier tier, long start, long end) {
        return new CounterKey("api", "*", tier.name(), List.of(), start, end);
    }

    private static LimiterDiagnostics known(boolean isStoreUnavailable, CounterKey... keys) {
        return new LimiterDiagnostics(
                new Background(
                        Background.State.RUNNING, isStoreUnavailable, null, 0, null, 0, 0, new Accounts(0, 0, 0, 0)),
                List.of(keys).stream()
                        .map(key -> new Account(
                                key,
                                Account.Stage.ACTIVE,
                                Account.Decides.SHARED,
                                new Account.Here(0, 0, 0, 0),
                                new Account.Fleet(0, 0, true, null),
                                new Account.Waits(0, 0, false),
                                new Account.Statement(null, null, 0)))
                        .toList());
    }

    private static List<@Nullable List<Unresponsive>> found(
            Counters counters, LimiterDiagnostics known, Tier... tiers) {
        List<Standing> standings = List.of(tiers).stream()
                .map(tier -> new Standing("api", "*", tier, 0, 0))
                .toList();
        List<@Nullable List<Unresponsive>> found = new ArrayList<>();
        new UnresponsiveInstances(counters)
                .addTo(known, standings, NOW)
                .accounts()
                .forEach(account -> found.add(account.fleet().unresponsive()));
        return found;
    }

    private static Unresponsive unresponsive(String instance, long permits, long since) {
        return new Unresponsive(instance, permits, Instant.ofEpochMilli(since));
    }

    @Test
    void theStoreIsAskedAboutWindowsThatAreNotOver() {
        Counters counters = new Counters(true);
        CounterKey now = key(WINDOW, NOW - 100_000, NOW + 3_500_000);
        assertThat(found(counters, known(false, now.earlier(1), now), WINDOW))
                .containsExactly(null, List.of(unresponsive("b", 7, NOW - 90_000), unresponsive("a", 3, NOW - 1000)));
        assertThat(counters.asked).extracting(LiveCounter::key).containsExactly(now);
    }

    @Test
    void whatABucketHasRefilledAndALogHasDroppedSinceIsNotShown() {
        assertThat(found(new Counters(true), known(false, key(BUCKET, 0, 0), key(LOG, 0, 0)), BUCKET, LOG))
                .containsExactly(List.of(unresponsive("a", 3, NOW - 1000)), List.of(unresponsive("a", 3, NOW - 1000)));
    }

    @Test
    void aStoreThatIsUnavailableIsNotAsked() {
        Counters counters = new Counters(true);
        assertThat(found(counters, known(true, key(BUCKET, 0, 0)), BUCKET)).containsOnlyNulls();
        assertThat(counters.asked).isEmpty();
    }

    @Test
    void withoutAnAnswerItIsUnknown() {
        assertThat(found(new Counters(false), known(false, key(BUCKET, 0, 0)), BUCKET))
                .containsOnlyNulls();
        assertThat(found(new Counters(true), known(false, key(BUCKET, 0, 0)))).containsOnlyNulls();
    }
}
