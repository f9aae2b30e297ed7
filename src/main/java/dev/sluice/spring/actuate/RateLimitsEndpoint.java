package dev.sluice.spring.actuate;

import dev.sluice.config.Sluice;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.convert.DurationStyle;

/**
 * The endpoint {@code ratelimits} of the actuator: what is in force, where a client stands, and, with write access, a
 * limit of its own for a client.
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
        return LimitsInWords.of(sluice);
    }

    /**
     * Where a client stands in each limit that this instance counts it in.
     *
     * @param subject what identifies the client, for example {@code tenant}
     * @param client which client it is
     */
    @ReadOperation
    public Object standing(@Selector String subject, @Selector String client) {
        if (!sluice.limits().subjects().containsKey(subject)) {
            return invalid("there is no subject " + subject + "; known are "
                    + String.join(
                            ", ",
                            sluice.limits().subjects().keySet().stream()
                                    .sorted()
                                    .toList()));
        }
        return LimitsInWords.standing(sluice, subject, client);
    }

    /**
     * Sets a limit of a client at an endpoint, in the place of what the file says, wherever limits of clients are kept.
     *
     * @param endpoint its id
     * @param tiers for example {@code 5000/10s}
     * @param lasts for how long, for example {@code 2h}; until it is removed if nothing is said
     * @param why the reason
     */
    @WriteOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows no other way to say that a parameter is optional
    public Object set(
            @Selector String subject,
            @Selector String client,
            String endpoint,
            String tiers,
            @org.springframework.lang.Nullable String lasts,
            @org.springframework.lang.Nullable String why,
            SecurityContext caller) {
        try {
            ClientOverride limit = new ClientOverride(subject, client, endpoint, tiers);
            sluice.setLimit(limit, duration(lasts), by(caller), why == null ? "" : why)
                    .toCompletableFuture()
                    .join();
        } catch (IllegalArgumentException | IllegalStateException e) {
            return invalid(String.valueOf(e.getMessage()));
        } catch (CompletionException e) {
            return failed(e);
        }
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("set", subject + ' ' + client + " at " + endpoint + ": " + tiers);
        words.put(
                "inForceWithinSeconds",
                LimitsInWords.wholeSeconds(sluice.refreshInterval().toMillis()));
        return words;
    }

    /** Removes such a limit. */
    @DeleteOperation
    public Object unset(@Selector String subject, @Selector String client, String endpoint) {
        try {
            boolean was = sluice.unsetLimit(new ClientOverride(subject, client, endpoint, ""))
                    .toCompletableFuture()
                    .join();
            return Map.of("removed", was);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return invalid(String.valueOf(e.getMessage()));
        } catch (CompletionException e) {
            return failed(e);
        }
    }

    private static Duration duration(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return Duration.ZERO;
        }
        try {
            Duration lasts = DurationStyle.detectAndParse(text);
            if (lasts.compareTo(Duration.ZERO) > 0 && lasts.compareTo(LONGEST) <= 0) {
                return lasts;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "lasts " + text + " is not a duration from 1ms to " + LONGEST.toDays() + "d");
    }

    private static String by(SecurityContext caller) {
        return caller.getPrincipal() == null ? "" : caller.getPrincipal().getName();
    }

    /** Not by an exception, whose message Spring Boot keeps to itself. */
    private static WebEndpointResponse<Map<String, Object>> invalid(String why) {
        return new WebEndpointResponse<>(Map.of("error", why), WebEndpointResponse.STATUS_BAD_REQUEST);
    }

    private static WebEndpointResponse<Map<String, Object>> failed(CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new WebEndpointResponse<>(
                Map.of("error", "the limit was not changed: " + cause.getMessage()),
                WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
    }
}
