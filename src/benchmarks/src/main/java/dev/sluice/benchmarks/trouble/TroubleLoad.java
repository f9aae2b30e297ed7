package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.trouble.CallLedger.Caller;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Makes the calls of callers that call random instances at their own pace, without waiting for earlier responses. */
final class TroubleLoad {

    /** The timeout for a call. It is longer than the longest suspension of an instance in any scene. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final World world;
    private final CallLedger ledger;
    private final List<Demand> demands;
    private final Random random;
    private final Set<CompletableFuture<?>> inFlight = ConcurrentHashMap.newKeySet();
    private final Thread caller = new Thread(this::callUntilStopped, "load");
    private volatile boolean stopped;
    private volatile long stallNanos;

    /** The rate at which a caller makes calls. */
    record Demand(Caller caller, double callsASecond) {}

    private TroubleLoad(World world, CallLedger ledger, List<Demand> demands, long seed) {
        this.world = world;
        this.ledger = ledger;
        this.demands = demands;
        this.random = new Random(seed);
    }

    /**
     * Makes calls while the given task runs, and then waits for the pending responses.
     *
     * @return the longest delay of a call, in milliseconds. It shows for how long this process was starved of CPU
     */
    static long during(Runnable other, World world, CallLedger ledger, List<Demand> demands, long seed) {
        TroubleLoad load = new TroubleLoad(world, ledger, demands, seed);
        load.caller.setDaemon(true);
        load.caller.start();
        try {
            other.run();
        } finally {
            load.end();
        }
        return TimeUnit.NANOSECONDS.toMillis(load.stallNanos);
    }

    private void callUntilStopped() {
        double all = demands.stream().mapToDouble(Demand::callsASecond).sum();
        long due = System.nanoTime();
        while (!stopped) {
            due += (long) (-Math.log(1 - random.nextDouble()) / all * 1e9);
            Pause.untilNanos(due);
            stallNanos = Math.max(stallNanos, System.nanoTime() - due);
            call(choose(random.nextDouble() * all), random.nextInt(World.INSTANCES));
        }
    }

    private Caller choose(double place) {
        double sum = 0;
        for (Demand demand : demands) {
            sum += demand.callsASecond;
            if (place < sum) {
                return demand.caller;
            }
        }
        return demands.get(demands.size() - 1).caller;
    }

    /**
     * Sends a POST request. After a broken connection, the client would automatically resend a GET request, and the
     * limiter would count it twice.
     */
    private void call(Caller from, int instance) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        world.instance(instance).address() + from.limit().path()))
                .POST(BodyPublishers.noBody())
                .header("X-Org-Id", from.name())
                .timeout(PATIENCE)
                .build();
        long sent = System.nanoTime();
        CompletableFuture<Void> answer = HTTP.sendAsync(request, BodyHandlers.discarding())
                .handle((response, failure) -> {
                    if (!isUnreached(failure)) {
                        int status = failure == null ? response.statusCode() : CallLedger.NO_ANSWER;
                        ledger.add(new CallLedger.Call(from, instance, sent, System.nanoTime(), status));
                    }
                    return null;
                });
        inFlight.add(answer);
        answer.whenComplete((any, failure) -> inFlight.remove(answer));
    }

    /** Whether the instance is not listening and therefore has not counted the call. */
    private static boolean isUnreached(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return true;
            }
        }
        return false;
    }

    private void end() {
        stopped = true;
        try {
            caller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        CompletableFuture.allOf(inFlight.toArray(CompletableFuture[]::new)).join();
    }
}
