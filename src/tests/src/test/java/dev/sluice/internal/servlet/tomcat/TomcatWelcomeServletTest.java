package dev.sluice.internal.servlet.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tomcat serves a directory's welcome file under the directory's path, and asks the filter once. */
@Tag("server")
class TomcatWelcomeServletTest {

    private final Tomcat tomcat = new Tomcat();

    @TempDir
    private Path root;

    private static final class Page extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
    }

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(root.resolve("rate-limits.yml"), """
            - id: search
              pathPattern: /search/index.do
              tiers: [ { period: 1h, threshold: 2 } ]
            """);
        tomcat.setBaseDir("src/tests/target/tomcat");
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", root.toString());
        Tomcat.addServlet(context, "page", new Page());
        context.addServletMappingDecoded("/search/index.do", "page");
        context.addWelcomeFile("index.do");
        context.addServletContainerInitializer(
                (classes, servlets) -> servlets.addFilter("limits", new RateLimitFilter(Sluice.open(file.toString())))
                        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*"),
                null);
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private int status(String path) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path))
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"//search/", "/%73earch/", "/./search/", "/search/;a=b", "/a/../search/"})
    void countsHoweverTheDirectoryIsSpelt(String path) {
        assertThat(Stream.of(path, path, path).map(this::status).toList()).containsExactly(200, 200, 429);
    }

    @Test
    void countsAsTheFileThatIsServed() {
        List<Integer> statuses = Stream.of("/search/", "/search/index.do", "/search/", "/search/index.do")
                .map(this::status)
                .toList();
        assertThat(statuses).containsExactly(200, 200, 429, 429);
    }
}
