package dev.sluice.internal.servlet.contract;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static dev.sluice.TestLimits.tier;
import static dev.sluice.internal.servlet.contract.StreamingApplication.ANSWERED_AT_ONCE;
import static dev.sluice.internal.servlet.contract.StreamingApplication.STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Limits get all permits back from bursts of callers who disconnect. Containers close idle connections after 20 seconds
 * or more, and the tests do not wait for that.
 */
@Tag("server")
public abstract class FreeSlotsContract {

    private static final int CALLS = 200;
    private static final int SLOTS = 10;
    private static final long LATEST_RESET_MILLIS = 60;
    private static final long PATIENCE_SECONDS = 15;

    /** Admits calls beyond its threshold only while no watched call is in flight. */
    private static final Tier WHILE_IDLE = new Tier(
            "idle", new Limit.FixedWindow(20, Duration.ofDays(1)), new Overage.Elastic(11, 0.000_1), Sync.DEFAULT);

    private static final Limits LIMITS = patient(TestLimits.of(
            per(endpoint("slots", "/**/slots", new Tier("concurrency", new Limit.Concurrency(SLOTS, Scope.FLEET)))),
            counting(per(endpoint("teapots", "/**/teapots", tier(SLOTS, Duration.ofDays(1)))), Set.of(418), Cost.ONE),
            per(endpoint("idle", "/**/idle", WHILE_IDLE))));

    private final WebServer.Make make;
    private final StreamingApplication streams;
    private final Random random = new Random(11);
    private final List<Socket> open = new ArrayList<>();
    private CountingRateLimiter limiter;
    private WebServer server;

    /**
     * For a container that may end a call only by its timeout if a {@code WriteListener} is not notified that its
     * caller has disconnected.
     */
    public FreeSlotsContract(WebServer.Make make, long listenerTimeoutMillis) {
        this.make = make;
        streams = new StreamingApplication(listenerTimeoutMillis);
    }

    public FreeSlotsContract(WebServer.Make make) {
        this(make, StreamingApplication.NO_TIME_OUT_MILLIS);
    }

    /** On a busy machine the store may be slow, and limits are exact only while it does not count as unavailable. */
    private static Limits patient(Limits limits) {
        return new Limits(
                limits.endpoints(),
                limits.subjects(),
                true,
                limits.maximumCounters(),
                limits.responses(),
                new SharingOptions(OnFailure.LOCAL, Duration.ofSeconds(5)),
                List.of(),
                List.of(),
                limits.pendingCalls());
    }

    private void serve(CountingRateLimiter opened) throws Exception {
        limiter = opened;
        server = make.start(Application.at("", (classes, context) -> {
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            streams.addTo(context);
        }));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket caller : open) {
            caller.close();
        }
        server.close();
        streams.close();
        limiter.close();
    }

    /** Measures load by the calls in flight only, not by the processors. */
    @Test
    void comeBackInOneProcess() throws Exception {
        serve(CountingRateLimiter.sharing(
                LIMITS, new UnsharedCounting(InstantSource.system()), RateLimitListener.NONE, null));
        leaveInABurst();
        awaitAllSlots();
        awaitSoon("no load", () -> passAtOnce("/hold/idle", 1) == 1);
    }

    protected final void comeBackIn(String store) throws Exception {
        serve(new CountingRateLimiter(
                LIMITS, InstantSource.system(), RateLimitListener.NONE, CounterStores.open(store), "this-one", null));
        leaveInABurst();
        awaitAllSlots();
    }

    private void leaveInABurst() throws Exception {
        List<Future<Socket>> callers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            callers.add(streams.beginAndLeave(server, anyOf(STREAMS) + "/slots", i, leavesAfterMillis(i)));
            if (i % 2 == 0) {
                callers.add(streams.beginAndLeave(server, anyOf(STREAMS) + "/idle", i / 2, leavesAfterMillis(i)));
            } else {
                callers.add(streams.beginAndLeaveAnswered(server, anyOf(ANSWERED_AT_ONCE) + "/teapots", i / 2));
            }
        }
        for (Future<Socket> caller : callers) {
            open.add(caller.get());
        }
    }

    private String anyOf(List<String> paths) {
        return paths.get(random.nextInt(paths.size()));
    }

    private long leavesAfterMillis(int number) {
        return number % 3 == 0 ? 20 : random.nextLong(LATEST_RESET_MILLIS);
    }

    private static void awaitSoon(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
        }
    }

    private void awaitAllSlots() {
        awaitSoon("ten slots", () -> passAtOnce("/hold/slots", SLOTS + 1) == SLOTS);
        awaitSoon("what calls took that do not count", () -> passAtOnce("/hold/teapots", SLOTS + 1) == SLOTS);
    }

    /** How many of these calls pass while none of them has ended; never more than allowed. */
    private int passAtOnce(String path, int calls) {
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            answers.add(streams.get(server, path, false));
        }
        Eventually.await("calls that are held or refused", () -> {
            long refused = answers.stream().filter(Future::isDone).count();
            return refused + streams.held() == calls;
        });
        int passed = streams.held();
        assertThat(passed).as("calls at once").isLessThanOrEqualTo(SLOTS);
        streams.release();
        return passed;
    }
}
