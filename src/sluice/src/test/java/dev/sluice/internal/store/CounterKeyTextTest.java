package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.store.admin.CounterNames;
import dev.sluice.store.Exchanges;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Two different counters never share a key in a store, whatever callers put into their names. */
class CounterKeyTextTest {

    /** Parts made of what could break a key, so that different ones often look alike. */
    @Provide
    Arbitrary<String> hostile() {
        Arbitrary<String> few = Arbitraries.of(
                "", "a", "b", ":", "=", "+", "{", "}", "%", "%3a", "u", "%ud800", "#", "!", "?", " ", "é", "\uD800",
                "\uD801", "\uDC00", "\0");
        Arbitrary<String> joined = few.list().ofMaxSize(3).map(parts -> String.join("", parts));
        Arbitrary<String> lengthy = Arbitraries.of("x".repeat(64), "x".repeat(65), "x".repeat(70), "é".repeat(33));
        return Arbitraries.oneOf(
                joined, joined, lengthy, Combinators.combine(lengthy, joined).as(String::concat));
    }

    @Provide
    Arbitrary<CounterKey> keys() {
        Arbitrary<Subject> subject =
                Combinators.combine(hostile(), hostile(), hostile()).as(Subject::new);
        return Combinators.combine(
                        hostile(),
                        hostile(),
                        hostile(),
                        subject.list().ofMaxSize(2),
                        Arbitraries.longs().between(0, 2),
                        Arbitraries.longs().between(0, 2))
                .as(CounterKey::new);
    }

    @Property(tries = 20_000)
    void differentKeysHaveDifferentTexts(@ForAll("keys") CounterKey one, @ForAll("keys") CounterKey other) {
        assertThat(one.text().equals(other.text())).isEqualTo(one.equals(other));
    }

    @Property(tries = 2000)
    void keysThatDifferInOnePartHaveDifferentTexts(
            @ForAll("keys") CounterKey key, @ForAll("hostile") String one, @ForAll("hostile") String other) {
        CounterKey first = withValue(key, one);
        CounterKey second = withValue(key, other);
        assertThat(first.text().equals(second.text())).isEqualTo(one.equals(other));
    }

    @Property(tries = 5000)
    void keysAreReadBackFromTheirTexts(@ForAll("keys") CounterKey key) {
        assertThat(CounterNames.parse(key.text())).contains(key);
        assertThat(CounterNames.parse(key.text().replace("/16}", "/17}"))).isEmpty();
    }

    private static CounterKey withValue(CounterKey key, String value) {
        List<Subject> subjects = List.of(new Subject("tenant", "ip", value));
        return new CounterKey(key.endpoint(), key.method(), key.tier(), subjects, key.start(), key.end());
    }

    @Property(tries = 2000)
    void textsArePlain(@ForAll("keys") CounterKey key) {
        assertThat(key.text()).matches("sluice:\\{\\d{1,2}/16}:[-+=:%A-Za-z0-9._*/]*:\\d+:\\d+");
        assertThat(key.shard()).isBetween(0, CounterKey.SHARDS - 1);
    }

    @Example
    void distinguishesBrokenCharacters() {
        Set<String> texts = new HashSet<>();
        for (String value : List.of("?", "\uD800", "\uD801", "\uDC00", "\uFFFD", "%3f", "%ud800")) {
            texts.add(Exchanges.key("e", value, 0, 1).text());
        }
        assertThat(texts).hasSize(7);
    }
}
