package dev.sluice.spring.actuate;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The status of the health indicator while the store is unavailable. */
public enum StoreUnavailableStatus {
    UP,
    OUT_OF_SERVICE,
    DOWN;

    private static final String PROPERTY = "sluice.health.store-unavailable";

    static StoreUnavailableStatus of(Environment environment) {
        return Binder.get(environment)
                .bind(PROPERTY, StoreUnavailableStatus.class)
                .orElse(UP);
    }
}
