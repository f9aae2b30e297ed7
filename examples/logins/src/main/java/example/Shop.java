package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A shop with logins. No line of it is about limits; Spring Security asks for logins because it is there. */
@SpringBootApplication
@RestController
public class Shop {

    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @GetMapping("/orders")
    String orders() {
        return "These are your orders.\n";
    }
}
