package dev.sluice.test;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.internal.text.CallerText;
import dev.sluice.limits.CallerCounters;
import dev.sluice.open.Sluice;
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
 * The limits of an application under test. They count in this process, and follow a clock that the test controls. A
 * test can use up a caller's remaining calls, and check which callers were refused:
 *
 * <pre>{@code
 * limits.exhaust("login", "ip=127.0.0.1");
 * mvc.perform(post("/login")).andExpect(status().isTooManyRequests());
 * limits.clock().advance(Duration.ofMinutes(1));
 * mvc.perform(post("/login")).andExpect(status().isOk());
 * }</pre>
 *
 * <p>In JUnit, {@link SluiceExtension} creates this object; in Spring Boot, {@code @AutoConfigureSluice} does. In other
 * setups, pass a new object to each limiter as its {@link SluiceCustomizer}. If the application opens the limiter
 * itself, call {@link #customize} with the builder. If {@code web.xml} declares the filter, store the object as a
 * servlet context attribute.
 *
 * <p>An endpoint is named by its id. A caller is named by the values of the subjects by which the endpoint is keyed,
 * such as {@code "tenant=acme"}. Write secret values exactly as the caller sends them. {@code "tenant="} denotes
 * callers without a tenant. If clients have their own limits, also name the subject that identifies the client. If
 * calls carry a plan, add the plan, as in {@code "plan=pro"}. If all callers are counted together, name no caller. If a
 * name is unknown or missing, methods throw an {@link IllegalArgumentException} that explains what to write. If no
 * limiter uses these limits, methods throw an {@link IllegalStateException}.
 *
 * <p>Thread-safe.
 */
public final class LimitsUnderTest implements SluiceCustomizer {

    private static final String IN_MEMORY = "memory:";

    private final HandSetClock clock = new HandSetClock();
    private final Decisions decisions = new Decisions();
    private final AtomicBoolean belong = new AtomicBoolean();

    /** Creates limits that do not belong to a limiter yet. */
    public LimitsUnderTest() {}

    /**
     * Makes a limiter count in this process and follow this object's clock, regardless of the configured store and
     * clock.
     *
     * @throws IllegalStateException if these limits already belong to a different limiter
     */
    @Override
    public void customize(Sluice.Builder limiter) {
        if (!belong.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "these LimitsUnderTest already belong to another limiter; create others with new"
                            + " LimitsUnderTest()");
        }
        limiter.clock(clock).store(IN_MEMORY).listener(decisions);
    }

    /** Returns the clock for windows, buckets and blocks. */
    public HandSetClock clock() {
        return clock;
    }

    /**
     * Uses up all remaining calls of a caller at an endpoint in every tier, including the overage. At a
     * {@code concurrency} limit, occupies all free slots until {@link #reset}. The endpoint then refuses the caller's
     * next call, and that call counts as a refusal. An endpoint in a dry run still refuses nobody, and exempt callers
     * are never refused.
     */
    public void exhaust(String endpoint, String... caller) {
        find(endpoint, caller).forEach(CallerCounters.Found::useUp);
    }

    /**
     * Returns the number of further calls of a caller that an endpoint would admit now. If the endpoint has several
     * tiers, the tier with the fewest remaining calls determines the number. Counts nothing.
     */
    public long remaining(String endpoint, String... caller) {
        return find(endpoint, caller).stream()
                .mapToLong(CallerCounters.Found::remaining)
                .min()
                .orElse(0);
    }

    /**
     * Whether an endpoint would admit the next call of a caller, provided that it applies to the call. Other endpoints
     * can still refuse the call. Counts nothing.
     */
    public boolean admits(String endpoint, String... caller) {
        return find(endpoint, caller).stream()
                .noneMatch(counter -> counter.isUsedUp()
                        && !counter.isExempt()
                        && counter.endpoint().mode() == Mode.ENFORCE);
    }

    /**
     * Returns the number of a caller's calls that an endpoint has refused since the last {@link #reset}. If several
     * endpoints refuse a call, the refusal counts only at the endpoint that the response names. This is the endpoint
     * whose refusal lasts longest.
     */
    public long refusals(String endpoint, String... caller) {
        return decisions.count(decisions.refused, endpoint, subjects(endpoint, caller));
    }

    /** Returns the number of calls of all callers that have been refused since the last {@link #reset}. */
    public long refusals() {
        return decisions.refused.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /**
     * Resets all state. Afterwards, all limits are full, nobody is blocked, and no call has been refused. The slots of
     * calls in flight are free, and the clock shows its initial time. Limits that were set at run time remain.
     */
    public void reset() {
        CallerCounters counters = decisions.counters;
        if (counters != null) {
            counters.forget(); // must precede the clock's reset, because blocks move with a clock that is set back
        }
        clock.set(HandSetClock.START);
        if (counters != null) {
            counters.forget();
        }
        decisions.refused.clear();
        decisions.wouldRefuse.clear();
    }

    /** Describes the remaining calls for messages, for example {@code 10s: 0 of 5 left, 1h: 95 of 100 left}. */
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

    /**
     * Describes the refusals for messages, for example {@code 2 by login for ip=192.0.2.1}; empty if there were none.
     */
    String describedRefusals() {
        Map<String, Long> refused = new TreeMap<>();
        decisions.refused.forEach((what, times) -> refused.merge(what.text(), times.sum(), Long::sum));
        return refused.entrySet().stream()
                .map(one -> one.getValue() + " by " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the number of this caller's calls that the endpoint would have refused if it were not in dry-run mode.
     */
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
                    "no limiter uses these LimitsUnderTest. Check that there are limits, and that sluice.enabled is not"
                            + " false. An application that opens its own Sluice must pass the builder to customize");
        }
        List<CallerCounters.Found> found = counters.find(endpoint, values(caller));
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    "endpoint " + endpoint + " has mode off for " + named(caller) + ", so it counts nothing");
        }
        return found;
    }

    /** Describes a caller for messages, for example {@code ip=192.0.2.1, tenant=acme}. */
    static String named(String... caller) {
        return caller.length == 0 ? "all callers" : String.join(", ", caller);
    }

    private static Map<String, String> values(String... caller) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : caller) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException('"' + part
                        + "\" does not name a caller; write a subject and its value, such as \"ip=192.0.2.1\"");
            }
            String name = part.substring(0, equals).strip();
            if (values.put(name, part.substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException(
                        "the caller has two values for " + name + "; name only one caller at a time");
            }
        }
        return values;
    }

    /** Counts refusals and stores the limiter's counters. Thread-safe. */
    private static final class Decisions implements CallerCounters.Reader {

        final Map<Refusal, LongAdder> refused = new ConcurrentHashMap<>();
        final Map<Refusal, LongAdder> wouldRefuse = new ConcurrentHashMap<>();
        volatile @Nullable CallerCounters counters;

        /** A refusal as it is reported in the response. */
        private record Refusal(String endpoint, List<Subject> subjects) {

            String text() {
                return endpoint + " for " + CallerText.of(subjects);
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
