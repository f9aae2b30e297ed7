package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application with its own login form, and without Spring Security, limits guesses of a password. */
@Tag("server")
class LoginFormTest {

    private static final Map<String, String> PASSWORDS = Map.of("ann", "right");

    private final List<String> lookedUp = new ArrayList<>();
    private boolean databaseIsAway;

    private final Sluice limiter = Sluice.builder().config(new GivenFile("""
                secrets: { key: "a key of sixteen characters" }
                endpoints:
                  - { id: account, pathPattern: /login, per: [ login ], count: { outcome: login-failure },
                      tiers: [ { period: 360d, threshold: 3 } ] }
                """)).open();

    @AfterEach
    void close() {
        limiter.close();
    }

    private boolean match(String name, String password) throws IOException {
        lookedUp.add(name);
        if (databaseIsAway) {
            throw new IOException("the database is unavailable");
        }
        return password.equals(PASSWORDS.get(name));
    }

    private boolean logIn(ServletRequest request, String name, String password) throws IOException {
        return RateLimit.login(request, name, () -> match(name, password));
    }

    /** The status of the answer. */
    private FakeExchange post(String name, String password) throws Exception {
        FakeExchange exchange = FakeExchange.of("POST", "/login");
        new RateLimitFilter(limiter).doFilter(exchange.request, exchange.response, (request, response) -> {
            if (!logIn(request, name, password)) {
                exchange.response.setStatus(401);
            }
        });
        return exchange;
    }

    @Test
    void hasThreeTriesForAnAccount() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(post("ann", "right").status).isEqualTo(200);
            assertThat(post("ann", "wrong").status).isEqualTo(401);
        }
        FakeExchange refused = post(" ANN", "right");
        assertThat(refused.status).isEqualTo(429);
        assertThat(refused.headers).containsKey("Retry-After");
        assertThat(post("bob", "wrong").status).isEqualTo(401);
    }

    /** So neither the answer nor its time tells whether the account exists. */
    @Test
    void looksUpNoAccountForARefusedTry() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(post("ann", "wrong").status).isEqualTo(i < 3 ? 401 : 429);
            assertThat(post("nobody", "wrong").status).isEqualTo(i < 3 ? 401 : 429);
        }
        assertThat(lookedUp).containsExactly("ann", "nobody", "ann", "nobody", "ann", "nobody");
    }

    @Test
    void countsNoTryThatTheDatabaseCouldNotCheck() throws Exception {
        databaseIsAway = true;
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> post("ann", "wrong")).isInstanceOf(IOException.class);
        }
        databaseIsAway = false;
        assertThat(post("ann", "wrong").status).isEqualTo(401);
    }

    @Test
    void isNotLimitedWhereNoFilterIs() throws Exception {
        FakeExchange exchange = FakeExchange.of("POST", "/login");
        for (int i = 0; i < 5; i++) {
            assertThat(logIn(exchange.request, "ann", "wrong")).isFalse();
        }
        assertThat(logIn(exchange.request, "ann", "right")).isTrue();
    }
}
