package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.internal.page.PageAccess;
import dev.sluice.open.Sluice;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class PageParametersTest {

    private final Map<String, Object> attributes = new LinkedHashMap<>();

    private ServletConfig given(Map<String, String> parameters) {
        ServletConfig config = mock(ServletConfig.class);
        ServletContext context = mock(ServletContext.class);
        when(config.getServletName()).thenReturn("page");
        when(config.getServletContext()).thenReturn(context);
        when(config.getInitParameterNames()).thenAnswer(call -> Collections.enumeration(parameters.keySet()));
        parameters.forEach((name, value) -> when(config.getInitParameter(name)).thenReturn(value));
        when(context.getAttributeNames()).thenAnswer(call -> Collections.enumeration(attributes.keySet()));
        attributes.forEach((name, value) -> when(context.getAttribute(name)).thenReturn(value));
        return config;
    }

    private PageAccess access(Map<String, String> parameters) throws ServletException {
        return PageParameters.access(given(parameters), PageAccess.CLOSED);
    }

    @Test
    void nobodyIsAdmittedByDefault() throws ServletException {
        assertThat(access(Map.of()).isClosed()).isTrue();
        assertThat(access(Map.of("open", "false")).isClosed()).isTrue();
    }

    @Test
    void rolesAreListedInOneParameter() throws ServletException {
        assertThat(access(Map.of("roles", " operator, support ,")))
                .isEqualTo(new PageAccess(Set.of("operator", "support"), false));
    }

    @Test
    void parametersOverrideCode() throws ServletException {
        PageAccess inCode = new PageAccess(Set.of("operator"), true);
        assertThat(PageParameters.access(given(Map.of("open", "false")), inCode))
                .isEqualTo(new PageAccess(Set.of("operator"), false));
        assertThat(PageParameters.access(given(Map.of()), inCode)).isEqualTo(inCode);
    }

    @Test
    void whoMayChangeSomethingIsNamedApart() throws ServletException {
        PageAccess inCode = new PageAccess(Set.of("root"), false);
        assertThat(PageParameters.changes(given(Map.of("open", "true")), PageAccess.CLOSED))
                .isEqualTo(PageAccess.CLOSED);
        assertThat(PageParameters.changes(given(Map.of("roles", "operator")), inCode))
                .isEqualTo(inCode);
        assertThat(PageParameters.changes(given(Map.of("changeRoles", "admin, lead")), inCode))
                .isEqualTo(new PageAccess(Set.of("admin", "lead"), false));
        assertThatThrownBy(() -> PageParameters.changes(given(Map.of("changeRoles", ",")), inCode))
                .hasMessage("servlet page: init-param \"changeRoles\" names no role; list roles, for example admin");
    }

    @Test
    void rolesRestrictAPageThatCodeHasOpened() throws ServletException {
        assertThat(PageParameters.access(given(Map.of("roles", "operator")), PageAccess.OPEN))
                .isEqualTo(new PageAccess(Set.of("operator"), false));
        assertThatThrownBy(() -> access(Map.of("roles", "operator", "open", "true")))
                .hasMessage(
                        "servlet page: init-param \"open\" lets everybody read the page, but roles lets only some; set "
                                + "only one of the two");
    }

    @Test
    void mistakesStopTheStart() {
        assertThatThrownBy(() -> access(Map.of("rolls", "operator")))
                .isInstanceOf(ServletException.class)
                .hasMessage("servlet page: init-param \"rolls\" is unknown; expected: roles (for example operator, "
                        + "support), open (true or false) or changeRoles (for example admin)");
        assertThatThrownBy(() -> access(Map.of("open", "yes")))
                .hasMessage("servlet page: init-param \"open\" must be true or false");
        assertThatThrownBy(() -> access(Map.of("roles", " , ")))
                .hasMessage(
                        "servlet page: init-param \"roles\" names no role; list roles, for example operator, support");
    }

    @Test
    void theOnlyLimiterOfTheApplicationIsFound(@TempDir Path folder) throws Exception {
        try (Sluice one = limiter(folder);
                Sluice other = limiter(folder)) {
            attributes.put("something", "else");
            assertThatThrownBy(() -> PageParameters.limiter(given(Map.of()), null))
                    .hasMessageStartingWith("servlet page cannot start: it found no limiter. Register a ");
            attributes.put("dev.sluice.internal.limiter.first", one);
            assertThat(PageParameters.limiter(given(Map.of()), null)).isSameAs(one);
            assertThat(PageParameters.limiter(given(Map.of()), other)).isSameAs(other);
            attributes.put("dev.sluice.internal.limiter.second", other);
            assertThatThrownBy(() -> PageParameters.limiter(given(Map.of()), null))
                    .hasMessageStartingWith("servlet page cannot start: it found 2 limiters. Construct a servlet for ");
        }
    }

    private static Sluice limiter(Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("rate-limits.yml"),
                "- { id: all, pathPattern: /**, tiers: [ { period: 1m, threshold: 1 } ] }");
        return Sluice.open(file.toString());
    }
}
