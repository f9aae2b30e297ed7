package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.tier.SyncShape;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Sync;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code store} and {@code sync} keys. These keys define the store, and determine how instances share
 * counters. A store URI can contain a password, so messages hide passwords and options.
 */
public final class StoreSection {

    private static final String EXAMPLE = "{ uri: \"redis://localhost:6379\" }";

    private static final Shape<String> URI =
            Shapes.text("the URI of a store", "\"memory:\"").then(StoreSection::uri);

    private StoreSection() {}

    /**
     * The values of the two keys.
     *
     * @param uri the store URI; {@code null} if the file does not specify one
     * @param sharing the sharing options for all tiers
     * @param sync the default for tiers without a {@code sync}
     * @param onStart the policy for a store that does not respond at startup
     */
    public record Sharing(@Nullable String uri, SharingOptions sharing, Sync sync, StartPolicy onStart) {}

    public static Sharing read(Section file) {
        try (Section store = file.section("store", StoreSection::meant, EXAMPLE);
                Section sync = file.section("sync", StoreSection::syncMeant, "{ every: 1s, slack: 1% }")) {
            @Nullable String uri = store.optional("uri", URI);
            OnFailure onFailure =
                    store.optional("onFailure", Shapes.word(OnFailure.class), SharingOptions.DEFAULT.onFailure());
            int instances = Math.toIntExact(store.optional(
                    "instances", Shapes.wholeNumber(1, 10_000), (long) SharingOptions.DEFAULT.instances()));
            StartPolicy onStart = store.optional("onStart", StartPolicy.SHAPE, StartPolicy.GO_ON);
            Duration timeout = sync.optional(
                    "timeout",
                    Shapes.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
                    SharingOptions.DEFAULT.timeout());
            return new Sharing(
                    uri,
                    new SharingOptions(onFailure, timeout, instances),
                    SyncShape.pace(sync, Sync.DEFAULT),
                    onStart);
        }
    }

    /**
     * Suggests the map that a bare URI stands for. If the value is not a store URI, it might be a secret, so the
     * suggestion is only an example.
     */
    private static String meant(Value value) {
        if (!(value instanceof Text text) || CounterStores.problemWith(text.content()) != null) {
            return EXAMPLE;
        }
        int options = text.written().indexOf('?'); // options can contain a password
        return options < 0 || text.isSubstituted()
                ? "{ uri: " + text.asWritten() + " }"
                : "{ uri: " + Quote.of(text.written().substring(0, options + 1) + '…') + " }";
    }

    private static @Nullable String syncMeant(Value value) {
        if (!(value instanceof Text text)) {
            return null;
        }
        return text.content().equals("strict")
                ? "sync: strict in each tier that needs it"
                : Durations.parse(text.content()) == null ? null : "{ every: " + text.asWritten() + " }";
    }

    private static @Nullable String uri(Text text, Findings findings) {
        String problem = CounterStores.problemWith(text.content());
        return problem == null ? text.content() : findings.refuse(ProblemCode.UNKNOWN_STORE, text.position(), problem);
    }
}
