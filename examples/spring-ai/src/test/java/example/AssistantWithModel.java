package example;

import java.io.IOException;
import org.springframework.boot.SpringApplication;

/** Starts the assistant and a model that ends with it: {@code mvn spring-boot:test-run}. */
public final class AssistantWithModel {

    private AssistantWithModel() {}

    public static void main(String[] arguments) throws IOException {
        ModelServer model = new ModelServer();
        System.setProperty("OPENAI_BASE_URL", model.url());
        Runtime.getRuntime().addShutdownHook(new Thread(model::close));
        SpringApplication.run(AssistantApplication.class, arguments);
    }
}
