package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacersTest {

    private final Pacers pacers = new Pacers();

    private Pacer of(String address) {
        return pacers.of(URI.create(address), 0);
    }

    @ParameterizedTest
    @CsvSource({
        "https://shop.example/a, https://SHOP.example:443/b?c=d, true",
        "http://shop.example/a, http://shop.example:80/a, true",
        "http://shop.example/a, https://shop.example/a, false",
        "https://shop.example/a, https://shop.example:8443/a, false",
        "https://shop.example/a, https://www.shop.example/a, false"
    })
    void callsToTheSameHostAndPortArePacedTogether(String one, String other, boolean together) {
        assertThat(of(one) == of(other)).isEqualTo(together);
    }

    @Test
    void theServersCalledLongestAgoAreForgotten() {
        Pacer first = of("http://first.example/");
        Pacer second = of("http://second.example/");
        for (int i = 0; i < Pacers.MOST - 1; i++) {
            of("http://" + i + ".example/");
            assertThat(of("http://first.example/")).isSameAs(first);
        }
        assertThat(of("http://second.example/")).isNotSameAs(second);
    }
}
