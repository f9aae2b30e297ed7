package dev.sluice.internal.page.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.internal.page.content.PageData.OverrideData;
import dev.sluice.internal.page.content.PageData.StandingsData;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    private List<OverrideData> told() {
        return Objects.requireNonNull(sampler.everything().overrides()).first();
    }

    private void awaitTold(OverrideData first) {
        Eventually.await("the limit on the page", () -> told().contains(first));
    }

    @Test
    void showsAllThatIsKnown() {
        awaitTold(new OverrideData(null, "tenant", "acme", "shop", "50/1h", 1_000L, "eve@ops-1", "a sale", 9_000L));
        assertThat(told()).contains(new OverrideData(null, "tenant", "other", "shop", "60/1h", null, null, null, null));
    }

    @Test
    void isSentAgainIfOnlyTheReasonChanges() {
        awaitTold(new OverrideData(null, "tenant", "acme", "shop", "50/1h", 1_000L, "eve@ops-1", "a sale", 9_000L));
        var unused = sampler.takeChanges();
        assertThat(sampler.takeChanges().overrides()).isNull();
        kept = new Overrides("2", List.of(ACME, OTHER), Map.of(ACME, new OverrideNote(2_000, 0, "bob", "")));
        OverrideData changed = new OverrideData(null, "tenant", "acme", "shop", "50/1h", 2_000L, "bob", null, null);
        Eventually.await("an event", () -> {
            PageData.OverridesData news = sampler.takeChanges().overrides();
            return news != null && news.first().contains(changed);
        });
    }

    /** Even if many others come before it in the list. */
    @Test
    void showsAClientsOwnOverrides() {
        awaitTold(new OverrideData(null, "tenant", "acme", "shop", "50/1h", 1_000L, "eve@ops-1", "a sale", 9_000L));
        var unused = sluice.decide(TestCall.get("/shop").of("acme"));
        int id = sampler.everything().traffic().clients().get(0).id();
        StandingsData standings = Objects.requireNonNull(sampler.standings(id));

        assertThat(standings.overrides())
                .containsExactly(new OverrideData(
                        null, "tenant", "acme", "shop", "50/1h", 1_000L, "eve@ops-1", "a sale", 9_000L));
    }
}
