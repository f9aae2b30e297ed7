package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.OverrideNote;
import java.util.List;
import java.util.Map;

/** Clients that are refused in all ways, and names that contain markup. */
final class PlayOfTests implements Play {

    private static final long HOUR_MILLIS = 3_600_000;

    @Override
    public String limits() {
        return Play.limits(100, "umbrella");
    }

    /** An override that was set an hour ago, with a reason that contains markup. */
    @Override
    public Overrides setOutside() {
        long now = System.currentTimeMillis();
        ClientOverride more = new ClientOverride("tenant", "globex", "create-order", "1200/1m");
        ClientOverride less = new ClientOverride("tenant", "hooli", "get-product", "50/10s");
        return new Overrides(
                "1",
                List.of(more, less),
                Map.of(
                        more,
                        new OverrideNote(
                                now - HOUR_MILLIS, now + 3 * HOUR_MILLIS, "eve@ops-1", "autumn sale until the evening"),
                        less,
                        new OverrideNote(now - 20 * HOUR_MILLIS, 0, "<img src=x onerror=alert(1)>", "")));
    }

    @Override
    public void step(double ago, Calls calls) {
        calls.make(5 + 3 * Math.sin(ago / 60), TestCall.get("/product/1").of("acme"));
        calls.make(ago < 420 ? 15 : 4, TestCall.get("/product/1").of("globex"));
        calls.make(3 + 2 * Math.sin(ago / 25 + 2), TestCall.get("/product/1").of("initech"));
        calls.make(12 + 6 * Math.cos(ago / 90), TestCall.get("/product/1").of("umbrella"));
        calls.make(ago % 180 < 40 ? 6 : 0.6, TestCall.post("/orders").of("acme"));
        calls.make(1.2 + Math.sin(ago / 40), TestCall.post("/orders").of("initech"));
        calls.make(ago > 200 && ago < 330 ? 2 : 0.05, TestCall.post("/login").from("203.0.113.66"));
        calls.make(0.03, TestCall.post("/login").from("198.51.100.7"));
        calls.make(4 + 3 * Math.sin(ago / 70 + 1), TestCall.get("/search").of("hooli"));
        calls.make(ago < 500 && ago > 120 ? 9 : 2, TestCall.get("/search").of("stark"));
    }
}
