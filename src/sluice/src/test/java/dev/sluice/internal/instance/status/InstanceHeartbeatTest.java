package dev.sluice.internal.instance.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.instance.report.ReportedRefusals;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.open.GivenFile;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.Decided;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** The store keeps the latest report of an instance. */
class InstanceHeartbeatTest {

    private final Instances instances = mock();
    private final List<String> told = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> inFlight = new ArrayList<>();
    private final InstanceHeartbeat presence = new InstanceHeartbeat(
            instances,
            "one-4711",
            "one",
            GivenFile.with("").load(),
            new TestClock(0),
            CallerNames.NONE,
            new TaskThread("test"));

    @BeforeEach
    void answerLater() {
        when(instances.write(any(), anyString())).thenAnswer(call -> {
            told.add(call.<InstanceReport>getArgument(0).limitsVersion());
            inFlight.add(new CompletableFuture<>());
            return inFlight.get(inFlight.size() - 1);
        });
        when(instances.leave(anyString())).thenAnswer(call -> {
            told.add("gone");
            return CompletableFuture.completedFuture(true);
        });
    }

    private void follow(String version) {
        presence.follow(new Overrides(version, List.of()));
    }

    @Test
    void isNeverOvertakenByWhatWasToldBefore() {
        follow("1");
        follow("2");
        follow("3");
        assertThat(told).containsExactly("1");
        inFlight.get(0).complete(true);
        assertThat(told).containsExactly("1", "3");
        inFlight.get(1).complete(true);
        assertThat(told).containsExactly("1", "3");
    }

    @Test
    void isToldThoughWhatWasToldBeforeFailed() {
        follow("1");
        follow("2");
        inFlight.get(0).completeExceptionally(new IllegalStateException("unavailable"));
        assertThat(told).containsExactly("1", "2");
    }

    @Test
    void tellsWhoIsRefused() {
        Endpoint shop = Decided.endpoint("shop");
        for (Outcome outcome : List.of(Outcome.ADMITTED, Outcome.REFUSED, Outcome.WOULD_REFUSE)) {
            presence.onDecision(TestCall.get("/shop"), Decided.of(shop, outcome.name(), outcome, 0, 1));
        }
        follow("1");
        ArgumentCaptor<InstanceReport> report = ArgumentCaptor.captor();
        verify(instances).write(report.capture(), anyString());
        assertThat(new ReportedRefusals(report.getValue().refusals()).read())
                .extracting(refused -> refused.subjects().get(0).value())
                .containsExactly("REFUSED", "WOULD_REFUSE");
    }

    @Test
    void endsWithAFarewell() {
        follow("1");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(presence::close);
        inFlight.get(0).complete(true);
        closing.join();
        follow("2");
        assertThat(told).containsExactly("1", "gone");
    }
}
