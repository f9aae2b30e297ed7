package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeakValuesTest {

    private final WeakValues<String, Object> values = new WeakValues<>();
    private final List<String> made = new ArrayList<>();

    @Test
    void aKeyHasOneValueWhileSomethingRefersToIt() {
        Object first = get("a");

        assertThat(get("a")).isSameAs(first);
        assertThat(get("b")).isNotSameAs(first);
        assertThat(made).containsExactly("a", "b");
    }

    @Test
    void aValueToWhichNothingRefersIsForgotten() {
        Object kept = get("kept");
        get("lost");
        assertThat(values.size()).isEqualTo(2);

        Eventually.await("the lost value is forgotten", () -> {
            System.gc();
            assertThat(get("kept")).isSameAs(kept);
            return values.size() == 1;
        });
        assertThat(made).containsExactly("kept", "lost");
    }

    private Object get(String key) {
        return values.get(key, missing -> {
            made.add(missing);
            return new Object();
        });
    }
}
