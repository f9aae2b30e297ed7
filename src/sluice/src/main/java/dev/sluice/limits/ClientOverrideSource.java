package dev.sluice.limits;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A source of overrides that do not come from the store. Register it with {@code
 * Sluice.builder().overrideSource(source)}. Sluice polls it on a background thread, never on a request thread. While
 * the source is failing, its last overrides stay in force. Each override still expires on time. Must be thread-safe.
 */
public interface ClientOverrideSource extends AutoCloseable {

    /** The maximum number of overrides that Sluice uses. */
    int MOST = 100_000;

    /**
     * Returns all overrides that have not expired, or empty if they have not changed since this version.
     *
     * @param version the version of the last returned overrides; the empty string on the first call
     */
    CompletionStage<Optional<Overrides>> changedSince(String version);

    @Override
    default void close() {}

    /**
     * All overrides at one moment. Immutable and thread-safe.
     *
     * @param version a text that changes whenever the overrides change
     * @param limits the overrides
     * @param notes the notes on overrides, which state when an override expires and why it was set. An override does
     *     not need a note. While the source is failing, each override expires at the time in its note
     * @param nowMillis the time of this snapshot, measured by the clock that the notes use
     */
    record Overrides(
            String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes, long nowMillis) {

        public Overrides {
            limits = List.copyOf(limits);
            notes = Map.copyOf(notes);
        }

        /** Creates overrides without notes. */
        public Overrides(String version, List<ClientOverride> limits) {
            this(version, limits, Map.of());
        }

        /** Creates overrides whose notes use this machine's clock. */
        public Overrides(String version, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes) {
            this(version, limits, notes, System.currentTimeMillis());
        }

        /** Returns when an override expires, in milliseconds since 1970; 0 if it does not expire. */
        public long untilMillis(ClientOverride limit) {
            OverrideNote note = notes.get(limit);
            return note == null ? 0 : note.untilMillis();
        }
    }
}
