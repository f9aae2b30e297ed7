package dev.sluice.internal.limiter.memory;

import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.local.LocalCounters;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentCountersTest {

    private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1_627_318_780_000L);

    private final CounterFamily family = family("e");

    private static CounterFamily family(String endpoint) {
        return new CounterFamilies(new UnsharedCounting(CLOCK), () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity(endpoint, "GET", perMinute(5), List.of("tenant"), List.of("ip")));
    }

    private Counter counter(CounterFamily of, String name) {
        return LocalCounters.open(of, name);
    }

    @Test
    void findsACounterByAnEqualName() {
        RecentCounters recent = new RecentCounters(100);
        Counter counter = counter(family, "a");
        recent.remember(counter);

        assertThat(recent.find(family, String.valueOf(new char[] {'a'}))).isSameAs(counter);
        assertThat(recent.find(family, "b")).isNull();
    }

    /** With so few slots all names collide; no counter is ever returned for another name. */
    @Test
    void namesThatShareASlotOnlyDisplaceEachOther() {
        RecentCounters recent = new RecentCounters(1);
        CounterFamily other = family("f");
        for (String name : List.of("a", "b", "AaAa", "BBBB", "AaBB")) {
            for (CounterFamily of : List.of(family, other)) {
                Counter counter = counter(of, name);
                recent.remember(counter);

                assertThat(recent.find(of, name)).isSameAs(counter);
                assertThat(recent.find(of == family ? other : family, name)).isNotSameAs(counter);
                assertThat(recent.find(of, name + "x")).isNull();
            }
        }
    }

    @Test
    void namesWithEqualHashesAreDistinguished() {
        RecentCounters recent = new RecentCounters(100);
        recent.remember(counter(family, "AaAa"));

        assertThat("BBBB").hasSameHashCodeAs("AaAa");
        assertThat(recent.find(family, "BBBB")).isNull();
    }

    @Test
    void twoNamesWithEqualHashesFitAndAThirdDisplacesTheSecond() {
        RecentCounters recent = new RecentCounters(100);
        Counter first = counter(family, "AaAa");
        Counter second = counter(family, "BBBB");
        Counter third = counter(family, "AaBB");
        recent.remember(first);
        recent.remember(second);
        assertThat(recent.find(family, "AaAa")).isSameAs(first);
        assertThat(recent.find(family, "BBBB")).isSameAs(second);

        recent.remember(third);
        assertThat(recent.find(family, "AaAa")).isSameAs(first);
        assertThat(recent.find(family, "BBBB")).isNull();
        assertThat(recent.find(family, "AaBB")).isSameAs(third);
    }

    @Test
    void aRetiredCounterMakesRoom() {
        RecentCounters recent = new RecentCounters(100);
        Counter first = counter(family, "AaAa");
        recent.remember(first);
        first.retire();
        Counter second = counter(family, "BBBB");
        recent.remember(second);
        Counter third = counter(family, "AaBB");
        recent.remember(third);

        assertThat(recent.find(family, "AaAa")).isNull();
        assertThat(recent.find(family, "BBBB")).isSameAs(second);
        assertThat(recent.find(family, "AaBB")).isSameAs(third);
    }

    @Test
    void neverReturnsARetiredCounter() {
        RecentCounters recent = new RecentCounters(100);
        Counter counter = counter(family, "a");
        recent.remember(counter);
        counter.retire();

        assertThat(recent.find(family, "a")).isNull();
    }

    /** A counter that is gone is garbage, whatever happened first: that it was retired, or that it was remembered. */
    @Test
    void releasesRetiredCounters() {
        RecentCounters recent = new RecentCounters(100);
        Counter counter = counter(family, "a");
        recent.remember(counter);
        assertThat(recent.holds(counter)).isTrue();
        counter.retire();
        recent.forget(counter);
        assertThat(recent.holds(counter)).isFalse();
        recent.remember(counter);
        assertThat(recent.holds(counter)).isFalse();
    }

    @Test
    void aCounterInUseIsKeptHoweverManyOthersCome() {
        Counters counters = new Counters(100, new UnsharedCounting(CLOCK), RateLimitListener.NONE);
        long now = CLOCK.millis();
        Counter spent = counters.get(family, "attacker", 1, now);
        Pool pool = spent.at(now);
        assertThat(pool).isNotNull();
        pool.take(4, now);

        for (int i = 0; i < 100_000; i++) {
            counters.get(family, "made-up-" + i, 1, now);
            if (i % 1_000 == 0) {
                now += 200;
                assertThat(counters.get(family, "attacker", 1, now)).isSameAs(spent);
            }
        }
        assertThat(counters.size()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void growsForMoreCountersUpToItsMost() {
        RecentCounters recent = new RecentCounters(4096);
        List<Counter> all = IntStream.range(0, 4096)
                .mapToObj(i -> counter(family, "caller-" + i))
                .toList();
        recent.growFor(100);
        all.forEach(recent::remember);
        assertThat(all.stream().filter(recent::holds).count()).isLessThanOrEqualTo(1024);

        for (int i = 0; i < 10; i++) {
            recent.growFor(1_000_000);
        }
        assertThat(all).noneMatch(recent::holds);
        all.forEach(recent::remember);
        assertThat(all.stream().filter(recent::holds).count()).isBetween(3000L, 4096L);
    }
}
