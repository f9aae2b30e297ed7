package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.LimitsException;
import dev.sluice.TestLimits;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.LimiterStatus.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusKeeperTest {

    private Instant now = Instant.ofEpochMilli(1_000);
    private @Nullable String warning;
    private final StatusKeeper keeper =
            new StatusKeeper(() -> now, "shop-1", "redis://host", () -> warning, "limits.yml");

    private LimiterStatus.Store store() {
        return keeper.status(TestLimits.of(), Map.of()).store();
    }

    @Test
    void aStoreThatWarnsIsAskedEachTime() {
        assertThat(store().warning()).isNull();
        warning = "may evict counters";
        assertThat(store().warning()).isEqualTo("may evict counters");
    }

    /** Such as a Redis that was restarted, and then asks for another password. */
    @Test
    void aStoreThatIsUnavailableHasTheLatestCause() {
        keeper.onExchangeFailed(Duration.ZERO, 1, "a moment only");
        assertThat(store().unavailable()).isNull();
        keeper.onStoreUnavailable("connection refused");
        now = Instant.ofEpochMilli(9_000);
        keeper.onExchangeFailed(Duration.ZERO, 1, "asks for a password");
        assertThat(store().unavailable()).isEqualTo(new Unavailable(1_000, "asks for a password"));
        keeper.onStoreBack(Duration.ofSeconds(8));
        keeper.onExchangeFailed(Duration.ZERO, 1, "a moment only");
        assertThat(store().unavailable()).isNull();
    }

    private static LimitsException mistakeIn(String file) {
        return new LimitsException(List.of(new LimitsException.Problem(
                LimitsException.Problem.Severity.ERROR, "SL-137", file, 0, 0, "", "line 2: no plan")));
    }

    private LimiterStatus.@Nullable RefusedChange refused() {
        return keeper.status(TestLimits.of(), Map.of()).file().refused();
    }

    @Test
    void aTableThatWasRefusedIsShownUntilItIsInForce() {
        keeper.onReloadRefused(mistakeIn("clients.csv"));
        assertThat(refused())
                .isEqualTo(
                        new LimiterStatus.RefusedChange("clients.csv", 1_000, "clients.csv: line 2: no plan [SL-137]"));
        keeper.onReloadRefused(mistakeIn("limits.yml"));
        assertThat(refused().name()).isEqualTo("limits.yml");
        keeper.onClientTable("clients.csv", 7);
        assertThat(refused().name()).isEqualTo("limits.yml");
        keeper.onReload(List.of());
        assertThat(refused()).isNull();
        keeper.onReloadRefused(mistakeIn("clients.csv"));
        keeper.onClientTable("clients.csv", 7);
        assertThat(refused()).isNull();
        keeper.onReloadRefused(mistakeIn("clients.csv"));
        keeper.onReload(List.of());
        assertThat(refused()).as("the file brings its table").isNull();
    }
}
