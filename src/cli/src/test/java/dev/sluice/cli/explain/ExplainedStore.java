package dev.sluice.cli.explain;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.cli.Invocation;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A file of limits and a store, in which calls are counted and explained. */
record ExplainedStore(String file, String uri) {

    static ExplainedStore of(Path directory, String yaml, String uri) throws IOException {
        return new ExplainedStore(
                Files.writeString(directory.resolve("rate-limits.yml"), yaml).toString(), uri);
    }

    /** What is printed of a call of this tenant. */
    String explain(String path, String tenant, String... options) {
        List<String> all = new ArrayList<>(List.of("explain", file, "GET", path, "-H", "X-Org-Id: " + tenant));
        all.addAll(List.of(options));
        return Invocation.onStore(uri, all.toArray(String[]::new)).printed();
    }

    /** Calls, and waits until all of this is said of the next call. */
    void callUntilKnown(String path, int times, String... known) {
        try (Sluice one = Sluice.builder().config(file).store(uri).open()) {
            for (int i = 0; i < times; i++) {
                var unused = one.decide(TestCall.get(path).of("acme"));
            }
            List<String> printed = new ArrayList<>(List.of(""));
            Eventually.await(() -> Arrays.toString(known) + ", printed was " + printed, () -> {
                printed.set(0, explain(path, "acme"));
                return Arrays.stream(known).allMatch(printed.get(0)::contains);
            });
        }
    }

    /** An instance takes permits of {@code acme} at {@code a} ahead, and is killed before it has used them. */
    void holdAndDie(String instance, long permits) {
        long period = Duration.ofDays(360).toMillis();
        long start = System.currentTimeMillis() / period * period;
        Subject acme = new Subject("tenant", "header:X-Org-Id", "acme");
        CounterKey key = new CounterKey("a", "*", "360d", List.of(acme), start, start + period);
        try (CounterStore store = CounterStores.open(uri)) {
            exchangeInTheEnd(
                    store,
                    batch(instance, 1, statementOf(key, 10).holding(permits).leasedFor(Duration.ofMillis(1))));
        }
    }

    /** Sets a limit for {@code acme} at {@code a}, which has a fixed window of 10. */
    void assertShowsLimitsThatAreSet() {
        Invocation set = Invocation.of(
                "limits",
                "set",
                "acme",
                "a",
                "500/360d",
                "--for",
                "2h",
                "--why",
                "a sale",
                "--wait",
                "0s",
                "--config",
                file,
                "--store",
                uri);
        assertThat(set.err()).startsWith("warning: tenant=acme is not in clients");
        assertThat(explain("/a", "acme"))
                .contains("  set in the store: 500/360d, until 20", " by ", ": a sale\n")
                .contains("  tier 360d: 500 in 360d\n")
                .contains("now: 0 of 500 used");
        assertThat(explain("/a", "other")).contains("10 in 360d\n").doesNotContain("set in the store");
        Invocation everywhere =
                Invocation.of("limits", "set", "other", "*", "x2", "--wait", "0s", "--config", file, "--store", uri);
        assertThat(everywhere.exitCode()).as(everywhere.err()).isZero();
        assertThat(explain("/a", "other")).contains("  set in the store: x2", "20 in 360d\n");
    }
}
