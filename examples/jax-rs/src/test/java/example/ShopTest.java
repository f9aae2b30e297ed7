package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls the shop over real connections. */
@Timeout(60)
class ShopTest {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Shop shop;

    @BeforeEach
    void serve() {
        shop = new Shop(0, SlowOrders.Later.class, SlowOrders.Endless.class);
    }

    @AfterEach
    void stop() {
        shop.close();
    }

    @Test
    void aLimitIsExactForEachTenantAlsoAtOnce() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> atOnce = new ArrayList<>();
        for (int call = 0; call < 40; call++) {
            atOnce.add(CLIENT.sendAsync(request("GET", "/product/42").build(), BodyHandlers.ofString()));
        }
        List<Integer> statuses = atOnce.stream().map(call -> call.join().statusCode()).toList();
        assertEquals(5, statuses.stream().filter(status -> status == 200).count());
        assertEquals(35, statuses.stream().filter(status -> status == 429).count());
        assertEquals(200, send(request("GET", "/product/42").setHeader("X-Org-Id", "globex")).statusCode());
    }

    @Test
    void answersTellTheLimit() throws Exception {
        HttpResponse<String> first = send(request("GET", "/product/42"));
        assertEquals("This is product 42.", first.body());
        assertEquals("5", header(first, "x-ratelimit-limit"));
        assertEquals("4", header(first, "x-ratelimit-remaining"));
        assertEquals("3600", header(first, "x-ratelimit-reset"));
        assertEquals("none", header(first, "Retry-After"));
    }

    @Test
    void aRefusalIsAProblemDocumentAndTellsWhenToRetry() throws Exception {
        for (int call = 0; call < 5; call++) {
            send(request("GET", "/product/42"));
        }
        HttpResponse<String> refused = send(request("GET", "/product/42"));
        assertEquals(429, refused.statusCode());
        assertEquals("0", header(refused, "x-ratelimit-remaining"));
        assertEquals("no-store", header(refused, "Cache-Control"));
        assertEquals("application/problem+json", header(refused, "Content-Type"));
        assertTrue(refused.body().contains("\"violated-policies\":[\"get-product\"]"), refused.body());
        int seconds = Integer.parseInt(header(refused, "Retry-After"));
        assertTrue(seconds > 3500 && seconds <= 3600, () -> "a retry after " + seconds + " s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/product/42;a=b", "//product/42", "/%70roduct/42", "/x/../product/42", "/product/1/none"})
    void noSpellingGetsAroundALimitNorDoesAPathThatNoResourceAnswers(String path) throws Exception {
        for (int call = 0; call < 5; call++) {
            assertEquals(200, send(request("GET", "/product/42")).statusCode());
        }
        int status = send(request("GET", path)).statusCode();
        assertEquals(429, status);
    }

    @Test
    void aMethodThatAHeaderNamesIsTheOneThatCounts() throws Exception {
        assertEquals(204, send(request("POST", "/product/42").header("X-HTTP-Method-Override", "DELETE"))
                .statusCode());
        assertEquals(429, send(request("POST", "/product/42").header("X-HTTP-Method-Override", "DELETE"))
                .statusCode());
        assertEquals(429, send(request("DELETE", "/product/42")).statusCode());
    }

    @Test
    void whoeverNamesNoTenantIsIdentifiedByAddress() throws Exception {
        for (int call = 0; call < 5; call++) {
            assertEquals(200, send(anonymous("GET", "/product/42")).statusCode());
        }
        assertEquals(429, send(anonymous("GET", "/product/42")).statusCode());
    }

    @Test
    void onlyOutcomesThatAreToBeCountedCount() throws Exception {
        assertEquals(200, order("42"));
        assertEquals(404, order("unknown"));
        assertEquals(404, order("unknown"));
        assertEquals(429, order("42"));
    }

    @Test
    void anOrderThatFailsGivesItsSlotBack() throws Exception {
        for (int call = 0; call < 10; call++) {
            assertEquals(500, order("broken"));
        }
        assertEquals(200, order("42"));
    }

    @Test
    void aSuspendedRequestKeepsItsSlotUntilItIsAnswered() throws Exception {
        CompletableFuture<HttpResponse<String>> suspended =
                CLIENT.sendAsync(request("GET", "/order/suspended").build(), BodyHandlers.ofString());
        var later = SlowOrders.SUSPENDED.take();
        assertEquals(429, send(request("POST", "/order/42")).statusCode());
        later.resume("Ordered.");
        assertEquals("Ordered.", suspended.get(20, TimeUnit.SECONDS).body());
        assertEquals(200, order("42"));
    }

    @Test
    void aCallerWhoGoesAwayInTheMiddleGivesItsSlotBack() throws Exception {
        HttpResponse<InputStream> endless =
                CLIENT.send(request("GET", "/order/endless").build(), BodyHandlers.ofInputStream());
        endless.body().readNBytes(10_000);
        assertEquals(429, send(request("POST", "/order/42")).statusCode());
        endless.body().close();
        assertEquals(200, order("42"));
    }

    /** Tries until there is a free slot, because a request ends for its caller just before it ends for the server. */
    private int order(String id) throws Exception {
        HttpResponse<String> answer = send(request("POST", "/order/" + id));
        while (answer.statusCode() == 429 && answer.headers().firstValue("x-ratelimit-limit").isEmpty()) {
            answer = send(request("POST", "/order/" + id));
        }
        return answer.statusCode();
    }

    private HttpRequest.Builder request(String method, String path) {
        return anonymous(method, path).header("X-Org-Id", "acme");
    }

    private HttpRequest.Builder anonymous(String method, String path) {
        return HttpRequest.newBuilder(URI.create(shop.address() + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, BodyPublishers.noBody());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }
}
