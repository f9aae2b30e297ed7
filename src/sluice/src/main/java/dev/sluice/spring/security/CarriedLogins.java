package dev.sluice.spring.security;

import dev.sluice.internal.servlet.underway.RequestLogins;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the logins of a request to other threads, where the application propagates context: then limits count the
 * failures of these threads too. Carries no request, since a container may recycle it meanwhile.
 */
public final class CarriedLogins implements ThreadLocalAccessor<RequestLogins> {

    private static final String KEY = "dev.sluice.logins";

    private CarriedLogins() {}

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
    public @Nullable RequestLogins getValue() {
        return LoginsOfThread.find();
    }

    @Override
    public void setValue(RequestLogins logins) {
        LoginsOfThread.set(logins);
    }

    @Override
    public void setValue() {
        LoginsOfThread.set(null);
    }
}
