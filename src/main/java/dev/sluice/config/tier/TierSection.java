package dev.sluice.config.tier;

import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code tiers}.
 *
 * @param sync the default for tiers without one
 */
public record TierSection(Sync sync) {

    private static final String EXAMPLE = "{ period: 10s, threshold: 1000 }";

    private static final Pattern CALLS = Pattern.compile("[1-9]\\d{0,11}");

    public Shape<List<PositionedTier>> tiers() {
        return Shapes.listOf(
                Section.shape(TierSection::meant, EXAMPLE, this::read),
                TierSection::meant,
                "[ " + EXAMPLE + " ]",
                "write at least one tier, such as " + EXAMPLE);
    }

    /** The tier that is meant by a rate, or by a number of calls; {@code null} if the value is none. */
    private static @Nullable String meant(Value value) {
        if (value instanceof Text text
                && text.style() == Text.Style.PLAIN
                && CALLS.matcher(text.content()).matches()) {
            return "{ period: 10s, threshold: " + text.content() + " }";
        }
        WrittenRate rate = WrittenRate.of(value);
        return rate == null ? null : "{ period: " + rate.period() + ", threshold: " + rate.calls() + " }";
    }

    private @Nullable PositionedTier read(Section keys, Findings findings) {
        Limit limit = LimitKeys.read(keys);
        Overage overage = OverageKeys.read(keys, limit == null ? Limit.MAX_THRESHOLD : limit.capacity());
        Shape<Sync> own = limit != null && limit.isAlwaysStrict()
                ? SyncShape.strictOnly(sync, limit.algorithm().word())
                : SyncShape.of(sync);
        Sync sharing = keys.optional("sync", own, sync);
        return limit == null || !keys.isValid()
                ? null
                : new PositionedTier(new Tier(TierName.of(limit), limit, overage, sharing), keys.position());
    }
}
