package example;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Tests the gateway with a shop behind it. */
class GatewayTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static HttpServer shop;
    private static ConfigurableApplicationContext gateway;

    @BeforeAll
    static void start() throws IOException {
        shop = GatewayWithShop.startShop();
        gateway = new SpringApplicationBuilder(Gateway.class)
                .run("--server.port=0", "--server.address=127.0.0.1", "--SHOP_URL=" + GatewayWithShop.url(shop));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        shop.stop(0);
    }

    @Test
    void refusesACallTooMany() throws Exception {
        HttpResponse<String> answer = get("/product/42", "acme");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("This is /product/42.\n");
        assertThat(answer.headers().firstValue("x-ratelimit-limit")).hasValue("5");
        for (int call = 2; call <= 12 && answer.statusCode() == 200; call++) {
            answer = get(call % 2 == 0 ? "/product/42" : "/product//./%34%32", "acme"); // in any spelling
        }
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("x-ratelimit-remaining")).hasValue("0");
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.body()).contains("\"status\":429", "\"violated-policies\":[\"get-product");
        assertThat(get("/product/42", "another").statusCode()).as("of another tenant").isEqualTo(200);
    }

    @Test
    void theActuatorShowsTheLimits() throws Exception {
        assertThat(get("/actuator/health", "acme").body()).contains("\"sluice\":{\"status\":\"UP\"}");
        assertThat(get("/actuator/ratelimits", "acme").body()).contains("get-product", "at-once");
    }

    private static HttpResponse<String> get(String path, String tenant) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.getEnvironment().getProperty("local.server.port") + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("X-Org-Id", tenant).build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
