package dev.sluice.internal.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests for the page need no limit. */
class PageCredentialsTest {

    private final PageCredentials credentials = new PageCredentials();

    @Test
    void aRequestWithoutCredentialsNeedsNone() {
        assertThat(credentials.needNoLimit(null)).isTrue();
        assertThat(credentials.needNoLimit("")).isFalse();
    }

    @Test
    void credentialsNeedNoneOnceThePageHasAnswered() {
        assertThat(credentials.needNoLimit("Basic a")).isFalse();
        credentials.rememberIfAccepted("GET", "Basic a", 200);
        assertThat(credentials.needNoLimit("Basic a")).isTrue();
        assertThat(credentials.needNoLimit("Basic b")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 101, 302, 401, 403, 429, 500})
    void anotherAnswerProvesNothing(int status) {
        credentials.rememberIfAccepted("GET", "Basic a", status);
        assertThat(credentials.needNoLimit("Basic a")).isFalse();
    }

    @Test
    void aPreflightProvesNothing() {
        credentials.rememberIfAccepted("OPTIONS", "Basic a", 200);
        assertThat(credentials.needNoLimit("Basic a")).isFalse();
    }

    @Test
    void itForgetsThoseThatWereNotUsedForLongest() {
        credentials.rememberIfAccepted("GET", "Basic a", 200);
        for (int i = 0; i < 99; i++) {
            credentials.rememberIfAccepted("GET", "Bearer " + i, 200);
        }
        assertThat(credentials.needNoLimit("Basic a")).isTrue();
        credentials.rememberIfAccepted("GET", "Bearer 99", 200);
        assertThat(credentials.needNoLimit("Basic a")).isTrue();
        assertThat(credentials.needNoLimit("Bearer 0")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Basic YW5uOnJpZ2h0, ann, right, true",
        "basic YW5uOnJpZ2h0, ann, right, true",
        "Basic YW5uOnJpZ2h0, ann, wrong, false",
        "Basic YW5uOnJpZ2h0, bob, right, false",
        "Basic YW5uOnJpZ2h0, '', nn:right, false",
        "Token YW5uOnJpZ2h0, ann, right, false",
        "Bearer abc, '', abc, true",
        "Bearer abc, '', ab, false",
        "Basic abc, ann, right, false",
        "Basic *, ann, right, false",
        "Basic, ann, right, false",
        "Bearer abc, ann,, false"
    })
    void whatSomebodyHasCheckedIsInTheHeaderOrNot(String sent, String name, String secret, boolean expected) {
        assertThat(PageCredentials.hold(sent, name, secret)).isEqualTo(expected);
    }
}
