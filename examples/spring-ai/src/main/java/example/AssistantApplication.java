package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An assistant whose users and teams have budgets of tokens. */
@SpringBootApplication
public class AssistantApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(AssistantApplication.class, arguments);
    }
}
