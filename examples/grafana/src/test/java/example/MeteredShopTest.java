package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MeteredShopTest {

    @Test
    void tellsPrometheusWhoIsRefused() throws Exception {
        try (MeteredShop shop = new MeteredShop(0)) {
            String answer = "";
            for (int call = 1; call <= 200 && !answer.contains("quota-exceeded"); call++) {
                answer = shop.get("/product/1", "acme");
            }
            String metrics = shop.get("/metrics", "prometheus");
            assertTrue(
                    metrics.lines()
                            .anyMatch(line -> line.startsWith("sluice_decisions_total{")
                                    && line.contains("outcome=\"refused\"")
                                    && !line.endsWith(" 0.0")),
                    metrics);
        }
    }
}
