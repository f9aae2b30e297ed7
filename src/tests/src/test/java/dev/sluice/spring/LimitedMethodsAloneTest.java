package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimited;
import dev.sluice.RateLimitedException;
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
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A job with only Spring Boot on its class path: no servlets, no Spring Security, no Reactor, no meters. */
@Timeout(300)
@Tag("server")
class LimitedMethodsAloneTest {

    private static final String NOT_THERE =
            ".*(servlet|tomcat|jetty|undertow|spring-web|spring-boot-web|security|reactor|reactive|lettuce|data-redis|spring-tx"
                    + "|micrometer|actuator|aspectj|mongo|blockhound).*";

    @TempDir
    private Path directory;

    /** Works three times. */
    static class Work {

        @RateLimited("work")
        public String work(String what) {
            return "worked on " + what;
        }
    }

    /** Prints the result. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Work.class)
    static class Job {

        @Bean
        ApplicationRunner run(Work work) {
            return arguments -> {
                for (int i = 0; i < 3; i++) {
                    try {
                        System.out.println(work.work("plan " + i));
                    } catch (RateLimitedException e) {
                        System.out.println(e.getMessage());
                    }
                }
            };
        }
    }

    private List<String> printed() throws IOException {
        String classPath = Stream.of(OtherProcess.classPath().split(File.pathSeparator))
                .filter(entry -> !new File(entry).getName().matches(NOT_THERE))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(classPath).contains("spring-aop").doesNotContain("spring-web", "reactor-core", "spring-security");
        return OtherProcess.printed(
                directory,
                List.of("-cp", classPath),
                List.of(SpringApplication.class.getName(), "--spring.main.sources=" + Job.class.getName()));
    }

    @Test
    void isStillLimited() throws IOException {
        Files.writeString(
                directory.resolve("rate-limits.yml"),
                "- { id: work, on: work, per: [], tiers: [ { period: 1d, threshold: 2 } ] }");
        assertThat(printed())
                .contains("worked on plan 0", "worked on plan 1")
                .anyMatch(line -> line.startsWith("Refused by work, tier 1d; try again in "));
    }
}
