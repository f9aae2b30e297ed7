package dev.sluice.spring.actuate;

import dev.sluice.Block;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.text.CallerText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.open.Sluice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The {@code ratelimits} actuator endpoint. It shows the limits in force and the standing of clients. With write
 * access, it also sets limits for clients, gives them calls, and ends their blocks. Thread-safe.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

    private static final Duration LONGEST = Duration.ofDays(3660);

    private final Sluice sluice;

    public RateLimitsEndpoint(Sluice sluice) {
        this.sluice = sluice;
    }

    @ReadOperation
    public Map<String, Object> inForce() {
        return EndpointAnswers.of(sluice);
    }

    /**
     * The standing of a client in each limit that counts its calls on this instance, or the limits of a plan.
     *
     * @param subject the subject that identifies the client, for example {@code tenant}; {@code plan} for a plan
     * @param client the subject's value or the client's name in the file; for a plan, the name of the plan
     */
    @ReadOperation
    public Object standing(@Selector String subject, @Selector String client) {
        try {
            if (subject.equals(ClientOverride.PLAN)) {
                return EndpointAnswers.plan(sluice, client);
            }
            return EndpointAnswers.standing(sluice, subject, client, keyOf(subject, client));
        } catch (IllegalArgumentException e) {
            return invalid(String.valueOf(e.getMessage()));
        }
    }

    /** The subject's value for a client. The client can also be specified by its name in the file. */
    private String keyOf(String subject, String client) {
        if (subject.equals(ClientOverride.PLAN)) {
            throw new IllegalArgumentException("a plan has no counts of its own; name one of its callers");
        }
        Set<String> known = sluice.limits().subjects().keySet();
        if (!known.contains(subject)) {
            throw new IllegalArgumentException("there is no subject " + subject + "; known subjects are "
                    + String.join(", ", known.stream().sorted().toList()));
        }
        return sluice.limits().keyOf(subject, client);
    }

    /**
     * Sets the limit of a client, or of all callers on a plan, at an endpoint. This limit replaces the tiers in the
     * file.
     *
     * @param endpoint the endpoint's id; {@code *} for all endpoints
     * @param tiers the new limit, for example {@code 5000/10s}, or a factor for the limits in the file, such as {@code
     *     x2}
     * @param lasts the duration of the limit, for example {@code 2h}. By default, the limit applies until it is removed
     * @param why the reason, for the history
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 has no other way to mark a parameter as optional
    public Object set(
            @Selector String subject,
            @Selector String client,
            String endpoint,
            String tiers,
            @org.springframework.lang.Nullable String lasts,
            @org.springframework.lang.Nullable String why,
            SecurityContext caller) {
        ClientOverride limit = new ClientOverride(subject, client, endpoint, tiers);
        return changed(() -> sluice.setLimit(limit, duration(lasts), by(caller), why == null ? "" : why), isNew -> {
            Map<String, Object> words = new LinkedHashMap<>();
            String key = sluice.withKey(limit).value();
            String name = sluice.limits().nameOf(subject, key);
            words.put(
                    "set",
                    CallerText.pair(subject, key) + (name == null ? "" : " (" + name + ")") + " at " + endpoint + ": "
                            + tiers);
            words.put(
                    "inForceWithinSeconds",
                    EndpointAnswers.wholeSeconds(sluice.refreshInterval().toMillis()));
            return words;
        });
    }

    /**
     * Gives a client more calls in the current windows of an endpoint. The calls can be made on all instances.
     *
     * @param what {@code give} to give the specified number of calls, or {@code reset} to give the number that the
     *     store currently counts as used. Any other value results in status 404
     * @param endpoint the endpoint's id; {@code *} for all endpoints
     * @param calls the number of calls; only with {@code give}
     * @param why the reason, for the history
     */
    @WriteOperation
    @SuppressWarnings("deprecation")
    public Object give(
            @Selector String subject,
            @Selector String client,
            @Selector String what,
            String endpoint,
            @org.springframework.lang.Nullable String calls,
            @org.springframework.lang.Nullable String why,
            SecurityContext caller) {
        boolean isReset = what.equals("reset");
        if (!isReset && !what.equals("give")) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        String reason = why == null ? "" : why;
        return changed(
                () -> {
                    ClientOverride receiver = new ClientOverride(subject, keyOf(subject, client), endpoint, "");
                    return isReset
                            ? sluice.reset(all(calls, receiver), by(caller), reason)
                            : sluice.give(receiver, some(calls), by(caller), reason);
                },
                given -> {
                    Map<String, Object> byCounter = new LinkedHashMap<>();
                    boolean isOne = !endpoint.equals(ClientOverride.ALL_ENDPOINTS);
                    given.forEach((key, number) -> byCounter.put(
                            (isOne ? "" : key.endpoint() + " ")
                                    + (key.method().equals("*") ? "" : key.method() + " ")
                                    + key.tier(),
                            number));
                    return Map.of("given", byCounter);
                });
    }

    private static ClientOverride all(@org.jspecify.annotations.Nullable String calls, ClientOverride receiver) {
        if (calls != null) {
            throw new IllegalArgumentException(
                    "reset gives back all used calls; to give a number of calls such as \"" + calls + "\", use give");
        }
        return receiver;
    }

    private static long some(@org.jspecify.annotations.Nullable String calls) {
        if (calls == null || !calls.matches("[1-9]\\d{0,17}")) {
            throw new IllegalArgumentException(
                    (calls == null ? "calls is missing" : "calls \"" + calls + "\" is not a " + "number from 1")
                            + "; write, for example, \"calls\": 500");
        }
        return Long.parseLong(calls);
    }

    /** Removes a limit that was set outside the file. */
    @DeleteOperation
    @SuppressWarnings("deprecation")
    public Object unset(
            @Selector String subject,
            @Selector String client,
            String endpoint,
            @org.springframework.lang.Nullable String why,
            SecurityContext caller) {
        ClientOverride limit = new ClientOverride(subject, client, endpoint, "");
        return changed(
                () -> sluice.unsetLimit(limit, by(caller), why == null ? "" : why), was -> Map.of("removed", was));
    }

    /**
     * Ends the blocks of a client on all instances.
     *
     * @param what {@code blocks}; any other value results in status 404
     * @param endpoint the id of the endpoint at which blocks end; by default, all of the client's blocks end
     */
    @DeleteOperation
    @SuppressWarnings("deprecation")
    public Object unblock(
            @Selector String subject,
            @Selector String client,
            @Selector String what,
            @org.springframework.lang.Nullable String endpoint) {
        if (!what.equals("blocks")) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        return changed(
                () -> {
                    CompletionStage<Integer> ended = CompletableFuture.completedFuture(0);
                    for (Block block : EndpointAnswers.blocks(sluice, subject, keyOf(subject, client), endpoint)) {
                        ended = ended.thenCombine(sluice.unblock(block.key()), (count, was) -> was ? count + 1 : count);
                    }
                    return ended;
                },
                count -> Map.of("unblocked", count));
    }

    /** Makes a change, and returns a response with its result or with an error. */
    private static <T> Object changed(Supplier<CompletionStage<T>> change, Function<T, Map<String, Object>> words) {
        try {
            return words.apply(change.get().toCompletableFuture().join());
        } catch (IllegalArgumentException | IllegalStateException e) {
            return invalid(String.valueOf(e.getMessage()));
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return new WebEndpointResponse<>(
                    Map.of("error", "nothing has changed: " + cause.getMessage()),
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private static Duration duration(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return Duration.ZERO;
        }
        Duration lasts = Durations.parse(text);
        if (lasts == null) {
            throw new IllegalArgumentException(
                    "lasts \"" + text + "\" is not a duration; write " + Durations.guess(text));
        }
        if (lasts.compareTo(Duration.ofMillis(1)) < 0 || lasts.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "lasts " + text + " is out of range; write a duration from 1ms to " + LONGEST.toDays() + "d");
        }
        return lasts;
    }

    private static String by(SecurityContext caller) {
        return caller.getPrincipal() == null ? "" : caller.getPrincipal().getName();
    }

    /** Returns the message in the body, because Spring Boot does not show exception messages. */
    static WebEndpointResponse<Map<String, Object>> invalid(String why) {
        return new WebEndpointResponse<>(Map.of("error", why), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
}
