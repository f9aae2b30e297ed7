package dev.sluice.page;

import dev.sluice.internal.page.PageRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** A request for the page, in a servlet container. */
record ServletPageRequest(HttpServletRequest request) implements PageRequest {

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
}
