package dev.sluice.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.page.PageContract;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** The page as a WebFlux bean, on Netty. */
@Tag("server")
class NettyPageTest extends PageContract {

    /** An application with two answers, whose callers have the role of their header. */
    @Configuration(proxyBeanMethods = false)
    static class Application {

        private static final Map<String, String> ANSWERS = Map.of("/hello", "hello", "/_sluicer", "another");

        @Bean
        WebHandler webHandler() {
            return exchange -> {
                String answer = ANSWERS.get(
                        exchange.getRequest().getPath().pathWithinApplication().value());
                ServerHttpResponse response = exchange.getResponse();
                response.setStatusCode(answer == null ? HttpStatus.NOT_FOUND : HttpStatus.OK);
                byte[] body = (answer == null ? "" : answer).getBytes(StandardCharsets.UTF_8);
                return response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
            };
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter login() {
            return (exchange, chain) -> {
                String role = exchange.getRequest().getHeaders().getFirst("Role");
                return chain.filter(
                        role == null
                                ? exchange
                                : exchange.mutate()
                                        .principal(Mono.just(caller(role)))
                                        .build());
            };
        }

        private static java.security.Principal caller(String role) {
            return role.equals("ANONYMOUS")
                    ? new AnonymousAuthenticationToken(
                            "key", "nobody", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))
                    : new TestingAuthenticationToken("someone", "password", "ROLE_" + role);
        }

        /** Changes the path of some exchanges, behind the limiter. */
        @Bean
        @Order(10)
        WebFilter rewriting() {
            return (exchange, chain) -> {
                String path = exchange.getRequest().getHeaders().getFirst("Rewrite");
                return chain.filter(path == null ? exchange : at(path, exchange));
            };
        }

        private static ServerWebExchange at(String path, ServerWebExchange exchange) {
            return exchange.mutate()
                    .request(request -> request.path("/shop" + path))
                    .build();
        }
    }

    private static NettyServer started(Sluice limiter, SluiceWebPage page) {
        return NettyServer.start(
                "/shop",
                () -> new RateLimitWebFilter(limiter, null, 0),
                beans -> beans.registerBean("page", SluiceWebPage.class, () -> page),
                Application.class);
    }

    @Override
    protected Running start(Sluice limiter, Readers readers) {
        SluiceWebPage page = SluiceWebPage.of(limiter);
        if (readers.open()) {
            page.open();
        } else {
            page.roles(readers.roles().toArray(String[]::new));
            page.changeRoles(readers.changeRoles().toArray(String[]::new));
        }
        return new Running(started(limiter, page), page::listeners);
    }

    /** The CSRF filter of Spring Security. */
    @Configuration(proxyBeanMethods = false)
    static class WithCsrf {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter csrf() {
            CsrfWebFilter filter = new CsrfWebFilter();
            filter.setCsrfTokenRepository(new CookieServerCsrfTokenRepository());
            return filter;
        }
    }

    /** The page sends the token that Spring Security's filter demands. */
    @Test
    void aChangePassesTheCsrfFilterOfSpringSecurity() throws Exception {
        try (Sluice limiter = limited();
                NettyServer server = NettyServer.start(
                        "/shop",
                        () -> new RateLimitWebFilter(limiter, null, 0),
                        beans -> beans.registerBean(
                                "page",
                                SluiceWebPage.class,
                                () -> SluiceWebPage.of(limiter).openForChanges()),
                        Application.class,
                        WithCsrf.class)) {
            assertThat(RawHttp.get(server, "/shop/hello").status()).isEqualTo(200);
            JsonNode client = new ObjectMapper()
                    .readTree(RawHttp.get(server, "/shop/_sluice/data.json").body())
                    .get("traffic")
                    .get("clients")
                    .get(0);
            RawHttp.Answer details = RawHttp.get(server, "/shop/_sluice/client.json?id=" + client.get("id"));
            JsonNode csrf = new ObjectMapper().readTree(details.body()).get("csrf");
            String[] made = {
                "Cookie: " + details.headers("Set-Cookie").get(0).replaceFirst(";.*", ""),
                "Sluice-Change: 1",
                "Content-Length: 0",
                csrf.get("header").asText() + ": " + csrf.get("token").asText()
            };
            String reset = "/shop/_sluice/reset?id=" + client.get("id");
            assertThat(RawHttp.send(server, "POST", reset, made).body())
                    .startsWith("Nothing was changed: this limiter has no store");
            made[3] = "Accept: */*";
            assertThat(RawHttp.send(server, "POST", reset, made).status()).isEqualTo(403);
            assertThat(RawHttp.get(server, "/shop/_sluice/page.js").headers("Set-Cookie"))
                    .as("only the details of a client ask for a token, which may create a session")
                    .isEmpty();
        }
    }

