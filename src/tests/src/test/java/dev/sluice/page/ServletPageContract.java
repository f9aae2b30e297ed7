package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.SmallApplication;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;

/** The page as a servlet; the same in every container. */
@Tag("server")
abstract class ServletPageContract extends PageContract {

    private final WebServer.Make make;

    ServletPageContract(WebServer.Make make) {
        this.make = make;
    }

    /** Gives callers the role in their header, as a login would. */
    private static final class RoleFromHeader extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public boolean isUserInRole(String role) {
                            return role.equals(request.getHeader("Role"));
                        }
                    },
                    response);
        }
    }

    @Override
    protected Running start(Sluice limiter, Readers readers) throws Exception {
        SluicePage page = SluicePage.of(limiter);
        if (readers.open()) {
            page.open();
        } else {
            page.roles(readers.roles().toArray(String[]::new));
            page.changeRoles(readers.changeRoles().toArray(String[]::new));
        }
        WebServer server = make.start(Application.at("/shop", (classes, context) -> {
            SmallApplication.addFilter(context, "login", new RoleFromHeader(), "/*");
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            SmallApplication.addServlet(
                    context,
                    "/hello",
                    (request, response) -> response.getWriter().print("hello"));
            SmallApplication.addServlet(
                    context,
                    "/_sluicer",
                    (request, response) -> response.getWriter().print("another"));
            map(context.addServlet("page", page));
        }));
        assertThat(RawHttp.get(server, "/shop/_sluice/x").status())
                .as("Undertow starts it now")
                .isIn(403, 404);
        return new Running(server, page::listeners);
    }

    private static void map(ServletRegistration.Dynamic page) {
        page.setAsyncSupported(true);
        page.setLoadOnStartup(1);
        page.addMapping("/_sluice/*");
    }

    /** The page sends the token that Spring Security's filter demands, whichever repository it has. */
    @Test
    void aChangePassesTheCsrfFilterOfSpringSecurity(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("rate-limits.yml"),
                "- { id: everything, pathPattern: /**, tiers: [ { period: 366d, threshold: 3 } ] }");
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        try (Sluice limiter = Sluice.open(file.toString());
                WebServer server = make.start(Application.at("/shop", (classes, context) -> {
                    SmallApplication.addFilter(context, "csrf", new CsrfFilter(tokens), "/*");
                    SmallApplication.addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
                    SmallApplication.addServlet(
                            context,
                            "/hello",
                            (request, response) -> response.getWriter().print("hello"));
                    map(context.addServlet("page", SluicePage.of(limiter).openForChanges()));
                }))) {
            assertThat(RawHttp.get(server, "/shop/_sluice/").status())
                    .as("Undertow starts it now")
                    .isEqualTo(200);
            assertThat(RawHttp.get(server, "/shop/hello").status()).isEqualTo(200);
            JsonNode client = new ObjectMapper()
                    .readTree(RawHttp.get(server, "/shop/_sluice/data.json").body())
                    .get("traffic")
                    .get("clients")
                    .get(0);
            RawHttp.Answer details = RawHttp.get(server, "/shop/_sluice/client.json?id=" + client.get("id"));
            JsonNode csrf = new ObjectMapper().readTree(details.body()).get("csrf");
            String cookie = details.headers("Set-Cookie").get(0).replaceFirst(";.*", "");
            String[] made = {
                "Cookie: " + cookie,
                "Sluice-Change: 1",
                "Content-Length: 0",
                csrf.get("header").asText() + ": " + csrf.get("token").asText()
            };
            assertThat(RawHttp.send(server, "POST", "/shop/_sluice/reset?id=" + client.get("id"), made)
                            .body())
                    .startsWith("Nothing was changed: this limiter has no store");
            made[3] = "Accept: */*";
            assertThat(RawHttp.send(server, "POST", "/shop/_sluice/reset?id=" + client.get("id"), made)
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void withoutCodeItShowsTheLimiterOfTheFilter(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("rate-limits.yml"),
                "- { id: everything, pathPattern: /**, tiers: [ { period: 366d, threshold: 3 } ] }");
        try (WebServer server = make.start(Application.at("/shop", (classes, context) -> {
            var filter = context.addFilter("limits", RateLimitFilter.class);
            filter.setInitParameter("config", file.toString());
            SmallApplication.map(filter, "/*");
            SmallApplication.addServlet(
                    context,
                    "/hello",
                    (request, response) -> response.getWriter().print("hello"));
            ServletRegistration.Dynamic page = context.addServlet("page", SluicePage.class);
            page.setInitParameter("open", "true");
            map(page);
        }))) {
            assertThat(RawHttp.get(server, "/shop/_sluice/").status())
                    .as("Undertow starts it now")
                    .isEqualTo(200);
            assertThat(RawHttp.get(server, "/shop/hello").status()).isEqualTo(200);
            assertThat(RawHttp.get(server, "/shop/_sluice/data.json").body())
                    .contains("\"id\":\"everything\"", "\"used\":1", "\"limit\":\"3 in ");
        }
    }
}
