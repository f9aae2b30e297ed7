package example;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/**
 * Answers questions. A gateway in front has to set both headers. Otherwise callers could choose whose budget they use.
 */
@RestController
class AssistantController {

    private final ChatClient model;

    AssistantController(ChatClient.Builder builder, TokenBudgetAdvisor budget, Weather weather) {
        model = builder.defaultAdvisors(budget).defaultTools(weather).build();
    }

    @GetMapping("/ask")
    String ask(
            @RequestParam String question,
            @RequestHeader("X-User") String user,
            @RequestHeader("X-Team") String team) {
        return asked(question, user, team).call().content() + "\n";
    }

    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> stream(
            @RequestParam String question,
            @RequestHeader("X-User") String user,
            @RequestHeader("X-Team") String team) {
        return asked(question, user, team)
                .stream()
                .content()
                .onErrorResume(BudgetUsedUpException.class, stop -> Flux.just("[" + stop.getMessage() + "]"));
    }

    private ChatClientRequestSpec asked(String question, String user, String team) {
        return model.prompt()
                .user(question)
                .advisors(advisors -> advisors.param("user", user).param("team", team));
    }
}
