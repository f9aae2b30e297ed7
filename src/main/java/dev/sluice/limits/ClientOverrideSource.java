package dev.sluice.limits;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where overrides come from. It is polled in the background, never by a request. While it fails, its last answer stays
 * in force, each override until its end.
 */
public interface ClientOverrideSource extends AutoCloseable {

    /** The most overrides that are used. */
    int MOST = 100_000;

    /**
     * Returns all overrides that have not ended; empty if nothing changed since the given version.
     *
     * @param version the version of the last answer; empty if there was none
     */
    CompletionStage<Optional<Overrides>> changedSince(String version);

    @Override
    default void close() {}

    /**
     * All overrides at one moment.
     *
     * @param version changes whenever the overrides change
     * @param notes for any of the overrides, when it ends and why it was set. While the source fails, an override ends
     *     at the time in its note
     * @param nowMillis the moment, by the clock that the notes use
     */
    record Overrides(
            String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes, long nowMillis) {

        public Overrides {
            limits = List.copyOf(limits);
            notes = Map.copyOf(notes);
        }

        /** Overrides without notes. */
        public Overrides(String version, List<ClientOverride> limits) {
            this(version, limits, Map.of());
        }

        /** Overrides whose notes use the clock of this machine. */
        public Overrides(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes) {
            this(version, limits, notes, System.currentTimeMillis());
        }

        /** When an override ends, in milliseconds since 1970; 0 if it has no end. */
        public long untilMillis(ClientOverride limit) {
            OverrideNote note = notes.get(limit);
            return note == null ? 0 : note.untilMillis();
        }
    }
}
