package dev.sluice.test;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.config.Sluice;
import dev.sluice.limits.CallerCounters;
import dev.sluice.servlet.SluiceCustomizer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an application, in its tests: they count in this process, by a clock that the test sets. A test uses up
 * what a caller has left, and sees who was refused:
 *
 * <pre>{@code
 * limits.exhaust("login", "ip=127.0.0.1");
 * mvc.perform(post("/login")).andExpect(status().isTooManyRequests());
 * limits.clock().advance(Duration.ofMinutes(1));
 * mvc.perform(post("/login")).andExpect(status().isOk());
 * }</pre>
 *
 * <p>{@link SluiceExtension} makes them for JUnit, {@code @AutoConfigureSluice} for Spring Boot. Otherwise a limiter gets
 * them as its {@link SluiceCustomizer}, each limiter others: call {@link #customize} with the builder of one that the
 * application opens itself, or set them as an attribute of the servlet context for one that {@code web.xml} opens.
 *
 * <p>An endpoint is named by its id, and a caller by the values of the subjects that it is counted by, such as {@code
 * "tenant=acme"}; secret ones as the caller sends them. {@code "tenant="} stands for callers without a tenant. If clients
 * have limits of their own, name also what identifies the client. If calls say which plan they have, add that, as in {@code
 * "plan=pro"}. Where all callers are counted together, name none. A name that the limits do not know, or one that is
 * missing, leads to an {@link IllegalArgumentException} that says what to write.
 *
 * <p>Safe for any threads.
 */
public final class LimitsUnderTest implements SluiceCustomizer {

    private static final String IN_MEMORY = "memory:";

    private final HandSetClock clock = new HandSetClock();
    private final Decisions decisions = new Decisions();
    private final AtomicBoolean belong = new AtomicBoolean();

    /** Limits that no limiter has yet. */
    public LimitsUnderTest() {}

    /**
     * Makes a limiter count in this process, by the clock of this test, whatever store and clock it would have otherwise.
     *
     * @throws IllegalStateException if another limiter has them already
     */
    @Override
    public void customize(Sluice.Builder limiter) {
        if (!belong.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "these LimitsUnderTest belong to another limiter already; make others with new LimitsUnderTest()");
        }
        limiter.clock(clock).store(IN_MEMORY).listener(decisions);
    }

    /** The clock that windows, buckets and blocks go by. */
    public HandSetClock clock() {
        return clock;
    }

    /**
     * Uses up all that a caller has left at an endpoint: in each of its tiers, with the overage; of {@code concurrency}, all
     * free places, until {@link #reset}. The caller's next call is refused, and counts as a refusal. An endpoint in a dry run
     * refuses nobody, nor does any refuse a caller who is exempt.
     */
    public void exhaust(String endpoint, String... caller) {
        find(endpoint, caller).forEach(CallerCounters.Found::useUp);
    }

    /** How many further calls of a caller an endpoint would admit now: the least of its tiers. Counts nothing. */
    public long remaining(String endpoint, String... caller) {
        return find(endpoint, caller).stream()
                .mapToLong(CallerCounters.Found::remaining)
                .min()
                .orElse(0);
    }

    /**
     * Whether an endpoint would admit the next call of a caller, if it applies to the call. Other endpoints may refuse it.
     * Counts nothing.
     */
    public boolean admits(String endpoint, String... caller) {
        return find(endpoint, caller).stream()
                .noneMatch(counter -> counter.isUsedUp()
                        && !counter.isExempt()
                        && counter.endpoint().mode() == Mode.ENFORCE);
    }

    /**
     * How many calls of a caller an endpoint has refused since the last {@link #reset}. A call that several endpoints refuse
     * counts at the one that its answer tells of, which refuses longest.
     */
    public long refusals(String endpoint, String... caller) {
        return decisions.count(decisions.refused, endpoint, subjects(endpoint, caller));
    }

    /** How many calls have been refused since the last {@link #reset}, whoever sent them. */
    public long refusals() {
        return decisions.refused.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /**
     * Begins anew: all is left, nobody is blocked, no call has been refused, and the clock is at its start. What calls under
     * way have taken is free again. Limits that were set while the application runs stay.
     */
    public void reset() {
        CallerCounters counters = decisions.counters;
        if (counters != null) {
            counters.forget(); // first, since blocks follow a clock that is set back
        }
        clock.set(HandSetClock.START);
        if (counters != null) {
            counters.forget();
        }
        decisions.refused.clear();
        decisions.wouldRefuse.clear();
    }

    /** What is left, for messages: {@code 10s: 0 of 5 left, 1h: 95 of 100 left}. */
    String described(String endpoint, String... caller) {
        Map<String, CallerCounters.Found> least = new LinkedHashMap<>();
        for (CallerCounters.Found counter : find(endpoint, caller)) {
            least.merge(
                    counter.tier().name(), counter, (one, other) -> one.remaining() <= other.remaining() ? one : other);
        }
        return least.values().stream()
                .map(counter -> counter.tier().name() + ": " + counter.remaining() + " of "
                        + counter.tier().limit().threshold() + " left"
                        + (counter.isExempt()
                                ? " (exempt)"
                                : counter.endpoint().mode() == Mode.ENFORCE ? "" : " (dry run)"))
                .collect(Collectors.joining(", "));
    }

    /** Who was refused, for messages: {@code 2 by login for ip=192.0.2.1}; empty if nobody was. */
    String describedRefusals() {
        Map<String, Long> refused = new TreeMap<>();
        decisions.refused.forEach((what, times) -> refused.merge(what.text(), times.sum(), Long::sum));
        return refused.entrySet().stream()
                .map(one -> one.getValue() + " by " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    /** How many calls a dry run of this endpoint would have refused. */
    long dryRunRefusals(String endpoint, String... caller) {
        return decisions.count(decisions.wouldRefuse, endpoint, subjects(endpoint, caller));
    }

    private Set<List<Subject>> subjects(String endpoint, String... caller) {
        return find(endpoint, caller).stream()
                .map(CallerCounters.Found::subjects)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private List<CallerCounters.Found> find(String endpoint, String... caller) {
        CallerCounters counters = decisions.counters;
        if (counters == null) {
            throw new IllegalStateException(
                    "no limiter has these LimitsUnderTest. Are there limits, and is sluice.enabled not false? An application that"
                            + " makes its own Sluice gives its builder to customize");
        }
        List<CallerCounters.Found> found = counters.find(endpoint, values(caller));
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    "endpoint " + endpoint + " is off for " + named(caller) + ", so it counts nothing");
        }
        return found;
    }

    /** A caller for messages: {@code ip=192.0.2.1, tenant=acme}. */
    static String named(String... caller) {
        return caller.length == 0 ? "all callers" : String.join(", ", caller);
    }

    private static Map<String, String> values(String... caller) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : caller) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException(
                        '"' + part + "\" names no caller; write a subject and its value, such as \"ip=192.0.2.1\"");
            }
            String name = part.substring(0, equals).strip();
            if (values.put(name, part.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException(
                        "the caller has two values of " + name + "; name one caller at a time");
            }
        }
        return values;
    }

    /** Counts refusals, and holds the counters of the limiter. */
    private static final class Decisions implements CallerCounters.Reader {

        final Map<Refusal, LongAdder> refused = new ConcurrentHashMap<>();
        final Map<Refusal, LongAdder> wouldRefuse = new ConcurrentHashMap<>();
        volatile @Nullable CallerCounters counters;

        /** A refusal, as its answer tells of it. */
        private record Refusal(String endpoint, List<Subject> subjects) {

            String text() {
                return endpoint + " for "
                        + (subjects.isEmpty()
                                ? "all callers"
                                : subjects.stream()
                                        .map(subject -> subject.name() + '=' + subject.value())
                                        .collect(Collectors.joining(", ")));
            }
        }

        @Override
        public void read(CallerCounters ofLimiter) {
            counters = ofLimiter;
        }

        @Override
        public void onDecision(Call call, Decision decision) {
            if (decision.endpoint() != null) {
                Refusal refusal = new Refusal(decision.endpoint().id(), decision.subjects());
                if (!decision.admitted()) {
                    refused.computeIfAbsent(refusal, first -> new LongAdder()).increment();
                } else if (decision.outcome() == Outcome.WOULD_REFUSE) {
                    wouldRefuse
                            .computeIfAbsent(refusal, first -> new LongAdder())
                            .increment();
                }
            }
        }

        long count(Map<Refusal, LongAdder> refusals, String endpoint, Set<List<Subject>> callers) {
            return callers.stream()
                    .map(subjects -> refusals.get(new Refusal(endpoint, subjects)))
                    .filter(times -> times != null)
                    .mapToLong(LongAdder::sum)
                    .sum();
        }
    }
}
