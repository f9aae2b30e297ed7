package dev.sluice.limits;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Knows limits of single clients that are not in the file. It is asked again and again in the background, never by a
 * request; while it fails, what it said last holds.
 */
public interface ClientOverrideSource extends AutoCloseable {

    /** So many limits are followed at most. */
    int MOST = 100_000;

    /**
     * Answers with all limits, or with nothing if they are those of the version that was answered last.
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
     */
    record Kept(String version, List<ClientOverride> limits) {

        public Kept {
            limits = List.copyOf(limits);
        }
    }
}
