package dev.sluice.cli.fleet;

import dev.sluice.Block;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.instance.status.ShownState;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import java.util.Comparator;
import java.util.List;

/** Finds the blocked callers in a store, and describes them. */
public final class BlockedCallers {

    private static final int LONGEST_CALLER = 300;
    private static final int LONGEST_WORD = 200;

    private BlockedCallers() {}

    /** Returns the callers that are currently blocked. The block that ends last comes first. */
    public static List<Block> of(StoreConnection store, CallerFilter filter, long nowMillis) {
        return store.blocks(BlockStore::all).stream()
                .filter(block -> block.isInForce(nowMillis) && filter.takes(block.key()))
                .sorted(Comparator.comparingLong(Block::untilMillis).reversed().thenComparing(Block::key))
                .toList();
    }

    /**
     * Returns a line for each block of a client, at one endpoint or at all endpoints. An operator who changes a limit
     * must be told about blocks, because a blocked caller is refused regardless of the limit.
     */
    public static List<String> notes(StoreConnection store, ClientOverride client, long nowMillis) {
        boolean isForAll = client.endpoint().equals(ClientOverride.ALL_ENDPOINTS);
        return of(store, CallerFilter.ALL, nowMillis).stream()
                .filter(block -> isForAll || block.key().endpoint().equals(client.endpoint()))
                .filter(block -> block.key().subjects().stream()
                        .anyMatch(subject -> subject.name().equals(client.subject())
                                && subject.value().equals(SubjectKey.ofNamed(client.value()))))
                .map(block -> "The client is still blocked: " + line(block) + ' ' + end(block, nowMillis)
                        + "; end this with sluice limits unblock")
                .toList();
    }

    /** Describes a blocked caller, for example {@code tenant=acme login 1m}. Control characters are escaped. */
    public static String line(Block block) {
        return line(block, List.of());
    }

    /**
     * Describes a blocked caller, with the display names of clients in parentheses.
     *
     * @param known the files in force, which contain display names
     */
    public static String line(Block block, List<FollowedFile> known) {
        String who = CallerText.of(
                block.key().subjects(),
                subject -> CallerText.quoted(subject.value())
                        + CallerText.byAddress(subject)
                        + FollowedFile.displayName(known, subject.name(), subject.value()));
        String method = block.key().method().equals("*") ? "" : block.key().method() + " ";
        return SafeText.cut(who, LONGEST_CALLER)
                + ' '
                + SafeText.cut(method + block.key().endpoint(), LONGEST_WORD)
                + ' '
                + SafeText.cut(block.key().tier(), LONGEST_WORD);
    }

    /**
     * Describes the cause of a block, for example {@code 20 refusals within 1m by 10 in 1m}; a dash if the cause is
     * unknown.
     */
    public static String cause(Block block) {
        return block.cause() == null ? "-" : ShownState.text(block.cause());
    }

    /** Describes the end of a block, for example {@code until 2026-11-23T13:00:00Z (14m 3s), block 2 in a row}. */
    public static String end(Block block, long nowMillis) {
        return "until " + TimeText.moment(block.untilMillis()) + " (" + TimeText.span(block.untilMillis() - nowMillis)
                + ")" + (block.number() > 1 ? ", block " + block.number() + " in a row" : "");
    }
}
