package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.instance.reload.LimitsInForce;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a changed file leads to another store at the next start, the log says so, and only then. */
class OtherStoreTest {

    private static final String REST =
            "endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 1h, threshold: 1 } ] } ]";

    private final RecordingLogger log = new RecordingLogger();

    /** With {@code none}, neither a default nor the file names a store. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
        # by default | at the start  | now           | is another
        none          | none          | none          | false
        none          | none          | memory:       | false
        none          | memory:       | none          | false
        none          | none          | redis://127.0.0.1:1 | true
        none          | redis://127.0.0.1:1 | none    | true
        none          | redis://127.0.0.1:1 | redis://127.0.0.1:2 | true
        none          | redis://127.0.0.1:1 | redis://127.0.0.1:1 | false
        redis://127.0.0.1:1 | none    | none          | false
        redis://127.0.0.1:1 | none    | memory:       | true
        redis://127.0.0.1:1 | memory: | none          | true
        redis://127.0.0.1:1 | none    | redis://127.0.0.1:1 | false
        redis://127.0.0.1:1 | memory: | memory:       | false
        """)
    void isWhatTheNextStartWouldOpen(
            @Nullable String byDefault, @Nullable String atStart, @Nullable String now, boolean isAnother) {
        Settings settings = new Settings();
        settings.source = file(atStart);
        settings.defaultStore = () -> byDefault;
        assertThat(leadsToOther(settings, now)).isEqualTo(isAnother);
    }

    @Test
    void isNoneWhereTheApplicationHasChosenTheStore() {
        Settings settings = new Settings();
        settings.source = file("memory:");
        settings.storeUri = "memory:";
        assertThat(leadsToOther(settings, "redis://127.0.0.1:1")).isFalse();
    }

    @Test
    void isReportedOnceTheFileIsInForce() {
        LimitsFile file = file(null).load();
        new LimitsInForce(log, file, now -> true, limits -> {}, RateLimitListener.NONE).follow(file);
        assertThat(log.entries())
                .singleElement()
                .asString()
                .contains("names a different store, which the next start will use. "
                        + "All other changes are in force now.");
    }

    private boolean leadsToOther(Settings settings, @Nullable String now) {
        OpenedResources opened = OpenedResources.open(settings, log);
        try {
            return opened.leadsToOtherStore().test(file(now).load());
        } finally {
            CounterStore store = opened.store();
            if (store != null) {
                store.close();
            }
        }
    }

    private static GivenFile file(@Nullable String store) {
        return new GivenFile((store == null ? "" : "store: { uri: \"" + store + "\" }\n") + REST);
    }
}
