package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimiter;
import dev.sluice.Reservation;
import dev.sluice.Ticket;
import dev.sluice.internal.servlet.contract.Decisions;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class RateLimitTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final List<String> charged = new ArrayList<>();
    private final List<String> settled = new ArrayList<>();

    private RateLimiter limiter(String name, boolean charges) {
        return call -> new Decision(
                Outcome.ADMITTED,
                Decisions.PRODUCT,
                Decisions.PRODUCT.tiers().get(0),
                List.of(),
                9,
                500,
                0,
                new Ticket() {
                    @Override
                    public long delayMillis() {
                        return 0;
                    }

                    @Override
                    public Charge charge(long amount) {
                        charged.add(name + " " + amount);
                        return charges ? Charge.UNLIMITED : Charge.NOT_COUNTED;
                    }

                    @Override
                    public boolean settle(long actual) {
                        settled.add(name + " " + actual);
                        return charges;
                    }

                    @Override
                    public void ended(int status) {}
                });
    }

    private void ask(RateLimiter limiter) throws Exception {
        new RateLimitFilter(limiter).doFilter(exchange.request, exchange.response, (request, response) -> {});
    }

    @Test
    void chargesEveryLimiterThatWasAsked() throws Exception {
        ask(limiter("one", true));
        ask(limiter("other", false));
        assertThat(RateLimit.charge(exchange.request, 20_000).counted()).isTrue();
        assertThat(charged).containsExactlyInAnyOrder("one 20000", "other 20000");
    }

    @Test
    void returnsWhetherAnythingWasCharged() throws Exception {
        assertThat(RateLimit.charge(exchange.request, 1).counted()).isFalse();
        ask(call -> Decisions.admitted(Decisions.PRODUCT, 9, 500));
        assertThat(RateLimit.charge(exchange.request, 1).counted()).isFalse();
        ask(limiter("it", false));
        assertThat(RateLimit.charge(exchange.request, 1).counted()).isFalse();
    }

    @Test
    void refusesANegativeCharge() {
        assertThatThrownBy(() -> RateLimit.charge(exchange.request, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("amount -1 is negative; a charge cannot be undone");
    }

    @Test
    void doesNotFailACallIfTheLimiterFails() throws Exception {
        ask(new RateLimiter() {
            @Override
            public Decision decide(Call call) {
                return new Decision(Outcome.ADMITTED, null, null, List.of(), 0, 0, 0, new Ticket() {
                    @Override
                    public long delayMillis() {
                        return 0;
                    }

                    @Override
                    public Charge charge(long amount) {
                        throw new IllegalStateException("broken by a test");
                    }

                    @Override
                    public boolean settle(long actual) {
                        throw new IllegalStateException("broken by a test");
                    }

                    @Override
                    public void ended(int status) {
                        throw new IllegalStateException("broken by a test");
                    }
                });
            }
        });
        assertThat(RateLimit.charge(exchange.request, 1).counted()).isFalse();
        assertThat(RateLimit.settle(exchange.request, 1)).isFalse();
    }

    @Test
    void settlesEveryLimiterThatWasAsked() throws Exception {
        ask(limiter("one", true));
        ask(limiter("other", false));
        assertThat(RateLimit.settle(exchange.request, 700)).isTrue();
        assertThat(settled).containsExactlyInAnyOrder("one 700", "other 700");
    }

    @Test
    void aReservationIsValidAfterTheRequest() throws Exception {
        ask(limiter("it", true));
        Reservation kept = RateLimit.reservation(exchange.request);
        exchange.request.removeAttribute(RememberedDecision.class.getName());

        assertThat(kept.charge(3).counted()).isTrue();
        assertThat(kept.settle(5)).isTrue();
        assertThat(charged).containsExactly("it 3");
        assertThat(settled).containsExactly("it 5");
    }

    @Test
    void refusesANegativeCost() throws Exception {
        assertThatThrownBy(() -> RateLimit.settle(exchange.request, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("amount -1 is negative; settle 0 to release the whole reservation");
        Reservation nothing = RateLimit.reservation(exchange.request);
        ask(limiter("it", true));
        for (Reservation each : List.of(nothing, RateLimit.reservation(exchange.request))) {
            assertThatThrownBy(() -> each.charge(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> each.settle(-1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(charged).isEmpty();
        assertThat(settled).isEmpty();
    }
}
