package example;

import dev.sluice.Call;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import java.util.List;

/** A JAX-RS request as limits see it before it is matched, when no caller has been authenticated yet. */
record JaxRsCall(ContainerRequestContext request, String ip) implements Call {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return "/" + request.getUriInfo().getPath(false);
    }

    @Override
    public String header(String name) {
        return request.getHeaders().getFirst(name);
    }

    @Override
    public List<String> headers(String name) {
        return request.getHeaders().getOrDefault(name, List.of());
    }

    @Override
    public String query(String name) {
        return request.getUriInfo().getQueryParameters().getFirst(name);
    }

    @Override
    public String cookie(String name) {
        Cookie cookie = request.getCookies().get(name);
        return cookie == null ? null : cookie.getValue();
    }

    @Override
    public String attribute(String name) {
        Object value = request.getProperty(name);
        return value == null ? null : value.toString();
    }

    /** Calls are queued on the threads of their requests, so {@code pendingCalls} in the file bounds their number. */
    @Override
    public boolean holdsThread() {
        return true;
    }
}
