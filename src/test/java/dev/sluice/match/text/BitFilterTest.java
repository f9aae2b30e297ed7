package dev.sluice.match.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BitFilterTest {

    @Property(tries = 300)
    void deniesNothingThatItHolds(@ForAll @Size(max = 200) Set<@NotEmpty String> texts) {
        BitFilter filter = new BitFilter(texts);
        assertThat(texts).allMatch(text -> filter.mayContain("<" + text + ">", 1, text.length() + 1));
    }

    @Test
    void deniesMostOthers() {
        List<String> held =
                IntStream.range(0, 10_000).mapToObj(i -> "partner-" + i).toList();
        BitFilter filter = new BitFilter(held);
        long taken = IntStream.range(0, 100_000)
                .mapToObj(i -> "tenant-" + i)
                .filter(text -> filter.mayContain(text, 0, text.length()))
                .count();
        assertThat(taken).isBetween(1L, 12_000L);
    }

    @Test
    void holdsNothingIfThereIsNothing() {
        assertThat(new BitFilter(List.of()).mayContain("tenant", 0, 6)).isFalse();
    }
}
