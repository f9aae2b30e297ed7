package dev.sluice.store.operated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Who lives on a store: each instance writes there what it goes by, and writes it again before that expires. Requests
 * never come here. Safe for any threads.
 */
public interface Instances extends AutoCloseable {

    /** For so long an instance is believed to live that has not written again. */
    Duration LIFE = Duration.ofSeconds(20);

    /** The definitions of an instance that are longer are not written. */
    int LONGEST_DEFINITIONS = 1 << 20;

    /**
     * Tells of an instance, for {@link #LIFE}.
     *
     * @param definitions what it goes by, whose digest the report names; sent only if the store does not have it
     */
    CompletionStage<Boolean> write(InstanceReport report, String definitions);

    /** Tells that an instance ends. */
    CompletionStage<Boolean> leave(String name);

    /** All that live, up to ten thousand; what is garbled is left out. */
    CompletionStage<List<InstanceReport>> all();

    /** The same without their refusals, which are most of what there is to read where there are many instances. */
    CompletionStage<List<InstanceReport>> heads();

    /** The definitions with this digest, as instances wrote them; empty if they are gone. */
    CompletionStage<String> definitions(String digest);

    @Override
    void close();
}
