package dev.sluice.internal.servlet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.servlet.RateLimitFilter;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many callers at once disconnect at any time. Each call ends, exactly once: even if the container reports no end, and
 * although hardly anything here times out. The same for dispatches that start async again and fail, for which Tomcat
 * reports no end.
 */
@Tag("server")
public abstract class GoneCallersContract {

    private static final int CALLS = 40;
    private static final long LATEST_RESET_MILLIS = 60;

    private final WebServer.Make make;
    private final StreamingApplication streams;
    private final Random random = new Random(7);
    /** The tickets by path, so that a failure says which calls have not ended. */
    private final Map<String, TicketFake> limiters = new ConcurrentHashMap<>();

    private WebServer server;

    public GoneCallersContract(WebServer.Make make) {
        this(make, StreamingApplication.NO_TIME_OUT_MILLIS);
    }

    /**
     * For a container that may end a call only by its timeout if a {@code WriteListener} is not notified that its
     * caller has disconnected.
     */
    public GoneCallersContract(WebServer.Make make, long listenerTimeoutMillis) {
        this.make = make;
        streams = new StreamingApplication(listenerTimeoutMillis);
    }

    private void serve(List<String> paths) throws Exception {
        server = make.start(Application.at("", (classes, context) -> {
                    paths.forEach(path -> {
                        TicketFake limiter = TicketFake.atOnce();
                        limiters.put(path, limiter);
                        SmallApplication.addFilter(context, "limit of " + path, new RateLimitFilter(limiter), path);
                    });
                    streams.addTo(context);
                })
                .withErrorPages(StreamingApplication.PAGES_OF_ERRORS));
    }

    @AfterEach
    void stop() {
        server.close();
        streams.close();
        assertThat(limiters.values())
                .allMatch(limiter -> limiter.furtherEnds().size() == limiter.asked(), "ended once");
    }

    @Test
    void leaveCallsThatEnd() throws Exception {
        serve(StreamingApplication.STREAMS);
        List<Future<Socket>> callers = new ArrayList<>();
        for (String path : limiters.keySet()) {
            for (int i = 0; i < CALLS; i++) {
                long leavesAfter = i % 3 == 0 ? 20 : random.nextLong(LATEST_RESET_MILLIS);
                callers.add(streams.beginAndLeave(server, path, i, leavesAfter));
            }
        }
        // some calls are reset before the container knows them
        awaitEnds(callers, CALLS / 4);
    }

    private void awaitEnds(List<Future<Socket>> callers, int atLeast) throws Exception {
        List<Socket> open = new ArrayList<>();
        for (Future<Socket> caller : callers) {
            open.add(caller.get());
        }
        Eventually.await(this::ends, () -> haveEnded(atLeast));
        for (Socket caller : open) {
            caller.close();
        }
    }

    /** The callers stop sending; the application notices, and does nothing. */
    @Test
    void callsWhoseCallersStopSendingEnd() throws Exception {
        serve(StreamingApplication.READING);
        List<Future<Socket>> callers = new ArrayList<>();
        for (String path : limiters.keySet()) {
            for (int i = 0; i < CALLS; i++) {
                callers.add(
                        streams.sendInPart(server, path, i, i % 2 == 0 ? 20 : random.nextLong(LATEST_RESET_MILLIS)));
            }
        }
        awaitEnds(callers, CALLS / 4);
    }

    /** Undertow does not report their end, and may not answer them. */
    @Test
    void callsEndIfAnErrorPageAnswersAsynchronously() throws Exception {
        serve(StreamingApplication.ERROR_PAGES);
        List<Future<Socket>> callers = new ArrayList<>();
        for (String path : List.of("/fail", "/fail-by-forward", "/fail-by-dispatch", "/fail-by-exception")) {
            for (int i = 0; i < CALLS / 4; i++) {
                callers.add(streams.begin(server, path));
            }
        }
        awaitEnds(callers, CALLS / 4);
    }

    private boolean haveEnded(int atLeast) {
        return limiters.values().stream()
                .allMatch(limiter ->
                        limiter.asked() >= atLeast && limiter.furtherEnds().size() == limiter.asked());
    }

    private String ends() {
        Map<String, String> ends = new TreeMap<>();
        limiters.forEach((path, limiter) ->
                ends.put(path, limiter.furtherEnds().size() + " of " + limiter.asked() + " calls have ended"));
        return ends + StreamingApplication.whereThreadsAre();
    }

    /** Tomcat 11.0.24 closes the connection or resets the call instead of answering, even without the filter. */
    @Test
    void callsEndIfADispatchStartsAsyncAgainAndFails() throws Exception {
        serve(StreamingApplication.FAILING);
        List<Future<Answer>> answers = new ArrayList<>();
        for (String path : limiters.keySet()) {
            for (int i = 0; i < CALLS / 2; i++) {
                answers.add(streams.get(server, path, i % 2 == 1));
            }
        }
        for (Future<Answer> answer : answers) {
            assertThat(answer.get().status()).isIn(500, 0);
        }
        Eventually.await(this::ends, () -> haveEnded(CALLS / 8));
    }
}
