package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.internal.instance.status.ShownState.OverriddenLimit;
import dev.sluice.internal.page.PageData.StandingsData;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page shows who set a limit outside the file, when, why, and until when. */
class OverridesOnPageTest {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme", "shop", "50/1h");
    private static final ClientOverride OTHER = new ClientOverride("tenant", "other", "shop", "60/1h");
    private static final OverrideNote SALE = new OverrideNote(1_000, 9_000, "eve@ops-1", "a sale");

    private volatile Overrides kept = new Overrides("1", List.of(ACME, OTHER), Map.of(ACME, SALE));

    private final Sluice sluice = Sluice.builder()
            .config(new GivenFile("""
                limits: { refresh: 100ms }
                subjects: { tenant: [ "header:X-Org-Id" ] }
                plans: { pro: { multiply: 2 } }
                clients: { planFrom: "header:X-Plan" }
                endpoints:
                  - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 2 } ] }
                """))
            .overrideSource(version -> CompletableFuture.completedFuture(
                    version.equals(kept.version()) ? Optional.empty() : Optional.of(kept)))
            .open();

    private final Sampler sampler = new Sampler(sluice);

    @AfterEach
    void close() {
        sluice.close();
    }

    private List<OverriddenLimit> told() {
        return Objects.requireNonNull(sampler.everything().overrides()).first();
    }

    private static OverriddenLimit shown(
            String client,
            long threshold,
            long setMillis,
            @Nullable String by,
            @Nullable String why,
            long untilMillis) {
        Limit limit = new Limit.FixedWindow(threshold, Duration.ofHours(1));
        return new OverriddenLimit(
                null,
                "tenant",
                client,
                "shop",
                threshold + " in 1h",
                List.of(TierNotation.words(new Tier("1h", limit))),
                setMillis == 0 ? null : Instant.ofEpochMilli(setMillis),
                by,
                why,
                untilMillis == 0 ? null : Instant.ofEpochMilli(untilMillis));
    }

    private void awaitTold(OverriddenLimit first) {
        Eventually.await("the limit on the page", () -> told().contains(first));
    }

    @Test
    void showsAllThatIsKnown() {
        awaitTold(shown("acme", 50, 1_000, "eve@ops-1", "a sale", 9_000));
        assertThat(told()).contains(shown("other", 60, 0, null, null, 0));
    }

    @Test
    void isSentAgainIfOnlyTheReasonChanges() {
        awaitTold(shown("acme", 50, 1_000, "eve@ops-1", "a sale", 9_000));
        var unused = sampler.takeChanges();
        assertThat(sampler.takeChanges().overrides()).isNull();
        kept = new Overrides("2", List.of(ACME, OTHER), Map.of(ACME, new OverrideNote(2_000, 0, "bob", "")));
        OverriddenLimit changed = shown("acme", 50, 2_000, "bob", null, 0);
        Eventually.await("an event", () -> {
            PageData.OverridesData news = sampler.takeChanges().overrides();
            return news != null && news.first().contains(changed);
        });
    }

    /** Even if many others come before it in the list. */
    @Test
    void showsAClientsOwnOverrides() {
        awaitTold(shown("acme", 50, 1_000, "eve@ops-1", "a sale", 9_000));
        var unused = sluice.decide(TestCall.get("/shop").of("acme"));
        int id = sampler.everything().traffic().clients().get(0).id();
        StandingsData standings = Objects.requireNonNull(sampler.standings(String.valueOf(id)));

        assertThat(standings.overrides()).containsExactly(shown("acme", 50, 1_000, "eve@ops-1", "a sale", 9_000));
    }

    /** After its own, since any caller may have the plan. */
    @Test
    void showsThoseOfPlansToo() {
        kept = new Overrides("2", List.of(ClientOverride.ofPlan("pro", "*", "x3"), ACME));
        OverriddenLimit ofPlan = new OverriddenLimit(null, "plan", "pro", "*", "x3", null, null, null, null, null);
        awaitTold(ofPlan);
        var unused = sluice.decide(TestCall.get("/shop").of("acme"));
        int id = sampler.everything().traffic().clients().get(0).id();
        StandingsData standings = Objects.requireNonNull(sampler.standings(String.valueOf(id)));
        assertThat(standings.overrides()).containsExactly(shown("acme", 50, 0, null, null, 0), ofPlan);
    }
}
