package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A gateway that limits the calls to a shop. Its route is in {@code application.yml}. */
@SpringBootApplication
public class Gateway {

    public static void main(String[] arguments) {
        SpringApplication.run(Gateway.class, arguments);
    }
}
