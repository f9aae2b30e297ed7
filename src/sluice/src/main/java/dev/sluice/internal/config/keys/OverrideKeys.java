package dev.sluice.internal.config.keys;

import dev.sluice.Cost;
import dev.sluice.Mode;
import dev.sluice.internal.config.tier.PositionedTier;
import dev.sluice.internal.config.tier.TierChecks;
import dev.sluice.internal.config.tier.TierSection;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.limits.Client;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the four keys that define the limits of a client or a plan: {@code exempt}, {@code multiply}, {@code mode} and
 * {@code endpoints}.
 */
public final class OverrideKeys {

    private static final String TIERS_EXAMPLE = "{ get-product: [ { period: 10s, threshold: 5000 } ] }";
    private static final String IDLE =
            "an exempt client is never refused, so this key has no effect; remove it, or remove exempt";

    private static final Pattern FACTOR_WITH_UNIT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)\\s*([xX%])");

    private static final Shape<BigDecimal> FACTOR =
            Shapes.number(Client.LEAST_MULTIPLE, Client.MOST_MULTIPLE, OverrideKeys::factorMeant, "10 or 0.5");

    private final Map<String, Cost> costs;
    private final Set<String> openIds;
    private final TierSection tiersOfFile;
    private final Map<String, BigDecimal> regionShares;
    private final Map<String, String> whyNoBlocks;

    /**
     * Creates a reader for these keys in one file.
     *
     * @param costs the cost of a call, by the id of each endpoint in the file
     * @param openIds the endpoint ids that messages can show without revealing a secret
     * @param regionShares the fraction of the limits that applies in this region, by the id of each endpoint
     * @param whyNoBlocks the messages that explain why {@code block} cannot be used, by the id of each endpoint. A
     *     message is empty if {@code block} can be used
     * @param zone the time zone of calendar periods without a {@code zone}
     */
    public OverrideKeys(
            Map<String, Cost> costs,
            Set<String> openIds,
            Map<String, BigDecimal> regionShares,
            Map<String, String> whyNoBlocks,
            Sync syncOfFile,
            ZoneId zone) {
        this.costs = costs;
        this.openIds = openIds;
        this.regionShares = regionShares;
        this.whyNoBlocks = whyNoBlocks;
        this.tiersOfFile = new TierSection(syncOfFile, zone, BigDecimal.ONE, "");
    }

    /** The values of the four keys. */
    record Overrides(
            boolean exempt, BigDecimal multiply, @Nullable Mode mode, Map<String, List<Tier>> endpoints) {}

    Overrides read(Section keys) {
        boolean exempt = keys.optional("exempt", Shapes.trueOrFalse(), false);
        BigDecimal multiply = exempt ? BigDecimal.ONE : keys.optional("multiply", FACTOR, BigDecimal.ONE);
        Mode mode = exempt ? null : keys.optional("mode", Shapes.word(Mode.class));
        Map<String, List<Tier>> own = exempt ? Map.of() : keys.optional("endpoints", this::tiers, Map.of());
        if (exempt) {
            List.of("multiply", "mode", "endpoints").forEach(key -> keys.misplaced(key, IDLE));
        }
        List.of("tiers", "threshold", "period").forEach(key -> keys.mistaken(key, belowEndpoints()));
        return new Overrides(exempt, multiply, mode, own);
    }

    private String belowEndpoints() {
        return "a client's tiers belong under the id of an endpoint; write, for example, endpoints: { " + anEndpoint()
                + ": [ { period: 10s, threshold: 5000 } ] }";
    }

    private String anEndpoint() {
        return openIds.stream().sorted().findFirst().orElse("get-product");
    }

    /**
     * Guesses which factor a text denotes, for example {@code 10} for {@code 10x}, or {@code 1.5} for {@code 150%}.
     * Returns {@code null} if there is no guess.
     */
    private static @Nullable String factorMeant(Text text) {
        Matcher factor = FACTOR_WITH_UNIT.matcher(text.content());
        if (text.isSubstituted() || !factor.matches()) {
            return null;
        }
        BigDecimal number = new BigDecimal(factor.group(1));
        BigDecimal meant = factor.group(2).equals("%") ? number.movePointLeft(2) : number;
        return meant.stripTrailingZeros().toPlainString();
    }

    private @Nullable Map<String, List<Tier>> tiers(Value value, Findings findings) {
        Value.Fields map = Shapes.map(TIERS_EXAMPLE).read(value, findings);
        if (map == null) {
            return null;
        }
        Map<String, List<Tier>> own = new HashMap<>();
        // An array, because the lambda modifies it.
        boolean[] sound = {true};
        map.fields().forEach((id, field) -> {
            TierSection tiers =
                    tiersOfFile.at(regionShares.getOrDefault(id, BigDecimal.ONE), whyNoBlocks.getOrDefault(id, ""));
            List<PositionedTier> read = tiers.tiers().read(field.value(), findings);
            if (!costs.containsKey(id)) {
                findings.add(
                        ProblemCode.UNKNOWN_ENDPOINT,
                        field.keyPosition(),
                        Quote.of(id) + " is not an endpoint of this file; " + hint(id));
            }
            if (read == null) {
                sound[0] = false;
            } else {
                TierChecks.check(read, findings);
                Cost cost = costs.getOrDefault(id, Cost.ONE);
                TierChecks.checkCost(cost, CostShape.usual(cost), read, findings);
                own.put(id, read.stream().map(PositionedTier::tier).toList());
            }
        });
        return sound[0] ? own : null;
    }

    private String hint(String id) {
        String guess = Nearest.to(id, openIds);
        return guess != null
                ? "did you mean " + Quote.of(guess) + "?"
                : "write the id of one, such as " + Quote.of(anEndpoint());
    }
}
