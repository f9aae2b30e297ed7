package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private record Text(String text) {}

    private record Part(@Nullable Double millis, boolean isUp, int count) {}

    private record Whole(
            List<Part> parts,
            List<long[]> history,
            @Nullable Part none,
            List<String> nothing) {}

    private record Absent(@Nullable String text) {}

    private static String json(Record data) {
        return new String(JsonText.of(data), StandardCharsets.UTF_8);
    }

    @Test
    void writesComponentsByNameAndLeavesOutWhatIsNull() {
        Whole whole = new Whole(
                List.of(new Part(0.00025, true, -7), new Part(null, false, 0)),
                List.of(new long[] {1, Long.MAX_VALUE}, new long[0]),
                null,
                List.of());
        assertThat(json(whole))
                .isEqualTo("{\"parts\":[{\"millis\":2.5E-4,\"isUp\":true,\"count\":-7},{\"isUp\":false,\"count\":0}],"
                        + "\"history\":[[1,9223372036854775807],[]],\"nothing\":[]}");
        assertThat(json(new Absent(null))).isEqualTo("{}");
    }

    @Test
    void anyTextIsReadBackUnchanged() throws IOException {
        String characters =
                IntStream.rangeClosed(0, 0x2100).mapToObj(Character::toString).collect(Collectors.joining());
        String text = characters + "\uFEFF\uFFFF" + Character.toString(0x1F6B0) + "</script>\\u0041\"";
        String json = json(new Text(text));
        assertThat(new ObjectMapper().readTree(json).path("text").asText()).isEqualTo(text);
        assertThat(json).as("an event has one line").doesNotContain("\n", "\r");
    }

    @Test
    void anUnpairedSurrogateDoesNotSpoilTheRest() throws IOException {
        byte[] json = JsonText.of(new Text("a\uD83Db"));
        assertThat(new ObjectMapper().readTree(json).path("text").asText()).isEqualTo("a?b");
    }

    @Test
    void numbersAreTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(json(new Part(1234.5, true, 1234)))
                    .isEqualTo("{\"millis\":1234.5,\"isUp\":true,\"count\":1234}");
            assertThat(json(new Text("\u0012"))).isEqualTo("{\"text\":\"\\u0012\"}");
        } finally {
            Locale.setDefault(before);
        }
    }
}
