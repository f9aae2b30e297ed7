package dev.sluice.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed rate limit headers of a response. These are {@code Retry-After}, {@code x-ratelimit-*}, and the IETF
 * draft's {@code RateLimit} with {@code RateLimit-Policy}. The parameters proposed for the draft's next version and the
 * {@code ratelimit-*} headers of its earlier versions are also supported. Malformed headers are ignored.
 *
 * <pre>{@code
 * RateLimitHeaders limits = RateLimitHeaders.read(response.headers()::allValues, Instant.now());
 * if (limits.refusedFor() != null) {
 *     Thread.sleep(limits.refusedFor().toMillis());
 * }
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param retryAfter the wait that the server demands; {@code null} if it demands none
 * @param quotas the remaining calls of each limit; empty if unknown
 */
public record RateLimitHeaders(@Nullable Duration retryAfter, List<Quota> quotas) {

    /** The result for a response without rate limit headers. */
    public static final RateLimitHeaders NONE = new RateLimitHeaders(null, List.of());

    private static final Pattern SECONDS = Pattern.compile("(\\d{1,15})(\\.\\d{1,9})?");
    /**
     * Numbers at or above this value are interpreted as a point in time, in seconds or milliseconds since 1970. Smaller
     * numbers are interpreted as a wait in seconds. A wait of this many seconds would exceed thirty years.
     */
    private static final long LEAST_EPOCH_SECONDS = 1_000_000_000L;

    private static final long LEAST_EPOCH_MILLIS = 1_000_000_000_000L;
    private static final int LONGEST_VALUE = 8_192;

    public RateLimitHeaders {
        quotas = List.copyOf(quotas);
    }

    /**
     * The number of calls that remain under one limit.
     *
     * @param limit the number of calls that the limit allows; 0 if unknown
     * @param remaining the number of calls that remain
     * @param reset the time until all permits are available again
     */
    public record Quota(long limit, long remaining, Duration reset) {}

    /**
     * Reads the headers of a response. Never throws because of their content.
     *
     * @param values a function that returns all values of the header with a given name, for example
     *     {@code response.headers()::allValues}. It must ignore the case of the name, and never return {@code null}
     * @param now the time when the response arrived. It is used only if the response has no {@code Date} header,
     *     because this machine's clock can differ from the server's
     */
    public static RateLimitHeaders read(Function<String, List<String>> values, Instant now) {
        Instant date = moment(first(values, "Date"));
        Instant answered = date == null ? now : date;
        List<Quota> quotas = new ArrayList<>(draftQuotas(values));
        for (String prefix : List.of("x-ratelimit-", "ratelimit-")) {
            Long remaining = number(first(values, prefix + "remaining"));
            Duration reset = untilReset(first(values, prefix + "reset"), answered);
            // Envoy appends the policies: 10, 10;w=60
            Long limit =
                    number(first(values, prefix + "limit").split("[,;]", 2)[0].trim());
            if (remaining != null && reset != null) {
                quotas.add(new Quota(limit == null ? 0 : limit, remaining, reset));
            }
        }
        return new RateLimitHeaders(retryAfter(first(values, "Retry-After"), answered), quotas);
    }

    /**
     * Returns how long further calls will be refused: the time in {@code Retry-After}, or otherwise the time until all
     * exhausted limits are full again. {@code null} if the response contains neither.
     */
    public @Nullable Duration refusedFor() {
        return retryAfter != null
                ? retryAfter
                : quotas.stream()
                        .filter(quota -> quota.remaining == 0)
                        .map(Quota::reset)
                        .max(Comparator.naturalOrder())
                        .orElse(null);
    }

    private static String first(Function<String, List<String>> values, String name) {
        List<String> all = values.apply(name);
        return all.isEmpty() ? "" : all.get(0).trim();
    }

    private static @Nullable Long number(String text) {
        Matcher matcher = SECONDS.matcher(text);
        return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
    }

    /** Parses a number of seconds, and rounds it up. */
    private static @Nullable Long seconds(String text) {
        Long whole = number(text);
        return whole == null || text.indexOf('.') < 0 ? whole : Long.valueOf(whole + 1);
    }

    private static @Nullable Duration retryAfter(String text, Instant now) {
        Long seconds = seconds(text);
        if (seconds != null) {
            return Duration.ofSeconds(seconds);
        }
        Instant at = moment(text);
        return at == null ? null : since(now, at);
    }

    private static @Nullable Instant moment(String text) {
        try {
            return text.isEmpty()
                    ? null
                    : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable Duration untilReset(String text, Instant now) {
        Long seconds = seconds(text);
        if (seconds == null) {
            return null;
        }
        if (seconds < LEAST_EPOCH_SECONDS) {
            return Duration.ofSeconds(seconds);
        }
        return since(
                now, seconds < LEAST_EPOCH_MILLIS ? Instant.ofEpochSecond(seconds) : Instant.ofEpochMilli(seconds));
    }

    private static Duration since(Instant now, Instant later) {
        return later.isAfter(now) ? Duration.between(now, later) : Duration.ZERO;
    }

    // ---- RateLimit: "name";r=5;t=30 (proposed: "name";a=5;w=30) and RateLimit-Policy: "name";q=10;w=60

    private static List<Quota> draftQuotas(Function<String, List<String>> values) {
        Map<String, Map<String, String>> policies = new HashMap<>();
        for (Map<String, String> policy : items(values.apply("RateLimit-Policy"))) {
            policies.put(policy.getOrDefault("", ""), policy);
        }
        List<Quota> quotas = new ArrayList<>();
        for (Map<String, String> item : items(values.apply("RateLimit"))) {
            Map<String, String> policy = policies.getOrDefault(item.getOrDefault("", ""), Map.of());
            Long remaining = number(item.getOrDefault("r", item.getOrDefault("a", "")));
            // If the item does not state a time, the limit is full again within one window of the policy.
            Long reset = number(item.getOrDefault("t", item.getOrDefault("w", policy.getOrDefault("w", ""))));
            Long limit = number(policy.getOrDefault("q", ""));
            if (remaining != null && reset != null) {
                quotas.add(new Quota(limit == null ? 0 : limit, remaining, Duration.ofSeconds(reset)));
            }
        }
        return quotas;
    }

    /**
     * Splits a structured-field list into items. Each item is a map of its parameters by key. The key "" maps to the
     * item's own value.
     */
    private static List<Map<String, String>> items(List<String> values) {
        List<Map<String, String>> items = new ArrayList<>();
        for (String item : parts(String.join(",", values), ',')) {
            Map<String, String> parameters = new HashMap<>();
            for (String parameter : parts(item, ';')) {
                int equals = parameters.isEmpty() ? -1 : parameter.indexOf('=');
                parameters.putIfAbsent(
                        parameters.isEmpty() || equals < 0
                                ? ""
                                : parameter.substring(0, equals).trim(),
                        parameter.substring(equals + 1).trim());
            }
            items.add(parameters);
        }
        return items;
    }

    /** Splits a text at separators. Separators inside quotes do not split the text. */
    private static List<String> parts(String text, char sign) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        boolean quoted = false;
        for (int at = 0; at < Math.min(text.length(), LONGEST_VALUE); at++) {
            char c = text.charAt(at);
            if (quoted && c == '\\') {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == sign && !quoted) {
                parts.add(text.substring(from, at));
                from = at + 1;
            }
        }
        parts.add(text.substring(from));
        return parts.stream().map(String::trim).toList();
    }
}
