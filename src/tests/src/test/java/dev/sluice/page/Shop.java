package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import java.util.List;
import java.util.Map;

/**
 * A service that readers may recognise: a shop whose customers request its products. One of them starts reading all
 * prices and is refused, another exports more rows than a day allows; somebody guesses passwords for two minutes; a limit
 * on searches is in a dry run.
 */
final class Shop implements Play {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final double PRICES_SINCE = 370;

    /** The refused client. */
    static final String REFUSED = "price-radar";

    @Override
    public String limits() {
        return Play.limits(60, "harbor-foods");
    }

    @Override
    public Overrides setOutside() {
        long now = System.currentTimeMillis();
        ClientOverride less = new ClientOverride("tenant", REFUSED, "search", "10/10s");
        return new Overrides(
                "1",
                List.of(less),
                Map.of(
                        less,
                        new OverrideNote(
                                now - HOUR_MILLIS,
                                now + 3 * HOUR_MILLIS,
                                "on-call@ops-1",
                                "reads every page of results")));
    }

    @Override
    public void step(double ago, Calls calls) {
        TestCall product = TestCall.get("/product/1");
        calls.make(13 + 2.4 * Math.sin(ago / 130) + 1.1 * Math.sin(ago / 37), product.of("harbor-foods"));
        calls.make(ago < PRICES_SINCE ? 15.5 + 2 * Math.sin(ago / 45) : 2.2, product.of(REFUSED));
        calls.make(6.2 + 0.9 * Math.sin(ago / 95 + 1), product.of("nordlicht"));
        calls.make(4 + 0.7 * Math.sin(ago / 70 + 2), product.of("casa-verde"));
        calls.make(1.3 + 0.4 * Math.sin(ago / 50), product.of("alder-books"));
        calls.make(0.8 + 0.3 * Math.sin(ago / 110 + 3), product.of("fjord-tours"));
        TestCall order = TestCall.post("/orders");
        calls.make(0.55 + 0.1 * Math.sin(ago / 80), order.of("harbor-foods"));
        calls.make(0.3, order.of("nordlicht"));
        TestCall login = TestCall.post("/login");
        calls.make(ago > 560 && ago < 690 ? 1.8 : 0, login.from("203.0.113.66"));
        calls.make(0.04, login.from("198.51.100.7"));
        calls.make(2.4 + 0.8 * Math.sin(ago / 55 + 1.4), TestCall.get("/search").of("casa-verde"));
        calls.make(1.2, TestCall.get("/search").of("nordlicht"));
        calls.make(0.14, TestCall.get("/export").of("alder-books").with("X-Rows", "2500"));
    }
}
