package dev.sluice.config.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.RecordingLogger;
import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientOverrideSource.Kept;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A source that is away changes nothing but the log. */
class RefreshTest {

    private static final Kept FIRST =
            new Kept("1", List.of(new ClientOverride("tenant", "acme", "get-product", "5000/10s")));

    private final RecordingLogger log = new RecordingLogger();
    private final List<Kept> taken = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private boolean toldAway;
    private @Nullable CompletionStage<Optional<Kept>> answer = CompletableFuture.completedFuture(Optional.of(FIRST));
    private final ClientOverrideSource source = version -> {
        asked.add(version);
        if (answer == null) {
            throw new IllegalStateException("a guest's trouble");
        }
        return answer;
    };
    private final Refresh refresh = new Refresh(log, source, () -> Duration.ofSeconds(5), taken::add, () -> toldAway);

    @Test
    void takesWhatHasChangedAndNothingElse() {
        refresh.look();
        answer = CompletableFuture.completedFuture(Optional.empty());
        refresh.look();
        assertThat(taken).containsExactly(FIRST);
        assertThat(asked).containsExactly("", "1");
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void saysOnceThatTheSourceIsAwayAndOnceThatItIsBack() {
        refresh.look();
        answer = CompletableFuture.failedFuture(StoreException.unavailable("redis://host:6379 is not connected", null));
        refresh.look();
        answer = null;
        refresh.look();
        assertThat(log.entries())
                .containsExactly(
                        "WARN The limits of clients that are kept outside the file cannot be read. Those read last stay in "
                                + "force. They are asked for again every 5s. The cause: redis://host:6379 is not connected");
        answer = CompletableFuture.completedFuture(Optional.empty());
        refresh.look();
        refresh.look();
        assertThat(log.entries())
                .hasSize(2)
                .last()
                .isEqualTo(
                        "INFO The limits of clients that are kept outside the file can be read again, and are in force");
        assertThat(taken).containsExactly(FIRST);
    }

    /** One line for one store: the limiter has written it. */
    @Test
    void warnsOfNothingThatIsToldAlready() {
        toldAway = true;
        answer = CompletableFuture.failedFuture(StoreException.unavailable("redis://host:6379 is not connected", null));
        refresh.look();
        refresh.look();
        assertThat(log.entries())
                .containsExactly(
                        "INFO The limits of clients that are kept in the store cannot be read while it is away. "
                                + "Those read last stay in force; at the start there are none");
    }

    @Test
    void followsNoMoreThanTheMost() {
        ClientOverride limit = FIRST.limits().get(0);
        Kept many = new Kept("2", Collections.nCopies(ClientOverrideSource.MOST + 1, limit));
        answer = CompletableFuture.completedFuture(Optional.of(many));
        refresh.look();
        assertThat(taken).isEmpty();
        assertThat(log.entries())
                .singleElement()
                .asString()
                .contains("there are 100001 limits, but at most 100000 are allowed");
    }
}
