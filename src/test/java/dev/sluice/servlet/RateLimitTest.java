package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import dev.sluice.servlet.contract.Decisions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final List<String> charged = new ArrayList<>();

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
                    public boolean charge(long amount) {
                        charged.add(name + " " + amount);
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
        assertThat(RateLimit.charge(exchange.request, 20_000)).isTrue();
        assertThat(charged).containsExactlyInAnyOrder("one 20000", "other 20000");
    }

    @Test
    void tellsWhetherAnythingWasCharged() throws Exception {
        assertThat(RateLimit.charge(exchange.request, 1)).isFalse();
        ask(call -> Decisions.admitted(Decisions.PRODUCT, 9, 500));
        assertThat(RateLimit.charge(exchange.request, 1)).isFalse();
        ask(limiter("it", false));
        assertThat(RateLimit.charge(exchange.request, 1)).isFalse();
    }

    @Test
    void givesNothingBack() {
        assertThatThrownBy(() -> RateLimit.charge(exchange.request, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("amount -1 is negative; what was charged is not given back");
    }

    @Test
    void doesNotFailACallWhenTheLimiterDoes() throws Exception {
        ask(new RateLimiter() {
            @Override
            public Decision decide(Call call) {
                return new Decision(Outcome.ADMITTED, null, null, List.of(), 0, 0, 0, new Ticket() {
                    @Override
                    public long delayMillis() {
                        return 0;
                    }

                    @Override
                    public boolean charge(long amount) {
                        throw new IllegalStateException("broken by a test");
                    }

                    @Override
                    public void ended(int status) {
                        throw new IllegalStateException("broken by a test");
                    }
                });
            }
        });
        assertThat(RateLimit.charge(exchange.request, 1)).isFalse();
    }
}
