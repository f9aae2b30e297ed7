package dev.sluice.spring.actuate;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The status of the health indicator while the store is away. */
public enum StoreAwayStatus {
    UP,
    OUT_OF_SERVICE,
    DOWN;

    private static final String PROPERTY = "sluice.health.store-away";

    static StoreAwayStatus of(Environment environment) {
        return Binder.get(environment).bind(PROPERTY, StoreAwayStatus.class).orElse(UP);
    }
}
