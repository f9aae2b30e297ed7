package example;

import dev.sluice.Charge;
import dev.sluice.DecidedCall;
import dev.sluice.Decision;
import dev.sluice.GivenSubjects;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.Reservation;
import java.util.Map;
import java.util.Optional;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.tokenizer.JTokkitTokenCountEstimator;
import org.springframework.ai.tokenizer.TokenCountEstimator;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/**
 * Holds each call of the model to the budgets on "model". It reserves the tokens that the prompt and the longest answer
 * may use, charges a stream by its chunks, and settles the number that the model reports. If a call fails or a stream
 * is aborted, the unused tokens are given back.
 */
@Component
class TokenBudgetAdvisor implements CallAdvisor, StreamAdvisor {

    private static final TokenCountEstimator TOKENS = new JTokkitTokenCountEstimator();

    private final RateLimiter limiter;

    TokenBudgetAdvisor(RateLimiter limiter) {
        this.limiter = limiter;
    }

    @Override
    public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
        Decision decision = limiter.decideOn("model", estimated(request));
        return DecidedCall.run(decision, () -> {
            ChatClientResponse answer = chain.nextCall(request);
            long used = used(answer);
            decision.reservation().settle(used > 0 ? used : tokensOf(request) + tokensOf(answer));
            return answer;
        });
    }

    /**
     * Each subscription is a call. However it ends, the tokens that were neither charged nor settled are given back.
     */
    @Override
    public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
        return Flux.using(
                        () -> limiter.decideOn("model", estimated(request)),
                        decision -> decision.admitted()
                                ? new Meter(decision.reservation(), tokensOf(request)).charge(chain.nextStream(request))
                                : Flux.error(new RateLimitedException(decision)),
                        decision -> decision.ended(200))
                .subscribeOn(Schedulers.boundedElastic()); // a decision may wait for other instances
    }

    /**
     * Charges a stream. The prompt is charged with the first chunk, because a model that fails before has used nothing.
     */
    private static final class Meter {

        private final Reservation tokens;
        private long uncharged;
        private long used;
        private Charge latest = Charge.NOT_COUNTED;

        Meter(Reservation tokens, long prompt) {
            this.tokens = tokens;
            this.uncharged = prompt;
        }

        Flux<ChatClientResponse> charge(Flux<ChatClientResponse> chunks) {
            return chunks.<ChatClientResponse>handle(this::charge).doOnComplete(this::settle);
        }

        private void charge(ChatClientResponse chunk, SynchronousSink<ChatClientResponse> reader) {
            long arrived = tokensOf(chunk);
            if (arrived > 0 && latest.nothingRemains()) {
                reader.error(new BudgetUsedUpException(latest)); // and closes the connection to the model
                return;
            }
            latest = tokens.charge(uncharged + arrived);
            uncharged = 0;
            used = Math.max(used, used(chunk));
            reader.next(chunk);
        }

        private void settle() {
            if (used > 0) {
                tokens.settle(used);
            }
        }
    }

    private static GivenSubjects estimated(ChatClientRequest request) {
        ChatOptions options = request.prompt().getOptions();
        Optional<Integer> mostOfAnswer = Optional.ofNullable(options).map(ChatOptions::getMaxTokens);
        return new GivenSubjects(Map.of(
                "user", Optional.ofNullable(request.context().get("user")),
                "team", Optional.ofNullable(request.context().get("team")),
                "argument:tokens", mostOfAnswer.map(most -> tokensOf(request) + most)));
    }

    private static long tokensOf(ChatClientRequest request) {
        return TOKENS.estimate(request.prompt().getContents());
    }

    private static long tokensOf(ChatClientResponse answer) {
        ChatResponse response = answer.chatResponse();
        return response == null || response.getResult() == null
                ? 0
                : TOKENS.estimate(response.getResult().getOutput().getText());
    }

    /** The number of tokens that the model reports; 0 if it reports none. */
    private static long used(ChatClientResponse answer) {
        ChatResponse response = answer.chatResponse();
        return response == null ? 0 : response.getMetadata().getUsage().getTotalTokens();
    }

    @Override
    public String getName() {
        return "token budget";
    }

    /**
     * The place next to the model, where the advisor sees the whole prompt, and each call of a conversation with tools.
     */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1;
    }
}
