package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@Import(ShopApplicationTest.ThreadController.class)
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

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads come with Java 21")
    void servesCallsOnVirtualThreads() throws Exception {
        assertThat(get("/thread", "acme").body()).startsWith("VirtualThread[");
    }

    private HttpResponse<String> get(String tenant) throws IOException, InterruptedException {
        return get("/product/42", tenant);
    }

    private HttpResponse<String> get(String path, String tenant) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpRequest request = HttpRequest.newBuilder(uri).header("X-Org-Id", tenant).build();
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
