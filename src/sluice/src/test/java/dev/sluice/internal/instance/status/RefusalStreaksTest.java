package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.CallerTraffic.Calls;
import dev.sluice.traffic.CallerTraffic.Refusal;
import dev.sluice.traffic.CallerTraffic.State;
import dev.sluice.traffic.Decided;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The start of refusals is remembered longer than the minute that is counted, until a minute passes without one. */
class RefusalStreaksTest {

    private final RefusalStreaks streaks = new RefusalStreaks();

    private static CallerTraffic refused(String tenant, Long... times) {
        return new CallerTraffic(
                "shop",
                List.of(new Subject("tenant", "h", tenant)),
                "",
                new Calls(0, times.length, 0),
                new State(Decided.TIER, 0, 0, times[0]),
                Stream.of(times).map(time -> new Refusal(time, Decided.TIER)).toList());
    }

    private long since(CallerTraffic... callers) {
        return streaks.of(List.of(callers)).get(0).sinceMillis();
    }

    @Test
    void rememberTheFirstRefusal() {
        assertThat(streaks.of(List.of(refused("acme", 3_000L, 2_000L))))
                .containsExactly(new RefusedCaller(
                        "shop", List.of(new Subject("tenant", "h", "acme")), 2, 0, "10s", 2_000, 3_000, ""));
        assertThat(since(refused("acme", 90_000L, 80_000L), refused("other", 81_000L)))
                .isEqualTo(2_000);
        assertThat(since(refused("other", 90_000L), refused("acme", 99_000L))).isEqualTo(81_000);
    }

    @Test
    void endWhereNobodyIsRefusedAnyMore() {
        assertThat(since(refused("acme", 2_000L))).isEqualTo(2_000);
        assertThat(streaks.of(List.of())).isEmpty();
        assertThat(since(refused("acme", 90_000L))).isEqualTo(90_000);
    }
}
