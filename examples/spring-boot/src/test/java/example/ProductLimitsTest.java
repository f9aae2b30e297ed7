package example;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.test.LimitsUnderTest;
import dev.sluice.test.spring.AutoConfigureSluice;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

@WebMvcTest(ProductController.class)
@AutoConfigureSluice
class ProductLimitsTest {

    @Autowired
    MockMvcTester mvc;

    @Autowired
    LimitsUnderTest limits;

    MockMvcRequestBuilder product(String tenant) {
        return mvc.get().uri("/product/42").header("X-Org-Id", tenant);
    }

    @Test
    void theSixthCallIsRefusedForTenSeconds() {
        for (int call = 1; call <= 5; call++) {
            assertThat(product("acme")).hasStatusOk();
        }
        assertThat(product("acme")).hasStatus(429).hasHeader("Retry-After", "10");
        assertThat(limits)
                .refusedTimes(1, "get-product", "tenant=acme")
                .admits("get-product", "tenant=umbrella");

        limits.clock().advance(Duration.ofSeconds(10));
        assertThat(product("acme")).hasStatusOk();
        assertThat(limits).hasRemaining(4, "get-product", "tenant=acme");
    }

    @Test
    void whoHasUsedUpAllWaitsForAnHour() {
        limits.exhaust("get-product", "tenant=acme");
        assertThat(product("acme")).hasStatus(429).hasHeader("Retry-After", "3600");
    }
}
