package dev.sluice.internal.http.response;

import dev.sluice.Decision;
import dev.sluice.Decision.Shown;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes a decision to the header fields of a response. Thread-safe.
 *
 * <p>Text that is the same for every call to an endpoint is cached by the endpoint's identity. The map is copied on
 * each change, so reads require no lock. The copies are cheap, because there are few endpoints, and new endpoints
 * appear only after a reload.
 *
 * @param <R> the type of the response
 */
public final class LimitFields<R> {

    private static final String RETRY_AFTER = "Retry-After";

    private static final String LIMIT = "x-ratelimit-limit";
    private static final String REMAINING = "x-ratelimit-remaining";
    private static final String RESET = "x-ratelimit-reset";
    private static final String BEYOND = "x-ratelimit-beyond";
    private static final String POLICY = "RateLimit-Policy";
    private static final String STATE = "RateLimit";

    /**
     * The maximum number of cached endpoints, including those of earlier files. If this number is exceeded, the cache
     * is cleared.
     */
    private static final int MOST_TEXTS = 20_000;

    /** The maximum number of limits that a response shows, so that its header stays small. */
    private static final int MOST_ITEMS = 16;

    private final HeaderFields<R> fields;

    private volatile IdentityHashMap<Endpoint, EndpointText> texts = new IdentityHashMap<>();

    public LimitFields(HeaderFields<R> fields) {
        this.fields = fields;
    }

    /**
     * Writes the fields that describe the limit.
     *
     * @param askedAtMillis when the limiter was called, in milliseconds since 1970; 0 if no field needs it
     * @param earlier an earlier limiter's decision on the same call; {@code null} if there is none
     * @param again whether the fields were already written; if so, only fields that the response has lost are written
     */
    public void write(
            R response,
            Decision decision,
            ResponseOptions options,
            long askedAtMillis,
            @Nullable Decision earlier,
            boolean again) {
        Shown told = decision.shown();
        if (told == null || fields.areSent(response) || areHidden(decision, options, told.endpoint())) {
            return;
        }
        ResponseOptions.Headers style = options.headers();
        boolean isScarcest = !hasScarcer(response, decision, told, earlier);
        if (style.hasFieldsOfDraft() && !(again && fields.get(response, STATE) != null)) {
            boolean joinsEarlier = earlier != null && fields.get(response, STATE) != null;
            writeEach(response, decision, told, isScarcest, joinsEarlier ? earlier : null);
        }
        if (isScarcest) {
            if (style != ResponseOptions.Headers.IETF && !(again && fields.get(response, LIMIT) != null)) {
                writeFigures(response, options, askedAtMillis, told);
            }
            if (told.isBeyond()) {
                fields.set(response, BEYOND, "true");
            }
        }
    }

    /**
     * Writes the fields defined by the draft, with one item for each applicable limit. The limit that refuses the call
     * comes first. The others follow in ascending order of their remaining fraction.
     *
     * @param earlier an earlier limiter's decision on the same call; its items are already in the response and are
     *     retained; {@code null} if there is none
     */
    private void writeEach(R response, Decision decision, Shown told, boolean isScarcest, @Nullable Decision earlier) {
        List<Shown> each = decision.shownLimits();
        long seconds = secondsUntilMore(decision, told);
        if (earlier == null && each.size() < 2) {
            EndpointText text = textOf(told.endpoint());
            boolean isPlain = told.endpoint().tiers().contains(told.tier());
            fields.set(
                    response,
                    POLICY,
                    isPlain ? text.allPolicies() : String.join(", ", text.policies(told.endpoint(), List.of(told))));
            fields.set(response, STATE, item(text, told, seconds));
            return;
        }
        List<Shown> limits = new ArrayList<>();
        if (earlier != null) {
            addLimits(limits, earlier);
        }
        addLimits(limits, decision);
        List<Shown> sorted = new ArrayList<>(limits);
        boolean leads = isScarcest && !decision.admitted();
        sorted.sort(Comparator.comparing((Shown limit) -> !(leads && isSame(limit, told)))
                .thenComparingDouble(LimitFields::leftInProportion));
        Map<String, Shown> items = new LinkedHashMap<>();
        for (Shown limit : sorted) {
            if (items.size() < MOST_ITEMS) {
                items.putIfAbsent(textOf(limit.endpoint()).stateOf(limit.endpoint(), limit.tier()), limit);
            }
        }
        StringJoiner states = new StringJoiner(", ");
        for (Shown limit : items.values()) {
            boolean isTold = isSame(limit, told);
            states.add(
                    item(textOf(limit.endpoint()), limit, isTold ? seconds : wholeSeconds(limit.resetAfterMillis())));
        }
        fields.set(response, POLICY, policies(limits, items));
        fields.set(response, STATE, states.toString());
    }

    private static void addLimits(List<Shown> limits, Decision of) {
        Shown told = of.shown();
        if (!of.shownLimits().isEmpty()) {
            limits.addAll(of.shownLimits());
        } else if (told != null) {
            limits.add(told);
        }
    }

    @SuppressWarnings("ReferenceEquality") // both come from the same snapshot of the limits
    private static boolean isSame(Shown one, Shown other) {
        return one.endpoint() == other.endpoint() && one.tier().equals(other.tier());
    }

