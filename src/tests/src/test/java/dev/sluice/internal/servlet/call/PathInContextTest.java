package dev.sluice.internal.servlet.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real containers are tested in {@code dev.sluice.bypass}. */
@Tag("server")
class PathInContextTest {

    private final HttpServletRequest request = mock();

    private String path(String sent, String context) {
        when(request.getRequestURI()).thenReturn(sent);
        when(request.getContextPath()).thenReturn(context);
        return PathInContext.of(request);
    }

    @ParameterizedTest
    @CsvSource({
        "/login, '', /login",
        "//x/../%6cogin;a, '', //x/../%6cogin;a",
        "/app/login, /app, /login",
        "/app, /app, /",
        "/app/, /app, /",
        "/a/b/login, /a/b, /login",
        "/%61pp/login, /%61pp, /login",
        "/app//login, /app, //login",
        "/app/x/../%6cogin;a, /app, /x/../%6cogin;a",
        "/app/x%2f..%2flogin, /app, /x%2f..%2flogin",
        "/app/api%2f..%2flogin, /app, /api%2f..%2flogin"
    })
    void takesAContextOffThatStandsPlainlyInFront(String sent, String context, String path) {
        assertThat(path(sent, context)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//app/login",
                "/%61pp/login",
                "/./app/login",
                "/x/../app/login",
                "/app;v=1/login",
                "/app;v=1/../app/login",
                "/app%2flogin",
                "/app\\login",
                "/app/../app/login",
                "/app/%2e%2e/app/login",
                "/app/..;a/app/login",
                "/app/x/..%2f..%2fapp/login",
                "/app/..\\app/login",
                "/app/..%5Capp/login"
            })
    void takesTheContainersWordWhereItDoesNot(String sent) {
        when(request.getServletPath()).thenReturn("/log");
        when(request.getPathInfo()).thenReturn("/in;x%2f");
        assertThat(path(sent, "/app")).isEqualTo("/log/in%3bx%2f");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "/app/login, /app, null",
                "/login, '', null",
                "/app, /app, /served",
                "/app/../app/login, /app, /../app/login",
                "/app;v=1/login, /app, ;v=1/login",
                "/app;v=1%2forgs/x, /app;v=1, %2forgs/x",
                "/%61pp/login, /app, null"
            })
    void tellsWhatStandsBehindTheContextToo(String sent, String context, String other) {
        when(request.getServletPath()).thenReturn("/served");
        assertThat(PathInContext.otherThan(path(sent, context), request)).isEqualTo(other);
    }

    @Test
    void anEmptyPathIsTheRoot() {
        when(request.getServletPath()).thenReturn("");
        assertThat(path("//app", "/app")).isEqualTo("/");
    }

    @Nested
    class WhereTheContainerHasNoAnswer {

        @ParameterizedTest
        @CsvSource({
            "/app\\login, /login",
            "/x/..%5capp%5clogin, /login",
            "/app/%2e%2e/app/login;a, /login;a",
            "//%61pp/x/../login, /login",
            "/app/x/..%2f..%2fapp/login, /x/..%2f..%2fapp/login",
            "/, /"
        })
        void resolvesThePathItself(String sent, String path) {
            assertThat(withoutContext(sent)).isEqualTo(path);
        }

        private String withoutContext(String sent) {
            ServletContext context = mock();
            when(context.getContextPath()).thenReturn("/app");
            when(request.getServletContext()).thenReturn(context);
            when(request.getRequestURI()).thenReturn(sent);
            when(request.getContextPath()).thenThrow(new IllegalStateException("no idea"));
            return PathInContext.of(request);
        }

        @Test
        void usesTheContainersPathIfItKnowsWhatItServes() {
            when(request.getServletPath()).thenReturn("/orgs");
            when(request.getPathInfo()).thenReturn("/acme/..;");
            assertThat(withoutContext("/app%5c/orgs/acme/..%3b")).isEqualTo("/orgs/acme/..%3b");
        }

        @ParameterizedTest
        @CsvSource({
            "/app//../login, //../login",
            "/app/../app/login, /login",
            "/app/x//../../login, /x//../../login",
            "/x//../../app//../login, /login",
            "/x/../app/;a/../login, /login",
            "/x/../app/a%2fb%5c/..//login, //login",
            "/x/../app/a%2fb%5c/login, /a%2fb%5c/login"
        })
        void countsEmptySegmentsWhereItTellsTheContextOnly(String sent, String path) {
            when(request.getRequestURI()).thenReturn(sent);
            when(request.getContextPath()).thenReturn("/app");
            when(request.getServletPath()).thenThrow(new IllegalArgumentException("ambiguous"));
            assertThat(PathInContext.of(request)).isEqualTo(path);
        }
    }
}
