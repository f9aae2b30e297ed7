package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.open.RecordingLogger;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** What the log says of exchanges and of calls that wait, word for word; nothing is built that nobody reads. */
class ExchangeLogTest {

    private static final String KEY =
            "sluice:{13/16}:tenant=header%3aX-Org-Id=acme:api-0:GET:tier-0:1627318800000:1627322400000";

    private final RecordingLogger exchanges = new RecordingLogger();
    private final RecordingLogger waits = new RecordingLogger();
    private final RecordingLogger accounts = new RecordingLogger();

    /** An instance with a limit of five calls an hour. */
    private static ManualSynchroniser instance(Logger exchanges, Logger waits, Logger accounts) {
        return new ManualSynchroniser(
                new SharingOptions(OnFailure.DENY, Duration.ofMillis(50)),
                ManualSynchroniser.NO_SLACK,
                new ExchangeLog(exchanges, waits, accounts),
                CallPattern.window(5, "PT1H"));
    }

    private ManualSynchroniser instance() {
        return instance(exchanges, waits, accounts);
    }

    /** The other instance takes so many permits. */
    private static void takeElsewhere(ManualSynchroniser one, long permits) {
        one.isHeldElsewhere = true;
        Statement own = one.lastStatement();
        one.exchangeOfOther(new Statement(
                own.key(), List.of(), 0, new Need(permits, permits, false), 0, own.leaseMillis(), own.rule()));
    }

    @Test
    void logsWhatWasExchangedAndWhy() {
        try (ManualSynchroniser one = instance()) {
            one.call("acme");
            one.pass(2_100);
            assertThat(exchanges.entries())
                    .containsExactly(
                            "DEBUG Exchange 1 took 0.0 ms: 1 counter (calls-wait: 1), 1 awaited, 1 granted, 0 recalled"
                                    + " from others",
                            "TRACE Exchange 1 (0.0 ms), calls-wait: used 0, held 0, needed 1, wanted 0; granted 1,"
                                    + " left 4, held elsewhere 0; " + KEY,
                            "DEBUG Exchange 2 took 0.0 ms: an empty batch",
                            "DEBUG Exchange 3 took 0.0 ms: an empty batch");
            assertThat(waits.entries()).containsExactly("DEBUG A call waited 0.0 ms for 1 permit: admitted; " + KEY);
        }
    }

    @Test
    void logsThatOthersHeldWhatACallWaitedFor() {
        try (ManualSynchroniser one = instance()) {
            one.call("acme");
            takeElsewhere(one, 4);
            one.call("acme");
            assertThat(exchanges.entries())
                    .contains(
                            "DEBUG Exchange 2 took 0.0 ms: 1 counter (calls-wait: 1), 1 awaited, 0 granted, 1 recalled"
                                    + " from others",
                            "TRACE Exchange 2 (0.0 ms), calls-wait: used 0, held 0, needed 1, wanted 0; granted 0,"
                                    + " left 0, held elsewhere 4; " + KEY);
            assertThat(waits.entries())
                    .last()
                    .isEqualTo("DEBUG A call waited 58.0 ms, all of sync.timeout, for 1 permit: refused; " + KEY
                            + " (an unresponsive instance holds the remaining permits)");
        }
    }

    @Test
    void logsWhichStagesAnAccountEntersAndWhy() {
        try (ManualSynchroniser one = instance()) {
            one.call("acme");
            one.pass(10_000);
            assertThat(accounts.entries())
                    .containsExactly(
                            "DEBUG idle -> active by Wake; " + KEY,
                            "DEBUG active -> idle by Tick; " + KEY,
                            "DEBUG idle -> closed by Close; " + KEY);
        }
    }

    @Test
    void logsNewsOfOtherInstances() {
        try (ManualSynchroniser one = instance()) {
            one.call("acme");
            one.tell(new News(
                    News.Kind.RECALLED, Set.of(one.lastStatement().key().text(), "other")));
            one.pass(1);
            assertThat(exchanges.entries())
                    .contains("DEBUG News: 2 counters were recalled; 1 of them concerns this instance");
        }
    }

    @Test
    void logsTheStatesOfTheStore() {
        try (ManualSynchroniser one = instance()) {
            one.call("acme");
            one.failing = true;
            one.pass(5_000);
            one.failing = false;
            one.pass(10_000);
            assertThat(exchanges.entries().stream().filter(line -> line.startsWith("DEBUG The store")))
                    .containsExactly(
                            "DEBUG The store is unavailable: the onFailure policy applies (deny)",
                            "DEBUG The store is available again");
        }
    }

    @Test
    void logsAFailedExchange() {
        try (ManualSynchroniser one = instance()) {
            one.failing = true;
            one.call("acme");
            assertThat(exchanges.entries())
                    .first()
                    .isEqualTo("DEBUG Exchange 1 failed after 0.0 ms: failing; it will be retried");
        }
    }

    @Test
    void aUsedUpLimitCausesNoWait() {
        try (ManualSynchroniser one = instance()) {
            for (int i = 0; i < 9; i++) {
                one.call("acme");
            }
            assertThat(waits.entries()).hasSize(5).allMatch(line -> line.contains("for 1 permit: admitted; "));
        }
    }

    @Test
    void callerNamesAreEscaped() {
        try (ManualSynchroniser one = instance()) {
            one.call("\u001b[2J\r\nWARN all is well\u202e\u2028");
            one.pass(1_000);
            assertThat(exchanges.entries())
                    .anyMatch(line -> line.contains("=%1b%5b2J%0d%0aWARN%20all%20is%20well%e2%80%ae"));
            assertThat(exchanges.entries())
                    .allMatch(line -> line.matches("\\p{ASCII}*") && !line.matches("(?s).*\\p{Cntrl}.*"));
            assertThat(waits.entries()).hasSize(1).allMatch(line -> line.matches("[ -~]+"));
        }
    }

    /** A call that was pending is the only one that asks the log; others do not even come here. */
    @Test
    void allocatesNothingWhileNobodyListens() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (ManualSynchroniser one = instance(NOPLogger.NOP_LOGGER, NOPLogger.NOP_LOGGER, NOPLogger.NOP_LOGGER)) {
            Shortage lacking = lacking(one.synchroniser);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 10_000; i++) {
                    one.synchroniser.wasPending(lacking, Reason.STORE, 0, Outcome.ADMITTED);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isLessThan(10_000);
        }
    }

    /** What a call lacked that was pending. */
    private static Shortage lacking(Synchroniser synchroniser) {
        List<Shortage> lacked = new ArrayList<>();
        Sharing noting = (Sharing) Proxy.newProxyInstance(
                Sharing.class.getClassLoader(), new Class<?>[] {Sharing.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("wasPending")) {
                        lacked.add((Shortage) arguments[0]);
                    }
                    return method.invoke(synchroniser, arguments);
                });
        Limits limits =
                FleetSimulation.limits(List.of(List.of(CallPattern.window(5, "PT1H"))), ManualSynchroniser.NO_SLACK);
        var unused = CountingRateLimiter.sharing(limits, noting, RateLimitListener.NONE, null)
                .decide(FleetSimulation.call("acme", 1));
        return lacked.get(0);
    }
}
