package dev.sluice.limits;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Knows limits of single clients that are not in the file. It is asked again and again in the background, never by a
 * request; while it fails, what it said last holds, each limit until its end.
 */
public interface ClientOverrideSource extends AutoCloseable {

    /** So many limits are followed at most. */
    int MOST = 100_000;

    /**
     * Answers with all limits that have not ended, or with nothing if they are those of the version that was answered
     * last.
     *
     * @param version of the last answer; empty if there was none
     */
    CompletionStage<Optional<Kept>> changedSince(String version);

    @Override
    default void close() {}

    /**
     * All limits of one moment.
     *
     * @param version is another whenever the limits are others
     * @param notes what is told of them; of each limit, or of some, or of none. While the source fails, a limit ends when
     *     its note says so
     * @param nowMillis that moment, by the clock of the notes
     */
    record Kept(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes, long nowMillis) {

        public Kept {
            limits = List.copyOf(limits);
            notes = Map.copyOf(notes);
        }

        /** Limits of which nothing is told. */
        public Kept(String version, List<ClientOverride> limits) {
            this(version, limits, Map.of());
        }

        /** Limits that end by the clock of this machine. */
        public Kept(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes) {
            this(version, limits, notes, System.currentTimeMillis());
        }

        /** When a limit ends, in milliseconds since 1970; 0 if it does not by itself. */
        public long untilMillis(ClientOverride limit) {
            OverrideNote note = notes.get(limit);
            return note == null ? 0 : note.untilMillis();
        }
    }
}
