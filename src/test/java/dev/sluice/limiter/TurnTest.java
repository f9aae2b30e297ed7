package dev.sluice.limiter;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TurnTest {

    private static final Instant NOW = Instant.ofEpochMilli(1_627_318_780_000L);
    private static final TestCall CALL = TestCall.get("/a");

    private final Definitions definitions =
            Definitions.compile(TestLimits.of(fleetWide("wide"), fleetWide("narrow")), new Families(() -> 0));
    private final Counters counters = new Counters(100, Sharing.alone(() -> NOW));
    private final List<Guard> guards = definitions.table().match("GET", "/a");
    private final Turn turn = Turn.of(guards, CALL);

    private static Endpoint fleetWide(String id) {
        return per(endpoint(id, "/a", perMinute(1)));
    }

    private Counter counter(int guard) {
        Guard.Caller caller = guards.get(guard).caller(CALL);
        return counters.get(caller.families().get(0), caller.values(), NOW.toEpochMilli());
    }

    private Permits permits(Counter counter) {
        assertThat(counter.at(NOW.toEpochMilli())).isInstanceOf(Window.class);
        return ((Window) counter.at(NOW.toEpochMilli())).permits;
    }

    @Test
    @Timeout(10)
    void nobodyIsRefusedByAPermitThatIsGivenBack() throws Exception {
        Counter wide = counter(0);
        Counter narrow = counter(1);
        permits(narrow).take(1, 0, 1);
        CompletableFuture<Turn.Outcome> undecided =
                CompletableFuture.supplyAsync(() -> turn.take(counters, NOW.toEpochMilli()));
        while (!permits(wide).unsettled() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        CompletableFuture<Long> other =
                CompletableFuture.supplyAsync(() -> permits(wide).take(1, 0, 0));

        permits(narrow).keep();

        assertThat(undecided.get(10, TimeUnit.SECONDS)).isEqualTo(Turn.Outcome.REFUSED);
        assertThat(other.get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    @Timeout(10)
    void asksForRetiredCountersToBeLookedUpAgain() {
        Counter one = counter(0);
        Counter other = counter(1);
        turn.find(counters, NOW.toEpochMilli());
        other.retire();

        assertThat(turn.take(NOW.toEpochMilli())).isEqualTo(Turn.Outcome.RETIRED);
        assertThat(permits(one).left()).isEqualTo(1);
        assertThat(permits(one).unsettled()).isFalse();
        assertThat(turn.take(counters, NOW.toEpochMilli())).isEqualTo(Turn.Outcome.TAKEN);
    }
}
