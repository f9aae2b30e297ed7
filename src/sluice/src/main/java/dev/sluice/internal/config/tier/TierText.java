package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Zones;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses fixed-window tiers that are written as a single word, such as {@code 5000/10s}, {@code 100/1s,5000/10s} or
 * {@code 5000/month@Europe/Berlin}.
 */
public final class TierText {

    private static final int MOST_TIERS = 16;
    private static final Pattern TIER =
            Pattern.compile("(\\d{1,18})/([0-9A-Za-z]{1,20})(?:@([A-Za-z0-9/_+:-]{1,40}))?");

    private TierText() {}

    /**
     * Parses tiers.
     *
     * @param sync how instances share the counters of the tiers
     * @throws IllegalArgumentException if the text is invalid; the message is a clause that explains why
     */
    public static List<Tier> parse(String text, Sync sync) {
        List<Tier> tiers = new ArrayList<>();
        String[] words = text.split(",", MOST_TIERS + 1);
        if (words.length > MOST_TIERS) {
            throw new IllegalArgumentException("there are more than " + MOST_TIERS + " tiers");
        }
        for (String word : words) {
            Tier tier = tier(word, sync);
            if (tiers.stream().anyMatch(other -> other.name().equals(tier.name()))) {
                throw new IllegalArgumentException("two tiers have the period " + tier.name());
            }
            tiers.add(tier);
        }
        return List.copyOf(tiers);
    }

    private static Tier tier(String word, Sync sync) {
        Matcher matcher = TIER.matcher(word);
        Windows windows = matcher.matches() ? windows(word, matcher.group(2), matcher.group(3)) : null;
        if (windows == null) {
            throw new IllegalArgumentException(Quote.of(word)
                    + " is not a threshold and a period; write, for example, 5000/10s or 100/1s,5000/10s, or "
                    + "5000/month");
        }
        long threshold = Long.parseLong(matcher.group(1));
        if (threshold < 1 || threshold > Limit.MAX_THRESHOLD) {
            throw new IllegalArgumentException(
                    "the threshold of " + word + " must be from 1 to " + Limit.MAX_THRESHOLD);
        }
        Limit limit = new Limit.FixedWindow(threshold, windows);
        return new Tier(TierName.of(limit), limit, sync);
    }

    /** Returns the windows of a tier; {@code null} if the period is invalid. */
    private static @Nullable Windows windows(String word, String period, @Nullable String zone) {
        Unit unit = PeriodShape.unit(period);
        if (unit != null) {
            return Windows.every(unit, zone == null ? Zones.UTC : zone(zone));
        }
        Duration duration = Durations.parse(period);
        if (zone != null && duration != null) {
            throw new IllegalArgumentException("windows of " + period
                    + " begin at the same moment in all zones; leave out @" + zone + ", or write "
                    + word.replace(period + "@", PeriodShape.near(duration) + "@"));
        }
        if (duration != null && (duration.isZero() || duration.compareTo(Limit.MAX_PERIOD) > 0)) {
            throw new IllegalArgumentException(
                    "the period of " + word + " must be from 1ms to " + Durations.shortest(Limit.MAX_PERIOD));
        }
        return duration == null ? null : Windows.every(duration);
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(name + " is not a time zone; write one such as Europe/Paris", e);
        }
    }
}
