package dev.sluice.spring.security;

import dev.sluice.internal.http.request.RequestLogins;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Propagates a request's login attempts to other threads if the application uses context propagation. Limits can then
 * also count failed logins on these threads. The request itself is not propagated, because the container might recycle
 * it in the meantime.
 */
public final class CarriedLogins implements ThreadLocalAccessor<CarriedLogins.Carried> {

    private static final String KEY = "dev.sluice.logins";

    private CarriedLogins() {}

    /**
     * The login attempts of the request on whose behalf a thread is working.
     *
     * @param isSet whether the login attempts were set for the thread, rather than found in Spring's request attributes
     */
    record Carried(RequestLogins logins, boolean isSet) {}

    /** Registers an accessor for context propagation. */
    public static CarriedLogins register() {
        CarriedLogins accessor = new CarriedLogins();
        ContextRegistry.getInstance().registerThreadLocalAccessor(accessor); // replaces an earlier accessor
        return accessor;
    }

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable Carried getValue() {
        RequestLogins set = LoginsOfThread.current();
        RequestLogins logins = set == null ? LoginsOfThread.find() : set;
        return logins == null ? null : new Carried(logins, set != null);
    }

    @Override
    public void setValue(Carried carried) {
        LoginsOfThread.set(carried.logins);
    }

    @Override
    public void setValue() {
        LoginsOfThread.set(null);
    }

    /**
     * Restores the earlier login attempts, unless they were found in request attributes. Those must not be restored,
     * because the thread's next request has different attributes.
     */
    @Override
    public void restore(Carried before) {
        LoginsOfThread.set(before.isSet ? before.logins : null);
    }
}
