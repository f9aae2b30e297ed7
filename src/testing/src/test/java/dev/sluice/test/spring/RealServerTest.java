package dev.sluice.test.spring;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.test.LimitsUnderTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "sluice.config=classpath:dev/sluice/test/rate-limits.yml",
            "sluice.store=redis://127.0.0.1:1",
            "server.address=127.0.0.1",
            "spring.main.web-application-type=servlet"
        })
@AutoConfigureSluice
@Tag("server")
class RealServerTest {

    @Autowired
    private LimitsUnderTest limits;

    @Autowired
    private Sluice sluice;

    @Value("${local.server.port}")
    private int port;

    private int login() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/login"))
                .POST(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    /** The limits do not use the store in the properties, which would not answer. */
    @RepeatedTest(2)
    void limitsCountInThisProcessAndAreResetBeforeEachTest() throws Exception {
        assertThat(sluice.status().store()).isNull();
        assertThat(limits).hasRemaining(2, "login", "ip=127.0.0.1");
        assertThat(login()).isEqualTo(200);
        limits.exhaust("login", "ip=127.0.0.1");
        assertThat(login()).isEqualTo(429);
        assertThat(limits).refusedTimes(1, "login", "ip=127.0.0.1");
    }
}
