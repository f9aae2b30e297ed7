package dev.sluice.spring.actuate;

import dev.sluice.limits.LimiterStatus;
import dev.sluice.limits.LimiterStatus.RefusedChange;
import dev.sluice.limits.LimiterStatus.Store;
import dev.sluice.limits.LimiterStatus.Unavailable;
import dev.sluice.open.Sluice;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of a limiter. While its store is unavailable, a limiter still makes decisions as specified by {@code
 * onFailure}. By default, the status therefore remains {@code UP}, and the instance stays in service. The same applies
 * if the store is misconfigured.
 *
 * @param status the status code
 * @param details the file, the store, and any problems with them
 */
record LimiterHealth(String status, Map<String, Object> details) {

    /**
     * The current health.
     *
     * @param storeUnavailable the status while the store is unavailable
     */
    static LimiterHealth of(Sluice sluice, StoreUnavailableStatus storeUnavailable) {
        LimiterStatus now = sluice.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("limits", now.file().name());
        RefusedChange refused = now.file().refused();
        if (refused != null) {
            details.put(
                    "refusedChange", Instant.ofEpochMilli(refused.atMillis()).toString());
            details.put("refusedFile", refused.name());
        }
        Store store = now.store();
        details.put("store", store == null ? "memory:" : store.name());
        Unavailable unavailable = store == null ? null : store.unavailable();
        if (unavailable != null) {
            details.put(
                    "storeUnavailableSince",
                    Instant.ofEpochMilli(unavailable.sinceMillis()).toString());
            details.put("storeUnavailableBecause", unavailable.cause());
        }
        String warning = store == null ? null : store.warning();
        if (warning != null) {
            details.put("storeWarning", warning);
        }
        return new LimiterHealth((unavailable == null ? StoreUnavailableStatus.UP : storeUnavailable).name(), details);
    }
}
