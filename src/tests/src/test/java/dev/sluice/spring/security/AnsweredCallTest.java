package dev.sluice.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.servlet.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Which answers look like an unreported failed login. */
@Tag("server")
class AnsweredCallTest {

    private static HttpServletRequest request(String method, String credentials) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, "/login");
        if (!credentials.isEmpty()) {
            request.addHeader("Authorization", credentials);
        }
        return request;
    }

    private static boolean seemsFailed(HttpServletRequest request, int status, String location, boolean atLogin) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.setStatus(status);
        if (!location.isEmpty()) {
            response.setHeader("Location", location);
        }
        return new AnsweredCall(request, response).seemsToHaveFailedUnreported(atLogin);
    }

    @ParameterizedTest
    @CsvSource({"401, true", "403, true", "200, false", "404, false", "302, false"})
    void withCredentials(int status, boolean expected) {
        assertThat(seemsFailed(request("GET", "Token wrong"), status, "", false))
                .isEqualTo(expected);
    }

    @Test
    void aForbiddenCallWithRightCredentialsIsNotAFailedLogin() {
        HttpServletRequest request = request("GET", "Token right");
        AfterAuthentication.passed(request);
        assertThat(seemsFailed(request, 403, "", false)).isFalse();
        assertThat(seemsFailed(request, 401, "", false)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, 401, '', true",
        "GET, 401, '', false",
        "POST, 403, '', false", // for example without a CSRF token
        "POST, 302, /login?error, true",
        "POST, 303, https://shop/login?from=/a&error=true, true",
        "POST, 302, /login?errors, false",
        "POST, 302, /error, false",
        "POST, 302, '', false",
        "GET, 302, /login?error, false",
        "POST, 200, /login?error, false"
    })
    void atTheAddressOfALogin(String method, int status, String location, boolean expected) {
        assertThat(seemsFailed(request(method, ""), status, location, true)).isEqualTo(expected);
        assertThat(seemsFailed(request(method, ""), status, location, false))
                .as("elsewhere")
                .isFalse();
    }

    @Test
    void aLoginThatTheApplicationHasReportedIsNotReportedAgain() {
        HttpServletRequest request = request("POST", "");
        RateLimit.loginFailed(request);
        assertThat(seemsFailed(request, 401, "", true)).isFalse();
    }
}
