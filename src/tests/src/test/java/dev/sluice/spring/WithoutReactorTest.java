package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
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

/** A servlet application with neither WebFlux nor Reactor on its class path. */
@Timeout(300)
@Tag("server")
class WithoutReactorTest {

    @TempDir
    private Path directory;

    /** Prints which filter it has, and ends. */
    @Import(Shop.class)
    static class Servlets {

        @Bean
        ApplicationRunner end(ConfigurableApplicationContext context) {
            return arguments -> {
                System.out.println("the filter is there: " + context.containsBean("dev.sluice.filter"));
                context.close();
            };
        }
    }

    @Test
    void isStillLimited() throws IOException {
        Files.writeString(
                directory.resolve("rate-limits.yml"),
                "- { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 7 } ] }");
        String classPath = Stream.of(OtherProcess.classPath().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*(webflux|reactor|reactive-streams|lettuce|data-redis|blockhound).*"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classPath).doesNotContain("reactor-core").contains("spring-webmvc");
        assertThat(OtherProcess.printed(
                        directory,
                        List.of("-cp", classPath),
                        List.of(
                                SpringApplication.class.getName(),
                                "--spring.main.sources=" + Servlets.class.getName(),
                                "--server.port=0",
                                "--server.address=127.0.0.1")))
                .contains("the filter is there: true");
    }
}
