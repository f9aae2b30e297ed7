package dev.sluice.internal.servlet.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.internal.http.request.HeaderText;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class ServletCallTest {

    private final HttpServletRequest request = mock();
    private final ServletCall call = new ServletCall(request, (any, isMadeUp) -> true);

    @Test
    void returnsWhatTheRequestHas() {
        when(request.getMethod()).thenReturn("get");
        when(request.getRequestURI()).thenReturn("/a%20b");
        when(request.getRemoteAddr()).thenReturn("192.0.2.1");
        when(request.getHeader("X-Org-Id")).thenReturn("acme");
        when(request.getQueryString()).thenReturn("org=acme");
        when(request.getCookies()).thenReturn(new Cookie[] {new Cookie("a", "1"), new Cookie("b", "2")});
        when(request.getAttribute("plan")).thenReturn(7);
        when(request.getUserPrincipal()).thenReturn(() -> "ann");
        HttpSession session = mock();
        when(session.getId()).thenReturn("s1");
        when(request.getSession(false)).thenReturn(session);

        assertThat(call.method()).isEqualTo("get");
        assertThat(call.path()).isEqualTo("/a%20b");
        assertThat(call.ip()).isEqualTo("192.0.2.1");
        assertThat(call.header("X-Org-Id")).isEqualTo("acme");
        assertThat(call.query("org")).isEqualTo("acme");
        assertThat(call.cookie("b")).isEqualTo("2");
        assertThat(call.attribute("plan")).isEqualTo("7");
        assertThat(call.principal()).isEqualTo("ann");
        assertThat(call.session()).isEqualTo("s1");
        verify(request, never()).getParameter(any());
        verify(request, never()).getSession();
        verify(request, never()).getSession(true);
    }

    @ParameterizedTest
    @CsvSource({
        "acme, acme",
        "K\u00c3\u00bchne, K\u00fchne", // the bytes of UTF-8, as containers hand them on
        "K\u00fchne, K\u00fchne", // Latin-1
        "\u00e6\u009d\u00b1, \u6771",
        "\u6771, \u6771", // a container that reads UTF-8 itself
        "\u00c0\u00af, \u00c0\u00af", // an overlong slash is no UTF-8
        "\u00c3, \u00c3",
    })
    void readsHeadersAsTheirSendersWroteThem(String asRead, String asWritten) {
        when(request.getHeader("X-Org-Id")).thenReturn(asRead);
        when(request.getHeaders("X-Org-Id")).thenReturn(Collections.enumeration(List.of(asRead)));
        assertThat(call.header("X-Org-Id")).isEqualTo(asWritten);
        assertThat(call.headers("X-Org-Id")).containsExactly(asWritten);
    }

    @Test
    void doesNotCopyAnAsciiHeader() {
        String plain = "acme inc";
        assertThat(HeaderText.of(plain)).isSameAs(plain);
    }

    @Test
    void returnsAllLinesOfAHeader() {
        when(request.getHeaders("X-Forwarded-For"))
                .thenReturn(Collections.enumeration(List.of("192.0.2.1", "192.0.2.2")));
        assertThat(call.headers("X-Forwarded-For")).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(call.headers("Forwarded")).isEmpty();
        when(request.getHeaders("Forwarded")).thenThrow(new IllegalStateException());
        assertThat(call.headers("Forwarded")).isEmpty();
    }

    @Test
    void returnsNothingIfTheRequestHasNothing() {
        assertThat(call.header("X-Org-Id")).isNull();
        assertThat(call.query("org")).isNull();
        assertThat(call.cookie("b")).isNull();
        assertThat(call.attribute("plan")).isNull();
        assertThat(call.principal()).isNull();
        assertThat(call.session()).isNull();
    }

    @Test
    void aMalformedRequestDoesNotMakeItThrow() {
        RuntimeException badRequest = new IllegalArgumentException("the container does not like this cookie");
        when(request.getHeader("X-Org-Id")).thenThrow(badRequest);
        when(request.getCookies()).thenThrow(badRequest);
        when(request.getAttribute("plan")).thenThrow(badRequest);
        when(request.getUserPrincipal()).thenThrow(badRequest);
        when(request.getSession(false)).thenThrow(badRequest);
        returnsNothingIfTheRequestHasNothing();
    }
}
