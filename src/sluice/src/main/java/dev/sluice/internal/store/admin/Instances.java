package dev.sluice.internal.store.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The instances that use a store. Each instance writes a report about itself, and renews it before it expires. Requests
 * never wait for these operations. Thread-safe.
 */
public interface Instances extends AutoCloseable {

    /** How long a report is valid. */
    Duration LIFE = Duration.ofSeconds(20);

    /** The maximum length, in characters, of the limits that an instance stores. */
    int LONGEST_LIMITS = 1 << 20;

    /**
     * Writes a report. The report is valid for {@link #LIFE}.
     *
     * @param limits the limits in the file; sent only if the store does not already contain limits with the digest in
     *     the report
     */
    CompletionStage<Boolean> write(InstanceReport report, String limits);

    /** Removes the report of an instance that is shutting down. */
    CompletionStage<Boolean> leave(String name);

    /** All valid reports, up to ten thousand. Skips malformed reports. */
    CompletionStage<List<InstanceReport>> all();

    /** All valid reports without their refusals. Refusals account for most of a report's size. */
    CompletionStage<List<InstanceReport>> heads();

    /** The limits with the given digest; empty if they have expired. */
    CompletionStage<String> limitsOfFile(String digest);

    @Override
    void close();
}
