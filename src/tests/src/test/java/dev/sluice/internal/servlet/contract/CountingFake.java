package dev.sluice.internal.servlet.contract;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Admits a fixed number of calls, of all callers and paths together, and records the calls. */
public final class CountingFake implements RateLimiter {

    private final int limit;
    private final Endpoint endpoint;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private CountingFake(int limit) {
        this.limit = limit;
        this.endpoint = Decisions.endpoint(
                "everything", Mode.ENFORCE, Decisions.tier("10s", Math.max(1, limit), Duration.ofSeconds(10)));
    }

    public static CountingFake admitting(int limit) {
        return new CountingFake(limit);
    }

    @Override
    public Decision decide(Call call) {
        asked.add(call.method() + " " + call.path());
        int left = limit - asked.size();
        return left >= 0 ? Decisions.admitted(endpoint, left, 6_500) : Decisions.refused(endpoint, 6_500);
    }

    /** Method and path of every call that was decided. */
    public List<String> asked() {
        return asked;
    }
}
