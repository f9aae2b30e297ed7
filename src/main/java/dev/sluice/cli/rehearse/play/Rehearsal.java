package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.Tally;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plays calls to some limits, and counts what becomes of them. For one thread. */
public final class Rehearsal implements Consumer<LoggedCall>, AutoCloseable {

    private final Player player;
    private final MatchingEndpoints speakers;
    private final Tally tally;
    private final UnplayableLimits notPlayed;
    private final List<Alternative> alternatives;
    private final @Nullable AlternativesThread beside;
    private final @Nullable OtherFile other;
    private final @Nullable Fleet fleet;

    /**
     * Makes one.
     *
     * @param alternatives are played the same calls
     * @param other is compared; {@code null} if there is none
     * @param fleet is played the same calls; {@code null} if there is none
     */
    public Rehearsal(Limits limits, List<Alternative> alternatives, @Nullable OtherFile other, @Nullable Fleet fleet) {
        this.player = new Player(limits);
        this.speakers = new MatchingEndpoints(limits);
        this.tally = new Tally(limits);
        this.notPlayed = new UnplayableLimits(limits);
        this.alternatives = alternatives;
        this.other = other;
        this.fleet = fleet;
        this.beside = alternatives.isEmpty() ? null : new AlternativesThread(alternatives);
    }

    @Override
    public void accept(LoggedCall call) {
        notPlayed.look(call);
        List<Decision> said = player.play(call);
        tally.add(call, player.nowMillis(), call.status(), call.charge(), said, speakers.of(call, said));
        if (other != null) {
            other.play(call, said);
        }
        if (fleet != null) {
            fleet.play(call, said);
        }
        if (beside != null) {
            beside.play(call);
        }
    }

    /** There are no more calls. */
    public void finish() {
        tally.finish();
        if (beside != null) {
            beside.finish();
        }
    }

    /** What was counted so far. */
    public Tally tally() {
        return tally;
    }

    /** What a service would do that could not be played, in sentences. */
    public List<String> notPlayed() {
        return notPlayed.sentences();
    }

    /** The other file; {@code null} if there is none. */
    public @Nullable OtherFile other() {
        return other;
    }

    /** Several instances; {@code null} if there is one. */
    public @Nullable Fleet fleet() {
        return fleet;
    }

    public List<Alternative> alternatives() {
        return alternatives;
    }

    @Override
    public void close() {
        player.close();
        speakers.close();
        if (other != null) {
            other.close();
        }
        if (fleet != null) {
            fleet.close();
        }
        if (beside != null) {
            beside.close();
        }
    }
}
