package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.address=127.0.0.1")
class ShopApplicationTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    @Test
    void refusesARequestTooMany() throws Exception {
        HttpResponse<String> answer = get("acme");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("x-ratelimit-limit")).hasValue("5");
        for (int call = 2; call <= 12 && answer.statusCode() == 200; call++) {
            answer = get("acme"); // six are enough, unless a window ends between them
        }
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("x-ratelimit-remaining")).hasValue("0");
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"status\":429", "\"violated-policies\":[\"get-product");
        assertThat(get("another").statusCode()).as("of another tenant").isEqualTo(200);
    }

    private HttpResponse<String> get(String tenant) throws IOException, InterruptedException {
        URI product = URI.create("http://127.0.0.1:" + port + "/product/42");
        HttpRequest request = HttpRequest.newBuilder(product).header("X-Org-Id", tenant).build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
