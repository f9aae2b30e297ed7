package dev.sluice.internal.servlet.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class PlainPathTest {

    private static boolean isPlain(String context, String read, String sent) {
        HttpServletRequest request = mock();
        ServletContext application = mock();
        when(application.getContextPath()).thenReturn(context);
        when(request.getServletContext()).thenReturn(application);
        when(request.getContextPath()).thenReturn(read);
        when(request.getRequestURI()).thenReturn(sent);
        return PlainPath.isOf(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b.html", "/a/", "/caf%C3%A9", "/a%20b", "/a+b,c=d", "/a..b"})
    void isPlainIfAllServersReadItTheSameWay(String path) {
        assertThat(isPlain("", "", path)).isTrue();
        assertThat(isPlain("/shop", "/shop", "/shop" + path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//a",
                "/a//b",
                "/a/../b",
                "/./a",
                "/a;b=c",
                "/a\\b",
                "/%61",
                "/a%2fb",
                "/%2e%2e/a",
                "/%253f",
                "/a%3fb",
                "/a%",
                "*",
                ""
            })
    void isNoneThatMayBeReadInSeveral(String path) {
        assertThat(isPlain("", "", path)).isFalse();
        assertThat(isPlain("/shop", "/shop", "/shop" + path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop\\a", "\\shop/a", "/x/..\\shop/a"})
    void doesNotAskForAContextThatTomcatDoesNotFind(String path) {
        HttpServletRequest request = mock();
        ServletContext application = mock();
        when(application.getContextPath()).thenReturn("/shop");
        when(request.getServletContext()).thenReturn(application);
        when(request.getContextPath()).thenThrow(new IllegalStateException("no context in the path"));
        when(request.getRequestURI()).thenReturn(path);
        assertThat(PlainPath.isOf(request)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%73hop/a", "/shop;a=b/a", "//shop/a", "/x/../shop/a", "/shopping/a", "/shop"})
    void isNotPlainIfTheContextIsSpelledUnusually(String path) {
        assertThat(isPlain("/shop", "/shop", path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%73hop", "/shop/../shop"})
    void isNotPlainIfTheContainerReportsAnUnusualContext(String read) {
        assertThat(isPlain("/shop", read, read + "/a")).isFalse();
    }
}
