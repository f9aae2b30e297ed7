package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.tier.Limit;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events of the exchange with the store that a listener receives. */
class ListenerEventsTest {

    private static final Limit HUNDRED = CallPattern.window(100, "PT1H");

    private final ManualSynchroniser instance = new ManualSynchroniser(HUNDRED);

    @AfterEach
    void close() {
        instance.close();
    }

    private List<String> heard(String... beginnings) {
        return instance.heard.take().stream()
                .filter(told -> Stream.of(beginnings).anyMatch(told::startsWith))
                .toList();
    }

    @Test
    void ofAnExchangeWhoWaitedForItAndWhatItBrought() {
        instance.call("acme");
        assertThat(instance.heard.take())
                .containsExactly("exchange of 1, awaited 1, granted 1, 0 ms", "waited 0 ms", "ADMITTED");
        instance.exchangeNanos = 3 * ManualSynchroniser.MILLI;
        instance.call("globex");
        assertThat(heard("exchange")).allMatch(told -> told.endsWith(" 3 ms"));
    }

    @Test
    void thatTheStoreIsUnavailableAndBackOnceEach() {
        instance.call("acme");
        instance.pass(1_000);
        var unused = instance.heard.take();
        instance.failing = true;
        instance.call("acme");
        instance.pass(3_000);
        List<String> told = instance.heard.take();
        assertThat(told).filteredOn(one -> one.startsWith("failed 1: ")).hasSizeGreaterThan(3);
        assertThat(told).filteredOn(one -> one.startsWith("unavailable: ")).hasSize(1);
        instance.failing = false;
        instance.pass(3_000);
        assertThat(heard("back")).singleElement().asString().matches("back after [3-5]\\d{3} ms");
    }

    /** After conflicts a batch is applied a moment later; meanwhile no instance counts alone. */
    @Test
    void thatTheStoreIsUnavailableByConflictsOnlyIfTheyLast() {
        try (ManualSynchroniser busy = ManualSynchroniser.withSlack(HUNDRED)) {
            busy.conflicting = true;
            for (int i = 0; i < 10; i++) {
                assertThat(busy.call("acme").admitted()).isTrue();
            }
            busy.pass(4_900);
            assertThat(busy.heard.take())
                    .contains("failed 1: conflicting")
                    .noneMatch(told -> told.startsWith("unavailable"));
            busy.conflicting = false;
            busy.pass(1_000);
            assertThat(busy.heard.take())
                    .anyMatch(told -> told.startsWith("exchange of 1"))
                    .noneMatch(told -> told.startsWith("unavailable") || told.startsWith("back"));

            busy.conflicting = true;
            busy.call("globex");
            busy.pass(8_000);
            assertThat(busy.heard.take())
                    .filteredOn(told -> told.startsWith("unavailable"))
                    .containsExactly("unavailable: conflicting");
        }
    }

    @Test
    void ofPermitsThatAreRecalled() {
        instance.call("acme");
        instance.pass(1_000);
        var unused = instance.heard.take();
        instance.tell(new News(News.Kind.RECALLED, Set.of("one", "other")));
        instance.tell(new News(News.Kind.FREED, Set.of("one")));
        instance.pass(100);
        assertThat(heard("recall")).containsExactly("recall 2");
    }

    @Test
    void ofCountersThatLeaveMemoryAndHowManyThereAre() {
        for (int caller = 0; caller < ManualSynchroniser.MAXIMUM + 7; caller++) {
            instance.call("tenant-" + caller);
        }
        assertThat(heard("evicted")).hasSize(7);
        instance.limiter.sweep();
        assertThat(heard("counters")).containsExactly("counters " + ManualSynchroniser.MAXIMUM);
    }
}
