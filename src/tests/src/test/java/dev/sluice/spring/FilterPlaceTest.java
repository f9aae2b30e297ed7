package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.servlet.RefusalHandler;
import dev.sluice.spring.RunningApplication.Caller;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Which dispatches the filters receive, and their order among those of the application. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class FilterPlaceTest {

    private static final String NINE =
            "- { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 9 } ] }";

    private static final String TWO_EACH =
            "- { id: each, pathPattern: /product/*, per: [ principal ], tiers: [ { period: 1d, threshold: 2 } ] }";

    @TempDir
    private Path directory;

    private String config(String limits) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
    }

    private static boolean isCounted(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-ratelimit-remaining").isPresent();
    }

    private static Caller as(RunningApplication shop, String user) {
        byte[] credentials = (user + ":right").getBytes(StandardCharsets.UTF_8);
        return shop.caller("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }

    @Test
    void queuedCallsReturnThroughThem(CapturedOutput output) throws IOException {
        String limits = """
                - id: paced
                  pathPattern: /product/*
                  tiers: [ { algorithm: leaky-bucket, period: 3s, threshold: 1, queue: 9, maxQueueTime: 1m } ]
                """;
        try (RunningApplication shop = RunningApplication.start(Shop.class, config(limits))) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(shop.get("/product/2").body()).isEqualTo("product 2");
            assertThat(output.getAll()).doesNotContain("queued call");
        }
    }

    /** The server has removed only the last address, which it trusts. The caller wrote the first one. */
    @ParameterizedTest
    @CsvSource({"native, false", "framework, false", "none, true"})
    void proxyHeadersAreLoggedUnlessTheServerOrSpringReadsThem(String strategy, boolean expected, CapturedOutput output)
            throws IOException {
        try (RunningApplication shop =
                RunningApplication.start(Shop.class, config(NINE), "server.forward-headers-strategy=" + strategy)) {
            assertThat(isCounted(shop.get("/product/1", "X-Forwarded-For", "203.0.113.6, 203.0.113.7")))
                    .isTrue();
            assertThat(output.getAll().contains("A call has an X-Forwarded-For or Forwarded header"))
                    .isEqualTo(expected);
        }
    }

    /** An application whose errors lose all headers. */
    @Import(Shop.class)
    @RestController
    static class Forgetful {

        @GetMapping("/fails")
        void fails(HttpServletResponse response) throws IOException {
            response.reset();
            response.sendError(HttpServletResponse.SC_CONFLICT);
        }
    }

    @Test
    void errorPagesHaveTheirHeaders() throws IOException {
        try (RunningApplication shop = RunningApplication.start(Forgetful.class, config(NINE))) {
            HttpResponse<String> failed = shop.get("/fails");
            assertThat(failed.statusCode()).isEqualTo(409);
            assertThat(failed.headers().allValues("x-ratelimit-remaining")).containsExactly("8");
        }
    }

    /** An application that answers some calls in a filter. */
    @Import(Shop.class)
    static class WithGate {

        @Bean
        FilterRegistrationBean<Filter> gate() {
            FilterRegistrationBean<Filter> gate = new FilterRegistrationBean<>((request, response, chain) -> {
                if (((HttpServletRequest) request).getHeader("X-Unwanted") == null) {
                    chain.doFilter(request, response);
                } else {
                    ((HttpServletResponse) response).setStatus(403);
                }
            });
            gate.setOrder(5);
            return gate;
        }
    }

    @Test
    void theyComeFirstUnlessTheApplicationSaysOtherwise() throws IOException {
        try (RunningApplication shop = RunningApplication.start(WithGate.class, config(NINE))) {
            assertThat(isCounted(shop.get("/product/1", "X-Unwanted", "yes"))).isTrue();
        }
        try (RunningApplication shop =
                RunningApplication.start(WithGate.class, config(NINE), "sluice.filter.order=6")) {
            assertThat(isCounted(shop.get("/product/1", "X-Unwanted", "yes"))).isFalse();
            assertThat(isCounted(shop.get("/product/1"))).isTrue();
        }
    }

    @Test
    void theySurroundSpringSecurityWhateverItsOrder() throws IOException {
        try (RunningApplication shop = RunningApplication.start(
                SecuredShops.Basic.class, config(TWO_EACH), "spring.security.filter.order=50")) {
            for (String user : new String[] {"ann", "bob"}) {
                assertThat(as(shop, user).get("/product/1").headers().firstValue("x-ratelimit-remaining"))
                        .hasValue("1");
            }
        }
    }

    /** An application with its own refusal handler, and with Spring Security. */
    @Import(SecuredShops.Basic.class)
    static class WithWords {

        @Bean
        RefusalHandler refusals() {
            return (request, response, decision) -> response.getWriter().print("not now");
        }
    }

    @Test
    void bothUseTheRefusalHandlerOfTheApplication() throws IOException {
        String limits =
                TWO_EACH + "\n- { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 3 } ] }";
        try (RunningApplication shop = RunningApplication.start(WithWords.class, config(limits))) {
            Caller ann = as(shop, "ann");
            assertThat(ann.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(ann.get("/product/1").statusCode()).isEqualTo(200);
            for (String limit : new String[] {"behind", "in front"}) {
                HttpResponse<String> refused = ann.get("/product/1");
                assertThat(refused.statusCode()).as(limit).isEqualTo(429);
                assertThat(refused.body()).as(limit).isEqualTo("not now");
            }
        }
    }
}
