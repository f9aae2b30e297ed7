package example;

import dev.sluice.RateLimited;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/**
 * A tool that models may call, but not too often. Spring AI tells the model that a call was refused, and when to retry.
 */
@Component
public class Weather {

    @Tool(description = "The weather forecast for a city")
    @RateLimited("forecast")
    public String forecast(@ToolParam(description = "The city") String city) {
        return "It will be sunny in " + city + ".";
    }
}
