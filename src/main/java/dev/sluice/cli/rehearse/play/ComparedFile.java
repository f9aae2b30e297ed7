package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.CallsByClient;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.limits.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays the calls to another file, and counts those that only one of the two files refuses. For one thread. */
public final class ComparedFile implements AutoCloseable {

    private final String name;
    private final Player player;
    private final CallsByClient byFirst = new CallsByClient();
    private final CallsByClient bySecond = new CallsByClient();
    private long both;
    private long onlyFirst;
    private long onlySecond;

    public ComparedFile(String name, Limits limits) {
        this.name = name;
        this.player = new Player(limits);
    }

    /**
     * Plays the call.
     *
     * @param first the decisions by the file that is rehearsed
     */
    void play(LoggedCall call, List<Decision> first) {
        Decision refusal = refusal(first);
        Decision here = refusal(player.play(call));
        if (refusal != null && here != null) {
            both++;
        } else if (refusal != null) {
            onlyFirst++;
            byFirst.add(refusal);
        } else if (here != null) {
            onlySecond++;
            bySecond.add(here);
        }
    }

    private static @Nullable Decision refusal(List<Decision> decisions) {
        for (Decision one : decisions) {
            if (RefusalCount.isRefusal(one)) {
                return one;
            }
        }
        return null;
    }

    public String name() {
        return name;
    }

    /** Calls that both refuse. */
    public long both() {
        return both;
    }

    /** Calls that only the rehearsed file refuses. */
    public long onlyFirst() {
        return onlyFirst;
    }

    /** Calls that only this file refuses. */
    public long onlySecond() {
        return onlySecond;
    }

    /** The clients whose calls only the rehearsed file refuses. */
    public CallsByClient byFirst() {
        return byFirst;
    }

    /** The clients whose calls only this file refuses. */
    public CallsByClient bySecond() {
        return bySecond;
    }

    @Override
    public void close() {
        player.close();
    }
}
