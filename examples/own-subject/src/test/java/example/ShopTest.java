package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Calls the shop with the keys of several customers. */
class ShopTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void countsCustomersAndNotKeys() throws Exception {
        assumeTrue(LocalTime.now(ZoneOffset.UTC).isBefore(LocalTime.of(23, 55)), "a day may end meanwhile");
        try (Shop shop = new Shop(0)) {
            for (int call = 1; call <= 6; call++) {
                assertEquals(200, call(shop, call % 2 == 0 ? "key-1" : "key-2"));
            }
            assertEquals(429, call(shop, "key-1"));
            assertEquals(429, call(shop, "key-2"));

            assertEquals(200, call(shop, "key-3"));
            assertEquals(200, call(shop, "key-3"));
            assertEquals(429, call(shop, "key-3"));

            assertEquals(200, call(shop, "made-up"));
            assertEquals(429, call(shop, "another"));
        }
    }

    private static int call(Shop shop, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(shop.address() + "/product/42"))
                .header("X-Api-Key", key)
                .build();
        return CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }
}
