package dev.sluice.limiter;

import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShortcutTest {

    private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1_627_318_780_000L);

    private final CounterFamily family = family("e");

    private static CounterFamily family(String endpoint) {
        return new Families(Sharing.alone(CLOCK), () -> 0)
                .of(new CounterFamily.Identity(endpoint, "GET", perMinute(5), List.of("tenant"), List.of("ip")));
    }

    private Counter counter(CounterFamily of, String name) {
        return Counter.open(of, name);
    }

    @Test
    void findsWhatWasRememberedByAnEqualName() {
        Shortcut shortcut = new Shortcut(100);
        Counter counter = counter(family, "a");
        shortcut.remember(counter);

        assertThat(shortcut.find(family, String.valueOf(new char[] {'a'}))).isSameAs(counter);
        assertThat(shortcut.find(family, "b")).isNull();
    }

    /** With so few places every name meets every other; one is never taken for the other. */
    @Test
    void namesThatShareAPlaceOnlyPushEachOtherOut() {
        Shortcut shortcut = new Shortcut(1);
        CounterFamily other = family("f");
        for (String name : List.of("a", "b", "AaAa", "BBBB", "AaBB")) {
            for (CounterFamily of : List.of(family, other)) {
                Counter counter = counter(of, name);
                shortcut.remember(counter);

                assertThat(shortcut.find(of, name)).isSameAs(counter);
                assertThat(shortcut.find(of == family ? other : family, name)).isNotSameAs(counter);
                assertThat(shortcut.find(of, name + "x")).isNull();
            }
        }
    }

    @Test
    void namesOfOneHashAreToldApart() {
        Shortcut shortcut = new Shortcut(100);
        shortcut.remember(counter(family, "AaAa"));

        assertThat("BBBB").hasSameHashCodeAs("AaAa");
        assertThat(shortcut.find(family, "BBBB")).isNull();
    }

    @Test
    void twoNamesOfOneHashHaveRoomAndAThirdPushesOutTheLater() {
        Shortcut shortcut = new Shortcut(100);
        Counter first = counter(family, "AaAa");
        Counter second = counter(family, "BBBB");
        Counter third = counter(family, "AaBB");
        shortcut.remember(first);
        shortcut.remember(second);
        assertThat(shortcut.find(family, "AaAa")).isSameAs(first);
        assertThat(shortcut.find(family, "BBBB")).isSameAs(second);

        shortcut.remember(third);
        assertThat(shortcut.find(family, "AaAa")).isSameAs(first);
        assertThat(shortcut.find(family, "BBBB")).isNull();
        assertThat(shortcut.find(family, "AaBB")).isSameAs(third);
    }

    @Test
    void aRetiredCounterMakesRoom() {
        Shortcut shortcut = new Shortcut(100);
        Counter first = counter(family, "AaAa");
        shortcut.remember(first);
        first.retire();
        Counter second = counter(family, "BBBB");
        shortcut.remember(second);
        Counter third = counter(family, "AaBB");
        shortcut.remember(third);

        assertThat(shortcut.find(family, "AaAa")).isNull();
        assertThat(shortcut.find(family, "BBBB")).isSameAs(second);
        assertThat(shortcut.find(family, "AaBB")).isSameAs(third);
    }

    @Test
    void neverTellsOfARetiredCounter() {
        Shortcut shortcut = new Shortcut(100);
        Counter counter = counter(family, "a");
        shortcut.remember(counter);
        counter.retire();

        assertThat(shortcut.find(family, "a")).isNull();
    }

    @Test
    void aCounterInUseIsKeptHoweverManyOthersCome() {
        Counters counters = new Counters(100);
        long now = CLOCK.millis();
        Counter spent = counters.get(family, "attacker", now);
        Pool pool = spent.at(now);
        assertThat(pool).isNotNull();
        pool.take(4, now);

        for (int i = 0; i < 100_000; i++) {
            counters.get(family, "made-up-" + i, now);
            if (i % 1_000 == 0) {
                now += 200;
                assertThat(counters.get(family, "attacker", now)).isSameAs(spent);
            }
        }
        assertThat(counters.size()).isLessThanOrEqualTo(1_000);
    }
}
