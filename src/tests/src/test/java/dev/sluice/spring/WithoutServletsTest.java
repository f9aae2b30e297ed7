package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.webflux.SluiceWebPage;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A WebFlux application with neither servlets nor Spring Security on its class path, and no meters. */
@Timeout(300)
@Tag("server")
@Tag("thorough")
class WithoutServletsTest {

    @TempDir
    private Path directory;

    /** Prints what its pages answer, and ends. */
    @Import(Shop.class)
    static class WithPages {

        @Bean
        SluiceWebPage open(Sluice limits) {
            return SluiceWebPage.of(limits).open();
        }

        @Bean
        SluiceWebPage forRoles(Sluice limits) {
            return SluiceWebPage.of(limits).at("/ops").roles("OPERATOR");
        }

        @Bean
        ApplicationRunner end(ConfigurableApplicationContext context) {
            return arguments -> {
                System.out.println("open: " + status(context, "/_sluice/data.json"));
                System.out.println("for roles: " + status(context, "/ops/data.json"));
                context.close();
            };
        }

        private static int status(ConfigurableApplicationContext context, String path) throws Exception {
            String server = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(server + path)).build(), BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void hasThePage() throws IOException {
        Files.writeString(
                directory.resolve("rate-limits.yml"),
                "- { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 1 } ] }");
        String classPath = Stream.of(OtherProcess.classPath().split(File.pathSeparator))
                .filter(
                        entry -> !entry.matches(
                                ".*(servlet|tomcat-(?!annotations)|webmvc|jetty|undertow|security|micrometer-(core|registry)|actuator).*\\.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classPath).doesNotContain("servlet-api").contains("spring-webflux");
        assertThat(OtherProcess.printed(
                        directory,
                        List.of("-cp", classPath),
                        List.of(
                                SpringApplication.class.getName(),
                                "--spring.main.sources=" + WithPages.class.getName(),
                                "--spring.main.web-application-type=reactive",
                                "--sluice.store=memory:",
                                "--server.port=0",
                                "--server.address=127.0.0.1")))
                .contains("open: 200", "for roles: 403")
                .anyMatch(line -> line.contains("Its roles require Spring Security, which is not on the class path"));
    }
}
