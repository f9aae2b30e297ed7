package dev.sluice.internal.config.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.store.operated.Instances;
import dev.sluice.internal.store.operated.Instances.Traces;
import dev.sluice.internal.store.operated.TraceLine;
import dev.sluice.internal.store.operated.TraceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An instance writes what it does for a caller while an operator traces it, never more than fits, and stops by itself. */
class CallerTracesTest {

    private static final TraceRequest ACME = new TraceRequest("t1", "orders", "tenant", "acme", 1_000);
    private static final CounterKey OF_ACME = key("orders", "tenant", "acme");

    private final Instances store = mock();
    private final List<String> written = new ArrayList<>();
    private final List<TraceRequest> asked = new ArrayList<>();
    private Sharing.@Nullable Watch watch;
    private long nanos;
    private int room = 10_000;
    private boolean isAway;

    private final CallerTraces traces =
            new CallerTraces(store, "one", watcher -> watch = watcher, () -> nanos, Duration.ofSeconds(5));

    private static CounterKey key(String endpoint, String subject, String value) {
        return new CounterKey(endpoint, "GET", "10s", List.of(new Subject(subject, "ip", value)), 0, 10_000);
    }

    @BeforeEach
    void answer() {
        when(store.traces())
                .thenAnswer(call -> isAway
                        ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                        : CompletableFuture.completedFuture(new Traces(7_000, List.copyOf(asked))));
        when(store.addLines(anyString(), any())).thenAnswer(call -> {
            List<TraceLine> lines = call.getArgument(1);
            lines.stream()
                    .limit(room)
                    .forEach(line -> written.add(
                            call.getArgument(0) + " " + line.atMillis() + " " + line.server() + " " + line.text()));
            return CompletableFuture.completedFuture(Math.min(room, lines.size()));
        });
    }

    private void see(CounterKey key, String line) {
        if (watch != null && watch.follows(key)) {
            watch.saw(key, 8_000, line);
        }
    }

    @Test
    void nobodyWatchesWhileNobodyTraces() throws Exception {
        traces.poll();
        assertThat(watch).isNull();
        assertThat(traces.isTracing()).isFalse();
    }

    @Test
    void writesWhatConcernsTheCallerUntilTheTraceEnds() throws Exception {
        asked.add(ACME);
        traces.poll();
        see(OF_ACME, "first");
        see(key("orders", "tenant", "globex"), "of another caller");
        see(key("login", "tenant", "acme"), "of another endpoint");
        see(key("orders", "user", "acme"), "of another subject");
        traces.poll();
        see(OF_ACME, "last");
        asked.clear();
        traces.poll();
        assertThat(written)
                .containsExactly("t1 7000 one starts to trace this caller", "t1 8000 one first", "t1 8000 one last");
        assertThat(watch).isNull();
    }

    @Test
    void keepsNoMoreThanFitsAndSaysHowMuchIsLeftOut() throws Exception {
        asked.add(ACME);
        traces.poll();
        for (int i = 0; i < 507; i++) {
            see(OF_ACME, "line " + i);
        }
        traces.poll();
        assertThat(written)
                .hasSize(502)
                .endsWith("t1 8000 one line 499", "t1 7000 one 7 lines were dropped, because there were too many");
        room = 1;
        see(OF_ACME, "fits");
        see(OF_ACME, "does not fit into the store");
        traces.poll();
        room = 10_000;
        traces.poll();
        assertThat(written)
                .endsWith("t1 8000 one fits", "t1 7000 one 1 lines were dropped, because there were too " + "many");
    }

    @Test
    void endsByItselfWhileTheStoreIsAway() throws Exception {
        asked.add(ACME);
        traces.poll();
        isAway = true;
        nanos += Duration.ofMillis(999).toNanos();
        assertThatThrownBy(traces::poll).hasMessageContaining("away");
        assertThat(watch).isNotNull();
        assertThat(traces.follows(OF_ACME)).isTrue();
        nanos += Duration.ofMillis(1).toNanos();
        assertThat(traces.follows(OF_ACME)).isFalse();
        assertThatThrownBy(traces::poll).hasMessageContaining("away");
        assertThat(watch).isNull();
        assertThat(traces.isTracing()).isFalse();
    }

    @Test
    void aStoreFullOfTracesIsFollowedInPart() throws Exception {
        for (int i = 0; i < 100; i++) {
            asked.add(new TraceRequest("t" + i, "orders", "", "acme", 1_000));
        }
        traces.poll();
        see(OF_ACME, "seen");
        traces.poll();
        assertThat(written).filteredOn(line -> line.endsWith("seen")).hasSize(Instances.MOST_TRACES);
    }
}
