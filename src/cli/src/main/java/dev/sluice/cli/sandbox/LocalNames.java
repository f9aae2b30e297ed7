package dev.sluice.cli.sandbox;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Serves the page only to requests whose {@code Host} header names this computer. Otherwise, a web site whose name
 * resolves to this address could read the page through a visitor's browser (DNS rebinding).
 */
public final class LocalNames extends HttpFilter {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Pattern LOCAL =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?|\\[?0:0:0:0:0:0:0:1]?");

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isPage = request.getHttpServletMapping().getPattern().equals(SandboxServer.PAGE + "*");
        if (isPage
                && !LOCAL.matcher(request.getServerName().toLowerCase(Locale.ROOT))
                        .matches()) {
            response.setStatus(HttpServletResponse.SC_FORBIDDEN);
            response.setContentType("text/plain");
            response.getWriter().print("Only this computer can read the page. Open it as localhost.\n");
            return;
        }
        chain.doFilter(request, response);
    }
}
