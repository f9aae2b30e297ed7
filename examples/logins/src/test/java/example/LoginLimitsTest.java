package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Guesses passwords of the shop. */
class LoginLimitsTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void theSixthGuessAtAnAccountIsRefused() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            assertThat(orders(shop, "ann", "right").body()).isEqualTo("These are your orders.\n");
            int guesses = 0;
            while (guesses <= 10 && orders(shop, "ann", "wrong").statusCode() == 401) {
                guesses++;
            }
            assertThat(guesses).as("more than five if a minute ends between them").isBetween(5, 9);
            HttpResponse<String> owner = orders(shop, "ann", "right");
            assertThat(owner.statusCode()).as("of the right password").isEqualTo(429);
            assertThat(owner.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isPositive();
        }
    }

    @Test
    void anAddressMayGuessTenTimesAnHour() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            int guesses = 0;
            while (guesses < 21 && orders(shop, "user-" + guesses, "wrong").statusCode() == 401) {
                guesses++;
            }
            assertThat(guesses).as("more than ten if an hour ends between them").isBetween(10, 19);
            assertThat(orders(shop, "ann", "right").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void successesTakeNothing() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            for (int call = 0; call < 30; call++) {
                assertThat(orders(shop, "ann", "right").statusCode()).isEqualTo(200);
            }
        }
    }

    private static ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Shop.class).run("--server.port=0", "--server.address=127.0.0.1");
    }

    private static HttpResponse<String> orders(ConfigurableApplicationContext shop, String name, String password)
            throws IOException, InterruptedException {
        String credentials =
                Base64.getEncoder().encodeToString((name + ':' + password).getBytes(StandardCharsets.UTF_8));
        URI uri = URI.create(
                "http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port") + "/orders");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Basic " + credentials)
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
