package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one item of {@code tiers}.
 *
 * @param sync the default for tiers without a {@code sync}
 * @param zone the default for tiers without a {@code zone}
 * @param regionShare the fraction of each limit that applies in this region; 1 if each instance counts separately
 * @param whyNoBlock the message that explains why {@code block} cannot be used here; empty if it can be used
 */
public record TierSection(Sync sync, ZoneId zone, BigDecimal regionShare, String whyNoBlock) {

    private static final String EXAMPLE = "{ period: 10s, threshold: 1000 }";

    private static final Pattern CALLS = Pattern.compile("[1-9]\\d{0,11}");

    /** Returns a copy of this section for the tiers of one endpoint. */
    public TierSection at(BigDecimal share, String whyNoBlockThere) {
        return new TierSection(sync, zone, share, whyNoBlockThere);
    }

    public Shape<List<PositionedTier>> tiers() {
        return Shapes.listOf(
                Section.shape(TierSection::meant, EXAMPLE, this::read),
                TierSection::meant,
                "[ " + EXAMPLE + " ]",
                "write at least one tier, such as " + EXAMPLE);
    }

    /** Guesses which tier a rate or a bare number stands for; {@code null} if the value is neither. */
    private static @Nullable String meant(Value value) {
        // A bare number does not specify a period, so the hint uses the period of the example.
        if (value instanceof Text text
                && text.style() == Text.Style.PLAIN
                && CALLS.matcher(text.content()).matches()) {
            return "{ period: 10s, threshold: " + text.content() + " }";
        }
        WrittenRate rate = WrittenRate.of(value);
        return rate == null ? null : "{ period: " + rate.period() + ", threshold: " + rate.calls() + " }";
    }

    private @Nullable PositionedTier read(Section keys, Findings findings) {
        Limit limit = inThisRegion(LimitKeys.read(keys, zone), keys, findings);
        Overage overage = OverageKeys.read(keys, limit);
        Shape<Sync> own = limit != null && limit.isAlwaysStrict()
                ? SyncShape.strictOnly(sync, limit.algorithm().word())
                : SyncShape.of(sync);
        Sync sharing = keys.optional("sync", own, sync);
        BlockRule block = BlockKeys.read(keys, limit != null && !limit.hasPeriod(), whyNoBlock);
        return limit == null || !keys.isValid()
                ? null
                : new PositionedTier(new Tier(TierName.of(limit), limit, overage, sharing, block), keys.position());
    }

    private @Nullable Limit inThisRegion(@Nullable Limit limit, Section keys, Findings findings) {
        if (limit == null || !limit.isFleetWide() || regionShare.compareTo(BigDecimal.ONE) == 0) {
            return limit;
        }
        boolean isLessThanOne =
                regionShare.multiply(BigDecimal.valueOf(limit.threshold())).compareTo(BigDecimal.ONE) < 0;
        if (isLessThanOne) {
            findings.add(
                    ProblemCode.SHARE_BELOW_ONE,
                    keys.position(),
                    "regionShare " + regionShare + " of " + limit.threshold()
                            + " is less than one call and is rounded up to 1, so all regions together can admit "
                            + "more than " + limit.threshold() + " calls; raise the threshold");
        }
        return limit.times(regionShare);
    }
}
