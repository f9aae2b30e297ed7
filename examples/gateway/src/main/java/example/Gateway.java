package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A gateway in front of a shop that knows nothing of limits; its route is in {@code application.yml}. */
@SpringBootApplication
public class Gateway {

    public static void main(String[] arguments) {
        SpringApplication.run(Gateway.class, arguments);
    }
}
