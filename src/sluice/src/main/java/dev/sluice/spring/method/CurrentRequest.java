package dev.sluice.spring.method;

import dev.sluice.Call;
import dev.sluice.internal.servlet.call.ServletCall;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Finds the servlet request that the current thread is serving. */
final class CurrentRequest implements CurrentCaller {

    @Override
    public @Nullable Call request() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes served
                ? new ServletCall(served.getRequest(), (request, isMadeUp) -> false)
                : null;
    }
}
