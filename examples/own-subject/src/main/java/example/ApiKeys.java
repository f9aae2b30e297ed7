package example;

import dev.sluice.Call;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Finds the customer of an API key. Called for every call that may be limited, on the thread of that call, so it
 * answers from memory. Thread-safe.
 */
final class ApiKeys {

    private static final String HEADER = "X-Api-Key";

    private final Map<String, Customer> customers;

    private ApiKeys(Map<String, Customer> customers) {
        this.customers = Map.copyOf(customers);
    }

    static ApiKeys ofClassPath() throws IOException {
        Properties lines = new Properties();
        try (InputStream file = ApiKeys.class.getResourceAsStream("/api-keys.properties")) {
            lines.load(file);
        }
        Map<String, Customer> customers = new HashMap<>();
        lines.forEach((key, value) -> {
            String[] parts = value.toString().split(", ");
            customers.put(key.toString(), new Customer(parts[0], parts[1]));
        });
        return new ApiKeys(customers);
    }

    /** The customer behind a call; {@code null} if there is none, in which case the limiter tries the next source. */
    String customer(Call call) {
        Customer customer = of(call);
        return customer == null ? null : customer.name();
    }

    /** The plan of the customer behind a call. */
    String plan(Call call) {
        Customer customer = of(call);
        return customer == null ? null : customer.plan();
    }

    private Customer of(Call call) {
        String key = call.header(HEADER);
        return key == null ? null : customers.get(key);
    }

    private record Customer(String name, String plan) {}
}
