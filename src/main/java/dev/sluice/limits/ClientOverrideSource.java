package dev.sluice.limits;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A source of limits for single clients outside the file. It is polled in the background, never by a request. While it
 * fails, its last answer stays in force, each limit until its end.
 */
public interface ClientOverrideSource extends AutoCloseable {

    /** The most limits that are used. */
    int MOST = 100_000;

    /**
     * Returns all limits that have not ended; empty if nothing changed since the given version.
     *
     * @param version the version of the last answer; empty if there was none
     */
    CompletionStage<Optional<Kept>> changedSince(String version);

    @Override
    default void close() {}

    /**
     * All limits at one moment.
     *
     * @param version changes whenever the limits change
     * @param notes for any of the limits, when it ends and why it was set. While the source fails, a limit ends at the
     *     time in its note
     * @param nowMillis the moment, by the clock that the notes use
     */
    record Kept(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes, long nowMillis) {

        public Kept {
            limits = List.copyOf(limits);
            notes = Map.copyOf(notes);
        }

        /** Limits without notes. */
        public Kept(String version, List<ClientOverride> limits) {
            this(version, limits, Map.of());
        }

        /** Limits whose notes use the clock of this machine. */
        public Kept(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes) {
            this(version, limits, notes, System.currentTimeMillis());
        }

        /** When a limit ends, in milliseconds since 1970; 0 if it has no end. */
        public long untilMillis(ClientOverride limit) {
            OverrideNote note = notes.get(limit);
            return note == null ? 0 : note.untilMillis();
        }
    }
}
