package dev.sluice.page;

import dev.sluice.internal.page.PageRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** A request for the page in a servlet container. */
record ServletPageRequest(HttpServletRequest request, boolean mayChange) implements PageRequest {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String mappedTo() {
        return request.getServletPath();
    }

    @Override
    public String below() {
        String info = request.getPathInfo();
        return info == null ? "" : info;
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public @Nullable String parameter(String name) {
        return request.getParameter(name);
    }

    @Override
    public String serverName() {
        return request.getServerName();
    }

    @Override
    public int serverPort() {
        return request.getServerPort();
    }

    @Override
    public String user() {
        Principal user = request.getUserPrincipal();
        return user == null || user.getName() == null ? "" : user.getName();
    }

    /**
     * Returns the token of Spring Security's CSRF filter. Only {@code SpringCsrf} uses the token's class, because
     * Spring Security might not be on the classpath.
     */
    @Override
    public @Nullable CsrfToken csrf() {
        Object token = request.getAttribute("org.springframework.security.web.csrf.CsrfToken");
        return token == null ? null : SpringCsrf.of(token);
    }
}
