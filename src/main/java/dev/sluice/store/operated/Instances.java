package dev.sluice.store.operated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The instances of a store: each one writes a report there, and renews it before it expires. Requests never use this.
 * Safe for any threads.
 */
public interface Instances extends AutoCloseable {

    /** How long a report is valid. */
    Duration LIFE = Duration.ofSeconds(20);

    /** Longer texts of limits are not written. */
    int LONGEST_LIMITS = 1 << 20;

    /**
     * Writes a report, for {@link #LIFE}.
     *
     * @param limits its limits by the file, whose digest the report has; sent only if the store does not have them
     */
    CompletionStage<Boolean> write(InstanceReport report, String limits);

    /** Removes the report of an instance that ends. */
    CompletionStage<Boolean> leave(String name);

    /** All valid reports, up to ten thousand, without garbled ones. */
    CompletionStage<List<InstanceReport>> all();

    /** All reports without refusals, which are the largest part. */
    CompletionStage<List<InstanceReport>> heads();

    /** The limits of the file with this digest; empty if they are gone. */
    CompletionStage<String> limitsOfFile(String digest);

    @Override
    void close();
}