    private static Sluice limited() {
        return Sluice.builder().config(new GivenFile("""
            endpoints:
              - { id: everything, pathPattern: /**, tiers: [ { period: 366d, threshold: 1000 } ] }
            """)).open();
    }

    private static boolean isOfPage(RawHttp.Answer answer) {
        return !answer.headers("Content-Security-Policy").isEmpty();
    }

    private static boolean isCounted(RawHttp.Answer answer) {
        return !answer.headers("x-ratelimit-remaining").isEmpty();
    }

    @Test
    void anonymousCallersHaveNoRole() {
        try (Sluice limiter = limited();
                NettyServer server = started(limiter, SluiceWebPage.of(limiter).roles("ANONYMOUS", "ROLE_OPERATOR"))) {
            assertThat(RawHttp.send(server, "GET", "/shop/_sluice/", "Role: ANONYMOUS")
                            .status())
                    .isEqualTo(403);
            assertThat(RawHttp.send(server, "GET", "/shop/_sluice/", "Role: OPERATOR")
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/_sluice/../hello",
                "/_sluice/%2e%2e/hello",
                "/_sluice/..%2fhello",
                "/_sluice/.;/..;/hello",
                "/_sluice;/../hello",
                "/_sluice%2f../hello",
                "/_sluice//../../hello",
                "//_sluice/../hello",
                "/%5fsluice/../hello",
                "/_sluicer",
                "/_sluice.js",
                "/_SLUICE/",
                "/hello/../_sluice/",
                "/./_sluice/",
                "/hello",
            })
    void whateverItDoesNotAnswerIsCounted(String path) {
        try (Sluice limiter = limited();
                NettyServer server = started(limiter, SluiceWebPage.of(limiter).open())) {
            RawHttp.Answer answer = RawHttp.get(server, "/shop" + path);
            assertThat(isCounted(answer)).isEqualTo(!isOfPage(answer));
            if (isOfPage(answer)) {
                assertThat(answer.body()).doesNotContain("hello");
            }
        }
    }

    @Test
    void itAnswersUncountedExchangesEvenIfAFilterChangesTheirPath() {
        try (Sluice limiter = limited();
                NettyServer server = started(limiter, SluiceWebPage.of(limiter).open())) {
            RawHttp.Answer page = RawHttp.send(server, "GET", "/shop/_sluice/data.json", "Rewrite: /hello");
            assertThat(page.body()).contains("\"everything\"");
            assertThat(isCounted(page)).isFalse();
            assertThat(isCounted(RawHttp.send(server, "GET", "/shop/hello", "Rewrite: /_sluice/data.json")))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "limits", "/limits/", "/limits/**", "/{limits}", "/*", "/li mits", "//limits"})
    void refusesAnInvalidPath(String path) {
        try (Sluice limiter = limited()) {
            SluiceWebPage page = SluiceWebPage.of(limiter);
            assertThatThrownBy(() -> page.at(path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The page cannot be at \"" + path + "\"; write a plain path, for example /ops/limits");
        }
    }

    @Test
    void canBeServedBelowAnotherPath() {
        try (Sluice limiter = limited();
                NettyServer server = started(
                        limiter, SluiceWebPage.of(limiter).at("/ops/limits").open())) {
            assertThat(RawHttp.get(server, "/shop/ops/limits").header("Location"))
                    .isEqualTo("./limits/");
            assertThat(RawHttp.get(server, "/shop/ops/limits/").body()).contains("<title>Sluice</title>");
            assertThat(isCounted(RawHttp.get(server, "/shop/_sluice/"))).isTrue();
        }
    }
}
