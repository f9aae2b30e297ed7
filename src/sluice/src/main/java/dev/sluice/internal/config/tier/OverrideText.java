package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed text of an override. It contains either tiers that replace those of one endpoint, or a factor that
 * multiplies the endpoint's limits. An override for all endpoints must be a factor.
 *
 * @param tiers the tiers that replace the endpoint's tiers; empty if the text is a factor
 * @param factor the factor that multiplies the limits; 1 if the text contains tiers
 */
public record OverrideText(List<Tier> tiers, BigDecimal factor) {

    /** A factor, such as {@code x2}, {@code 2x} or {@code 150%}. */
    private static final Pattern FACTOR =
            Pattern.compile("[xX](\\d{1,7}(?:\\.\\d{1,3})?)|(\\d{1,7}(?:\\.\\d{1,3})?)([xX%])");

    /** The pattern of a text that is probably meant as a factor. */
    private static final Pattern LIKE_A_FACTOR = Pattern.compile("[xX*\u00d7][^/]*|[-+.]?\\d[^/]*[xX%*\u00d7]");

    /**
     * Parses the text of an override.
     *
     * @param sync how instances share the counters of the tiers
     * @throws IllegalArgumentException if the text is invalid; the message is a clause that explains why
     */
    public static OverrideText parse(ClientOverride limit, Sync sync) {
        Matcher factor = FACTOR.matcher(limit.tiers());
        if (factor.matches()) {
            return new OverrideText(List.of(), inBounds(limit.tiers(), number(factor)));
        }
        if (LIKE_A_FACTOR.matcher(limit.tiers()).matches()) {
            throw noFactor(limit.tiers());
        }
        List<Tier> tiers = TierText.parse(limit.tiers(), sync);
        if (limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS)) {
            throw new IllegalArgumentException("a limit for all endpoints must be a factor, such as x2; "
                    + limit.tiers() + " can be set only for a single endpoint");
        }
        return new OverrideText(tiers, BigDecimal.ONE);
    }

    private static BigDecimal number(Matcher factor) {
        BigDecimal number = new BigDecimal(factor.group(1) != null ? factor.group(1) : factor.group(2));
        return "%".equals(factor.group(3)) ? number.movePointLeft(2) : number;
    }

    private static BigDecimal inBounds(String text, BigDecimal factor) {
        if (factor.compareTo(Client.LEAST_MULTIPLE) < 0 || factor.compareTo(Client.MOST_MULTIPLE) > 0) {
            throw noFactor(text);
        }
        return factor.stripTrailingZeros();
    }

    private static IllegalArgumentException noFactor(String text) {
        return new IllegalArgumentException(Quote.of(text) + " is not a factor from " + Client.LEAST_MULTIPLE + " to "
                + Client.MOST_MULTIPLE + ", with at most 3 decimal places; write, for example, x2, 1.5x or 150%");
    }

    /** Whether the override multiplies the limits instead of replacing them. */
    public boolean isFactor() {
        return tiers.isEmpty();
    }

    /** Converts the override to a client for the limiter. See {@link dev.sluice.limits.Limits#overrides}. */
    public Client client(ClientOverride limit, String key) {
        Map<String, List<Tier>> endpoints =
                limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS) ? Map.of() : Map.of(limit.endpoint(), tiers);
        return new Client(Map.of(limit.subject(), List.of(key)), false, factor, null, endpoints);
    }
}
