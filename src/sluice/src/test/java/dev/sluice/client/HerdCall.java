package dev.sluice.client;

import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A call of the tenant acme through the filter, and its answer. Far cheaper than mocks. */
final class HerdCall {

    private final Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<Object, @Nullable Object> attributes = new HashMap<>();
    private boolean passed;

    private HerdCall() {}

    static HerdCall through(RateLimitFilter filter) throws IOException, ServletException {
        HerdCall call = new HerdCall();
        filter.doFilter(
                call.played(HttpServletRequest.class, call::ofRequest),
                call.played(HttpServletResponse.class, call::ofResponse),
                (request, response) -> call.passed = true);
        return call;
    }

    boolean passed() {
        return passed;
    }

    /** The values of a field of the answer. */
    List<String> values(String name) {
        String value = fields.get(name);
        return value == null ? List.of() : List.of(value);
    }

    private <T> T played(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object ofRequest(Object request, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "getMethod" -> "GET";
            case "getRequestURI" -> "/product";
            case "getContextPath" -> "";
            case "getRemoteAddr" -> "192.0.2.1";
            case "getHeader" -> "X-Org-Id".equalsIgnoreCase(String.valueOf(arguments[0])) ? "acme" : null;
            case "getDispatcherType" -> DispatcherType.REQUEST;
            case "setAttribute" -> attributes.put(arguments[0], arguments[1]);
            case "getAttribute" -> attributes.get(arguments[0]);
            default -> ofType(method.getReturnType());
        };
    }

    private @Nullable Object ofResponse(Object response, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "setHeader" -> fields.put((String) arguments[0], (String) arguments[1]);
            case "getHeader" -> fields.get(arguments[0]);
            case "getOutputStream" -> new Nowhere();
            default -> ofType(method.getReturnType());
        };
    }

    /** Discards the body of a refusal, which nobody reads here. */
    private static final class Nowhere extends ServletOutputStream {

        @Override
        public void write(int b) {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    /** The answers to methods that the filter calls in passing. */
    private static @Nullable Object ofType(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type == int.class ? (Object) 0 : null;
    }
}
