package dev.sluice.spring.actuate;

import dev.sluice.config.Sluice;
import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.LimiterStatus.Away;
import dev.sluice.limits.LimiterStatus.RefusedChange;
import dev.sluice.limits.LimiterStatus.Store;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of a limiter. A store that is away is no reason to take the instance out of service: it goes on deciding, as
 * {@code onFailure} says. So that is {@code UP} with the reason, unless told otherwise.
 *
 * @param status its code
 * @param details what else is told
 */
record LimiterHealth(String status, Map<String, Object> details) {

    private static final String UP = "UP";

    /**
     * How it is now.
     *
     * @param storeAway the status while the store is away
     */
    static LimiterHealth of(Sluice sluice, String storeAway) {
        LimiterStatus now = sluice.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("limits", now.file().name());
        RefusedChange refused = now.file().refused();
        if (refused != null) {
            details.put(
                    "refusedChange", Instant.ofEpochMilli(refused.atMillis()).toString());
        }
        Store store = now.store();
        details.put("store", store == null ? "memory:" : store.name());
        Away away = store == null ? null : store.away();
        if (away != null) {
            details.put(
                    "storeAwaySince", Instant.ofEpochMilli(away.sinceMillis()).toString());
            details.put("storeAwayBecause", away.cause());
        }
        return new LimiterHealth(away == null ? UP : storeAway, details);
    }
}
