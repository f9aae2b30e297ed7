package dev.sluice.internal.instance.status;

import dev.sluice.Block;
import dev.sluice.Subject;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.OverrideNote;
import dev.sluice.limits.Standing;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of callers for the page and the actuator. The component names are the names in the JSON. */
public final class ShownState {

    private static final OverrideNote NO_NOTE = new OverrideNote(0, 0, "", "");

    private ShownState() {}

    /**
     * A blocked caller.
     *
     * @param called the caller's display name; {@code null} if it has none
     * @param tier the tier's name
     * @param inARow 1 for the first block, 2 for the next block if it follows soon, and so on
     * @param cause the reason why the block began, for example {@code 20 refusals within 1m by 10 in 1m}; {@code null}
     *     if unknown
     */
    public record BlockedCaller(
            @Nullable String called,
            List<Subject> caller,
            String endpoint,
            String method,
            String tier,
            Instant since,
            Instant until,
            int inARow,
            @Nullable String cause) {

        public static BlockedCaller of(Block block, CallerNames names) {
            String name = names.of(block.key().subjects());
            return new BlockedCaller(
                    name.isEmpty() ? null : name,
                    block.key().subjects(),
                    block.key().endpoint(),
                    block.key().method(),
                    block.key().tier(),
                    Instant.ofEpochMilli(block.sinceMillis()),
                    Instant.ofEpochMilli(block.untilMillis()),
                    block.number(),
                    block.cause() == null ? null : text(block.cause()));
        }
    }

    /** The reason why a block began, for example {@code 20 refusals within 1m by 10 in 1m}. */
    public static String text(Block.Cause cause) {
        return TierNotation.refusals(cause.refusals(), Duration.ofMillis(cause.withinMillis())) + " by "
                + TierNotation.allowance(cause.threshold(), Duration.ofMillis(cause.periodMillis()));
    }

    /**
     * A limit that an operator has set outside the file. If known, includes when, by whom and why the limit was set,
     * and when it expires.
     *
     * @param called the client's display name; {@code null} if it has none
     * @param endpoint the endpoint's id; {@code *} for all endpoints
     * @param limit the limit, for example {@code 5000 in 10s} or {@code x2}
     * @param tiers the tiers, with the same keys as in the file; {@code null} if the limit is a factor
     */
    public record OverriddenLimit(
            @Nullable String called,
            String subject,
            String client,
            String endpoint,
            String limit,
            @Nullable List<Map<String, Object>> tiers,
            @Nullable Instant setAt,
            @Nullable String by,
            @Nullable String why,
            @Nullable Instant until) {

        /** A client's limits, with one entry per endpoint. */
        public static List<OverriddenLimit> of(Client client, Map<Client, OverrideNote> notes, Limits limits) {
            Map.Entry<String, List<String>> who =
                    client.who().entrySet().iterator().next();
            OverrideNote note = notes.getOrDefault(client, NO_NOTE);
            Map<String, List<Tier>> endpoints =
                    client.endpoints().isEmpty() ? Map.of(ClientOverride.ALL_ENDPOINTS, List.of()) : client.endpoints();
            return endpoints.entrySet().stream()
                    .map(there -> new OverriddenLimit(
                            who.getValue().size() == 1
                                    ? limits.nameOf(who.getKey(), who.getValue().get(0))
                                    : null,
                            who.getKey(),
                            String.join(", ", who.getValue()),
                            there.getKey(),
                            there.getValue().isEmpty()
                                    ? "x" + client.multiply().toPlainString()
                                    : TierNotation.text(there.getValue()),
                            there.getValue().isEmpty()
                                    ? null
                                    : there.getValue().stream()
                                            .map(TierNotation::words)
                                            .toList(),
                            time(note.setMillis()),
                            note.by().isEmpty() ? null : note.by(),
                            note.why().isEmpty() ? null : note.why(),
                            time(note.untilMillis())))
                    .toList();
        }

        private static @Nullable Instant time(long millis) {
            return millis == 0 ? null : Instant.ofEpochMilli(millis);
        }
    }

    /**
     * A caller's standing under one limit.
     *
     * @param tier the tier that applies to the caller, with the same keys as in the file
     * @param foundBy the source that identifies the caller; {@code null} if the limit counts all callers together
     * @param capacity the number of calls that can pass immediately after an idle period
     * @param remaining the number of calls that would be admitted now
     * @param resetAt the end of the window, or the time at which the full limit is available again
     */
    public record CallerStanding(
            String endpoint,
            String method,
            @Nullable String foundBy,
            Map<String, Object> tier,
            long capacity,
            long remaining,
            Instant resetAt) {

        public static CallerStanding of(Standing standing, List<Subject> caller, long nowMillis) {
            return new CallerStanding(
                    standing.endpoint(),
                    standing.method(),
                    caller.isEmpty()
                            ? null
                            : caller.stream().map(Subject::source).collect(Collectors.joining(", ")),
                    TierNotation.words(standing.tier()),
                    standing.tier().limit().capacity(),
                    standing.remaining(),
                    Instant.ofEpochMilli(nowMillis + standing.resetAfterMillis()));
        }
    }
}
