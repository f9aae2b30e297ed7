package dev.sluice.internal.instance;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.GivenSubjects;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.instance.reload.LimitsInForce;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Limits;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Decides whether calls of the application's methods pass. A call passes if the limiter fails, or if no endpoint has
 * the call's name under {@code on}. Both cases are logged, but not for each call. Thread-safe.
 */
public final class MethodCalls {

    private static final String FAILED = "The rate limiter failed. These method calls pass without a limit.";
    /** The maximum number of unknown names that are logged. It is limited because code might generate names. */
    private static final int MOST_UNKNOWN = 1_000;

    private final Logger log;
    private final CountingRateLimiter limiter;
    private final LimitsInForce inForce;
    private final FaultLog faults;
    private final UnfitSubjects unfit;
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    public MethodCalls(Logger log, CountingRateLimiter limiter, LimitsInForce inForce) {
        this.log = log;
        this.limiter = limiter;
        this.inForce = inForce;
        this.unfit = new UnfitSubjects(log, inForce::fileName);
        this.faults = new FaultLog(log, Level.ERROR);
    }

    public Decision decide(String name, Call call) {
        try {
            Decision decision = limiter.decideOn(name, readable(name, call, true));
            warnIfUnknown(name, decision);
            return decision;
        } catch (RuntimeException | Error e) {
            faults.report(FAILED, e);
            return Decision.UNLIMITED;
        }
    }

    /** Returns the limiter's own future, so that cancelling it always returns the call's permits. */
    public CompletableFuture<Decision> decideAsync(String name, Call call, Executor executor) {
        try {
            CompletableFuture<Decision> asked =
                    limiter.decideOnAsync(name, readable(name, call, false), executor, this::passAfter);
            var unused = asked.thenAccept(decision -> warnIfUnknown(name, decision));
            return asked;
        } catch (RuntimeException | Error e) {
            faults.report(FAILED, e);
            return CompletableFuture.completedFuture(Decision.UNLIMITED);
        }
    }

    private void passAfter(CompletableFuture<Decision> decided, Throwable fault) {
        if (!decided.isDone()) {
            faults.report(FAILED, fault);
            decided.complete(Decision.UNLIMITED);
        }
    }

    private Call readable(String name, Call call, boolean holdsThread) {
        if (!(call instanceof GivenSubjects given)) {
            return call;
        }
        Limits limits = limiter.limits();
        unfit.check(name, given, limits);
        return SubjectsOfMethod.of(given, limits.subjects(), holdsThread);
    }

    private void warnIfUnknown(String name, Decision decision) {
        if (decision.outcome() == Decision.Outcome.UNLIMITED
                && !inForce.hasOn(name)
                && unknown.size() < MOST_UNKNOWN
                && unknown.add(name)) {
            log.warn(
                    "{} has no endpoint with on: {}, so these method calls pass without a limit. Add such an "
                            + "endpoint, or remove the limit from the code",
                    inForce.fileName(),
                    Quote.plain(name));
        }
    }
}
