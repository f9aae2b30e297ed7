package dev.sluice.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application that calls itself, prints its limit, and ends. */
@Import(Shop.class)
class CallingShop {

    static final String RUNS = "it runs, with a limit of ";

    public static void main(String[] arguments) {
        SpringApplication.run(CallingShop.class, arguments);
    }

    @Bean
    ApplicationRunner callAndEnd(ConfigurableApplicationContext context) {
        return arguments -> {
            URI product = URI.create(
                    "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/product/1");
            var answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(product).build(), BodyHandlers.discarding());
            System.out.println(
                    RUNS + answer.headers().firstValue("x-ratelimit-limit").orElse("none"));
            context.close();
        };
    }
}
