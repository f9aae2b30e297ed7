package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** Calls the packaged application in a real Tomcat on a free port. */
class ShopIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void refusesARequestTooMany() throws Exception {
        try (ShopInTomcat shop = new ShopInTomcat(0)) {
            HttpResponse<String> answer = get(shop);
            assertEquals(200, answer.statusCode());
            assertEquals("5", header(answer, "x-ratelimit-limit"));
            for (int call = 2; call <= 12 && answer.statusCode() == 200; call++) {
                answer = get(shop); // six are enough, unless a window ends between them
            }
            assertEquals(429, answer.statusCode());
            assertEquals("0", header(answer, "x-ratelimit-remaining"));
            assertTrue(Integer.parseInt(header(answer, "Retry-After")) >= 1);
            assertEquals("application/problem+json", header(answer, "Content-Type"));
            assertTrue(answer.body().contains("quota-exceeded"), answer.body());
        }
    }

    private static HttpResponse<String> get(ShopInTomcat shop) throws IOException, InterruptedException {
        URI product = URI.create(shop.address() + "/product/42");
        return CLIENT.send(HttpRequest.newBuilder(product).build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }
}
