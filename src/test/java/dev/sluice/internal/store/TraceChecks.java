package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.operated.Instances;
import dev.sluice.internal.store.operated.TraceLine;
import dev.sluice.internal.store.operated.TraceRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;

/** What holds for traces in every store. */
public final class TraceChecks {

    private TraceChecks() {}

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static TraceRequest request(String id, long lasts) {
        return new TraceRequest(id, "a b&c", "tenant", "\u001b[2J\n \u00e4%|", lasts);
    }

    private static TraceLine line(long number) {
        return new TraceLine(1_000 + number, number, "one & \u00e4ll", "text " + number + ": \u001b \n x");
    }

    /** Requests are there until they end; there is a limited number. */
    public static void requestsAreThereUntilTheyEnd(Instances store) {
        assertThat(done(store.traces()).requests()).isEmpty();
        assertThat(done(store.beginTrace(request("short", 1)))).isTrue();
        assertThat(done(store.beginTrace(request("t0", 60_000)))).isTrue();
        Instances.Traces all = done(store.traces());
        assertThat(all.nowMillis()).isBetween(1_600_000_000_000L, 9_000_000_000_000L);
        TraceRequest found = all.requests().stream()
                .filter(one -> one.id().equals("t0"))
                .findFirst()
                .orElseThrow();
        assertThat(found).isEqualTo(request("t0", found.leftMillis()));
        assertThat(found.leftMillis()).isBetween(1L, 60_000L);
        while (done(store.traces()).requests().size() > 1) {
            Thread.onSpinWait(); // the short one ends within a millisecond of the store's clock
        }
        for (int i = 1; i < Instances.MOST_TRACES; i++) {
            assertThat(done(store.beginTrace(request("t" + i, 60_000)))).isTrue();
        }
        assertThat(done(store.beginTrace(request("one too many", 60_000)))).isFalse();
        assertThat(done(store.endTrace("t3"))).isTrue();
        assertThat(done(store.endTrace("t3"))).isFalse();
        assertThat(done(store.beginTrace(request("another", 60_000)))).isTrue();
        assertThat(done(store.traces()).requests()).hasSize(Instances.MOST_TRACES);
    }

    /** Lines are returned once, and no more are kept than there is room for. */
    public static void linesAreReturnedOnce(Instances store) {
        assertThat(done(store.takeLines("t1"))).isEmpty();
        assertThat(done(store.addLines("t1", List.of(line(1), line(2))))).isEqualTo(2);
        assertThat(done(store.addLines("t2", List.of(line(3))))).isEqualTo(1);
        assertThat(done(store.takeLines("t1"))).containsExactly(line(1), line(2));
        assertThat(done(store.takeLines("t1"))).isEmpty();
        assertThat(done(store.takeLines("t2"))).containsExactly(line(3));
        List<TraceLine> many = LongStream.range(0, Instances.MOST_LINES - 1)
                .mapToObj(TraceChecks::line)
                .toList();
        assertThat(done(store.addLines("t1", many))).isEqualTo(many.size());
        assertThat(done(store.addLines("t1", List.of(line(3_000), line(3_001)))))
                .isEqualTo(1);
        assertThat(done(store.takeLines("t1"))).hasSize(Instances.MOST_LINES).contains(line(3_000));
    }
}
