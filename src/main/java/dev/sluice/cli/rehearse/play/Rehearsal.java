package dev.sluice.cli.rehearse.play;

import static java.util.Objects.requireNonNull;

import dev.sluice.Decision;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.EndpointReport;
import dev.sluice.cli.rehearse.tally.LogTally;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.limits.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays calls to the limits of a file, and to everything compared with it, and counts the outcomes. Not thread-safe.
 */
public final class Rehearsal implements Consumer<LoggedCall>, AutoCloseable {

    private final Player player;
    private final MatchingEndpoints matching;
    private final LogTally tally;
    private final UnplayableLimits unplayable;
    private final List<AlternativeLimits> alternatives;
    private final @Nullable AlternativesThread alternativesThread;
    private final @Nullable ComparedFile other;
    private final @Nullable FleetPlayer fleet;

    /**
     * Prepares a rehearsal.
     *
     * @param alternatives other limits for the same calls
     * @param other another file for the same calls; {@code null} if there is none
     * @param fleet several instances for the same calls; {@code null} if there is one instance only
     */
    public Rehearsal(
            Limits limits,
            List<AlternativeLimits> alternatives,
            @Nullable ComparedFile other,
            @Nullable FleetPlayer fleet) {
        this.player = new Player(limits);
        this.matching = new MatchingEndpoints(limits);
        this.tally = new LogTally(limits);
        this.unplayable = new UnplayableLimits(limits);
        this.alternatives = alternatives;
        this.other = other;
        this.fleet = fleet;
        this.alternativesThread = alternatives.isEmpty() ? null : new AlternativesThread(alternatives);
    }

    @Override
    public void accept(LoggedCall call) {
        unplayable.look(call);
        List<Decision> decisions = player.play(call);
        tally.add(call, player.nowMillis(), call.status(), call.charge(), decisions, matching.of(call, decisions));
        player.begunBlocks().forEach(begun -> tally.addBlock(begun.block()));
        if (other != null) {
            other.play(call, decisions);
        }
        if (fleet != null) {
            fleet.play(call, decisions);
        }
        if (alternativesThread != null) {
            alternativesThread.play(call);
        }
    }

    /** Call after the last call. */
    public void finish() {
        tally.finish();
        if (alternativesThread != null) {
            alternativesThread.finish();
        }
    }

    /** The counts so far. */
    public LogTally tally() {
        return tally;
    }

    /** Sentences on what a service would do differently. */
    public List<String> unplayable() {
        return unplayable.sentences();
    }

    /** {@code null} if there is no other file. */
    public ComparedFile.@Nullable Result comparison() {
        return other == null ? null : other.result();
    }

    /** {@code null} if there is one instance only. */
    public FleetPlayer.@Nullable Result instances() {
        return fleet == null ? null : fleet.result();
    }

    /** What the counts say about each endpoint whose calls a log contains. */
    public List<EndpointReport> endpoints() {
        return tally.endpoints().stream()
                .filter(one -> one.endpoint().on() == null)
                .map(one -> one.report(alternatives(one.endpoint().id())))
                .toList();
    }

    private Map<String, RefusalCount> alternatives(String endpoint) {
        Map<String, RefusalCount> refusals = new LinkedHashMap<>();
        for (AlternativeLimits alternative : alternatives) {
            RefusalCount count = requireNonNull(alternative.refusals().get(endpoint));
            alternative.names().forEach(name -> refusals.put(name, count));
        }
        return refusals;
    }

    @Override
    public void close() {
        player.close();
        matching.close();
        if (other != null) {
            other.close();
        }
        if (fleet != null) {
            fleet.close();
        }
        if (alternativesThread != null) {
            alternativesThread.close();
        }
    }
}
