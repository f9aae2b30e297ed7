package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.tally.EndpointReport;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.cli.rehearse.tally.LogTally;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays calls to the limits in a file and, optionally, to a second file for comparison. Counts the outcomes. Not
 * thread-safe.
 */
public final class Rehearsal implements Consumer<LoggedCall>, AutoCloseable {

    private final Player player;
    private final MatchingEndpoints matching;
    private final LogTally tally;
    private final UnplayableLimits unplayable;
    private final @Nullable ComparedFile other;

    /**
     * Prepares a rehearsal.
     *
     * @param other the file to which the same calls are played for comparison; {@code null} if there is none
     */
    public Rehearsal(Limits limits, @Nullable ComparedFile other) {
        this.player = new Player(limits);
        this.matching = new MatchingEndpoints(limits);
        this.tally = new LogTally(limits);
        this.unplayable = new UnplayableLimits(limits);
        this.other = other;
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
    }

    /** Completes the counts. Must be called after the last call in the logs. */
    public void finish() {
        tally.finish();
    }

    /** Returns the counts so far. */
    public LogTally tally() {
        return tally;
    }

    /** Returns sentences that describe which decisions a service would make differently. */
    public List<String> unplayable() {
        return unplayable.sentences();
    }

    /** Returns the comparison with the other file; {@code null} if there is none. */
    public ComparedFile.@Nullable Result comparison() {
        return other == null ? null : other.result();
    }

    /** Returns a report for each endpoint whose calls a log can contain. Access logs never contain method calls. */
    public List<EndpointReport> endpoints() {
        return tally.endpoints().stream()
                .filter(one -> one.endpoint().on() == null)
                .map(EndpointTally::report)
                .toList();
    }

    @Override
    public void close() {
        player.close();
        matching.close();
        if (other != null) {
            other.close();
        }
    }
}
