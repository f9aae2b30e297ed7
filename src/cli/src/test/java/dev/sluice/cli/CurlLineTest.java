package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestLimits;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurlLineTest {

    @ParameterizedTest
    @CsvSource({
        "GET /product/*, curl -i 'http://here/product/1'",
        "/user/{name}/**, curl -i 'http://here/user/1/1'",
        "POST /a*b, curl -i -X POST 'http://here/a1b'",
        "HEAD GET /login, curl -i 'http://here/login'"
    })
    void makesACallThatTheEndpointMatches(String written, String line) {
        var endpoint = TestLimits.endpoint("any", written, TestLimits.tier(1, Duration.ofSeconds(1)));
        assertThat(Serve.curl("http://here", endpoint)).isEqualTo(line);
    }
}
