package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import redis.embedded.RedisServer;

/** Tests two instances of the shop with a Redis. */
class ShopApplicationTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static RedisServer redis;
    private static ConfigurableApplicationContext first;
    private static ConfigurableApplicationContext second;

    @BeforeAll
    static void start() throws IOException {
        redis = ShopWithRedis.startRedis();
        first = startShop();
        second = startShop();
    }

    private static ConfigurableApplicationContext startShop() {
        return new SpringApplicationBuilder(ShopApplication.class, ThreadController.class)
                .run("--server.port=0", "--server.address=127.0.0.1", "--REDIS_URL=" + ShopWithRedis.url(redis));
    }

    @AfterAll
    static void stop() throws IOException {
        first.close();
        second.close();
        redis.stop();
    }

    @Test
    void refusesACallTooMany() throws Exception {
        HttpResponse<String> answer = get(first, "/product/42", "acme");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("x-ratelimit-limit")).hasValue("5");
        for (int call = 2; call <= 12 && answer.statusCode() == 200; call++) {
            answer = get(first, "/product/42", "acme"); // six are enough, unless a window ends between them
        }
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("x-ratelimit-remaining")).hasValue("0");
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"status\":429", "\"violated-policies\":[\"get-product");
        assertThat(get(first, "/product/42", "another").statusCode())
                .as("of another tenant")
                .isEqualTo(200);
    }

    /** Tries with several tenants, because a window may end between the calls of one. */
    @Test
    void instancesShareALimit() throws Exception {
        List<List<Integer>> answers = new ArrayList<>();
        for (int tenant = 1; tenant <= 5; tenant++) {
            List<Integer> ofTenant = new ArrayList<>();
            for (int call = 1; call <= 6; call++) {
                ofTenant.add(get(call % 2 == 0 ? second : first, "/product/42", "tenant-" + tenant)
                        .statusCode());
            }
            answers.add(ofTenant);
        }
        assertThat(answers).contains(List.of(200, 200, 200, 200, 200, 429));
    }

    @Test
    void theActuatorShowsTheLimits() throws Exception {
        assertThat(get(first, "/actuator/health", "acme").body()).contains("\"sluice\":{\"status\":\"UP\"}");
        assertThat(get(first, "/actuator/ratelimits", "acme").body()).contains("get-product", ShopWithRedis.url(redis));
        assertThat(get(first, "/actuator/ratelimits/page/", "acme").body()).contains("<title>Sluice</title>");
        assertThat(get(first, "/actuator/ratelimits/page/data.json", "acme").body()).contains("\"id\":\"get-product\"");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads come with Java 21")
    void servesCallsOnVirtualThreads() throws Exception {
        assertThat(get(first, "/thread", "acme").body()).startsWith("VirtualThread[");
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext shop, String path, String tenant)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port") + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("X-Org-Id", tenant).build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    @RestController
    static class ThreadController {

        @GetMapping("/thread")
        String thread() {
            return Thread.currentThread().toString();
        }
    }
}
