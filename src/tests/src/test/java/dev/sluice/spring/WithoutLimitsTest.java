package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimiter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application in a directory without a file, in its own process, because the directory of this one has a file. */
@Timeout(300)
@Tag("server")
class WithoutLimitsTest {

    @TempDir
    private Path directory;

    private static final String RUNS = "it runs";

    /** Ends as soon as it runs. */
    @Import(Shop.class)
    static class Reactive {

        @Bean
        ApplicationRunner end(ConfigurableApplicationContext context, RateLimiter limiter) {
            return arguments -> {
                limiter.run("report", Map.of(), () -> System.out.println(RUNS));
                context.close();
            };
        }
    }

    /** The output of the application. */
    private List<String> printed(String... properties) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                SpringApplication.class.getName(),
                "--spring.main.sources=" + Reactive.class.getName(),
                "--spring.main.web-application-type=servlet",
                "--server.port=0",
                "--server.address=127.0.0.1"));
        Stream.of(properties).map(property -> "--" + property).forEach(command::add);
        return OtherProcess.printed(directory, command);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itLogsAWarningAtTheStart(boolean lazy) throws IOException {
        assertThat(printed("spring.main.lazy-initialization=" + lazy))
                .contains(RUNS)
                .filteredOn(line -> line.contains("No limits are in force"))
                .singleElement()
                .asString()
                .contains("WARN", "because none were found: none of the files config/rate-limits.yml, rate-limits.yml")
                .contains("The application runs in " + directory.toRealPath());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMisspelledPropertyStopsTheStart(boolean lazy) throws IOException {
        assertThat(printed("spring.main.lazy-initialization=" + lazy, "sluice.confg=limits.yml"))
                .anyMatch(line -> line.contains("sluice.confg"))
                .doesNotContain(RUNS);
    }
}