    /**
     * Returns the policies of all endpoints that have an item, always in the same order. If there are too many
     * policies, the value contains only the policies of the items themselves.
     */
    private String policies(List<Shown> limits, Map<String, Shown> items) {
        Set<String> all = new LinkedHashSet<>();
        for (Shown limit : limits) {
            all.addAll(textOf(limit.endpoint()).policies(limit.endpoint(), limits));
        }
        if (all.size() > MOST_ITEMS) {
            all.clear();
            for (Shown limit : limits) {
                EndpointText text = textOf(limit.endpoint());
                if (items.containsKey(text.stateOf(limit.endpoint(), limit.tier()))) {
                    all.add(text.policyOf(limit.endpoint(), limit.tier()));
                }
            }
        }
        return String.join(", ", all);
    }

    private static String item(EndpointText text, Shown told, long untilMoreSeconds) {
        long most =
                told.tier().limit().threshold(); // a bucket can hold more than the threshold, but r must not exceed q
        long left = Math.max(0, Math.min(most, told.remaining()));
        return text.stateOf(told.endpoint(), told.tier()) + left + ";t=" + untilMoreSeconds;
    }

    /**
     * Writes the other fields of a refusal.
     *
     * @param again whether the fields were already written; if so, only fields that the response has lost are written
     */
    public void writeRefusal(R response, Decision decision, ResponseOptions options, boolean again) {
        if (!fields.areSent(response) && !(again && fields.get(response, RETRY_AFTER) != null)) {
            if (!decision.neverPasses()) {
                fields.set(response, RETRY_AFTER, retryAfter(decision, options));
            }
            fields.set(response, "Cache-Control", "no-store");
        }
    }

    /**
     * Returns the information for the body of a refusal. It is consistent with the current header fields of the
     * response.
     */
    public static <R> Refusal refusal(HeaderFields<R> fields, R response, Decision decision, int status) {
        return new Refusal(decision, status, fields.get(response, RETRY_AFTER), areShown(fields, response));
    }

    /** Whether the response contains the fields that describe the limit. */
    private static <R> boolean areShown(HeaderFields<R> fields, R response) {
        return fields.get(response, LIMIT) != null || fields.get(response, POLICY) != null;
    }

    /**
     * Whether the response already contains the fields of a different limiter whose limit has a smaller remaining
     * fraction.
     */
    private boolean hasScarcer(R response, Decision decision, Shown told, @Nullable Decision earlier) {
        if (earlier == null || !decision.admitted() || !areShown(fields, response)) {
            return false;
        }
        Shown other = earlier.shown();
        return other != null && leftInProportion(other) < leftInProportion(told);
    }

    private static double leftInProportion(Shown told) {
        return (double) told.remaining() / told.tier().limit().threshold();
    }

    private static boolean areHidden(Decision decision, ResponseOptions options, Endpoint endpoint) {
        Decision.Outcome outcome = decision.outcome();
        boolean dryRun = endpoint.mode() == Mode.DRY_RUN || outcome == Decision.Outcome.WOULD_REFUSE;
        return outcome == Decision.Outcome.UNLIMITED
                || outcome == Decision.Outcome.EXEMPT
                || options.headers() == ResponseOptions.Headers.NONE
                || (dryRun && !options.inDryRun());
    }

    private void writeFigures(R response, ResponseOptions options, long askedAtMillis, Shown told) {
        boolean epoch = options.reset() == ResponseOptions.Reset.EPOCH;
        long resetMillis = told.resetAfterMillis() + (epoch ? askedAtMillis : 0);
        fields.set(response, LIMIT, NumberText.ofThreshold(told.tier().limit().threshold()));
        fields.set(response, REMAINING, NumberText.of(Math.max(0, told.remaining())));
        fields.set(response, RESET, NumberText.of(wholeSeconds(resetMillis)));
    }

    /**
     * Returns the time until more calls can pass. The draft forbids an earlier {@code Retry-After}, so a refusal has
     * the same time in both fields.
     */
    private static long secondsUntilMore(Decision decision, Shown told) {
        long untilMore = decision.admitted()
                ? told.resetAfterMillis()
                : Math.min(told.resetAfterMillis(), decision.retryAfterMillis());
        return wholeSeconds(untilMore);
    }

    private static String retryAfter(Decision decision, ResponseOptions options) {
        long spread = Math.max(0, options.retryAfterJitter().toMillis());
        if (spread == 0) {
            return NumberText.of(decision.retryAfterSeconds());
        }
        long later = decision.retryAfterMillis() + ThreadLocalRandom.current().nextLong(spread + 1);
        return NumberText.of(decision.withRetryAfter(later).retryAfterSeconds());
    }

    private static long wholeSeconds(long millis) {
        return Math.max(0, -Math.floorDiv(-millis, 1000L));
    }

    private EndpointText textOf(Endpoint endpoint) {
        EndpointText known = texts.get(endpoint);
        return known != null ? known : cache(endpoint);
    }

    /**
     * Adds the text of an endpoint to the cache. If two threads do this at the same time, one of their texts can be
     * lost. The next call then builds that text again.
     */
    private EndpointText cache(Endpoint endpoint) {
        EndpointText text = EndpointText.of(endpoint);
        IdentityHashMap<Endpoint, EndpointText> known = texts;
        IdentityHashMap<Endpoint, EndpointText> more =
                known.size() < MOST_TEXTS ? new IdentityHashMap<>(known) : new IdentityHashMap<>();
        more.put(endpoint, text);
        texts = more;
        return text;
    }
}
