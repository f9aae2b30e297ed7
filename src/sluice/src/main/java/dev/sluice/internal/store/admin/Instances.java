package dev.sluice.internal.store.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The instances of a store. Each writes a report, and renews it before it expires. No request waits for this.
 * Thread-safe.
 */
public interface Instances extends AutoCloseable {

    /** How long a report is valid. */
    Duration LIFE = Duration.ofSeconds(20);

    /** The maximum length of the limits that are written, in characters. */
    int LONGEST_LIMITS = 1 << 20;

    /**
     * Writes a report, which is valid for {@link #LIFE}.
     *
     * @param limits the limits of the file whose digest is in the report; sent only if the store does not have them
     */
    CompletionStage<Boolean> write(InstanceReport report, String limits);

    /** Removes the report of an instance that ends. */
    CompletionStage<Boolean> leave(String name);

    /** All valid reports, at most ten thousand. Skips malformed ones. */
    CompletionStage<List<InstanceReport>> all();

    /** All valid reports without refusals, which are the largest part. */
    CompletionStage<List<InstanceReport>> heads();

    /** The limits of the file with this digest; empty if they have expired. */
    CompletionStage<String> limitsOfFile(String digest);

    @Override
    void close();
}
