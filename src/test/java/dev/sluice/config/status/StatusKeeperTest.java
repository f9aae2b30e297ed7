package dev.sluice.config.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestLimits;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.LimiterStatus.Away;
import java.time.Duration;
import java.time.Instant;
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
    void aStoreThatIsAwayHasTheLatestCause() {
        keeper.onExchangeFailed(Duration.ZERO, 1, "a moment only");
        assertThat(store().away()).isNull();
        keeper.onStoreAway("connection refused");
        now = Instant.ofEpochMilli(9_000);
        keeper.onExchangeFailed(Duration.ZERO, 1, "asks for a password");
        assertThat(store().away()).isEqualTo(new Away(1_000, "asks for a password"));
        keeper.onStoreBack(Duration.ofSeconds(8));
        keeper.onExchangeFailed(Duration.ZERO, 1, "a moment only");
        assertThat(store().away()).isNull();
    }
}
