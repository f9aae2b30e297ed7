package dev.sluice.spring.security;

import dev.sluice.internal.http.request.RequestLogins;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the logins of a request to other threads, where the application propagates context: then limits count the
 * failures of these threads too. Carries no request, since a container may recycle it meanwhile.
 */
public final class CarriedLogins implements ThreadLocalAccessor<CarriedLogins.Carried> {

    private static final String KEY = "dev.sluice.logins";

    private CarriedLogins() {}

    /**
     * The logins that a thread works for.
     *
     * @param isSet whether they were set for the thread, rather than found in Spring's request attributes
     */
    record Carried(RequestLogins logins, boolean isSet) {}

    /** Takes part in the propagation of context from now on. */
    public static CarriedLogins register() {
        CarriedLogins accessor = new CarriedLogins();
        ContextRegistry.getInstance().registerThreadLocalAccessor(accessor); // replaces an earlier one
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

    /** Logins that were found in request attributes end with these: the thread's next request has others. */
    @Override
    public void restore(Carried before) {
        LoginsOfThread.set(before.isSet ? before.logins : null);
    }
}
