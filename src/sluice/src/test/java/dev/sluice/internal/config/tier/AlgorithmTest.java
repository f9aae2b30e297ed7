package dev.sluice.internal.config.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Schema;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each algorithm has an answer wherever the compiler cannot ask for one: in the file, in its schema and in its pages.
 */
@Tag("docs")
class AlgorithmTest {

    private static Tier sample(Algorithm algorithm) {
        String period = AlgorithmKeys.of(algorithm).contains("period") ? "period: 10s, " : "";
        return GivenFile.withTiers("{ " + period + "threshold: 5, algorithm: " + algorithm.word() + " }")
                .loadTier();
    }

    private static Stream<Tier> samples() {
        return Arrays.stream(Algorithm.values()).map(AlgorithmTest::sample);
    }

    private static List<String> words() {
        return Arrays.stream(Algorithm.values()).map(Algorithm::word).toList();
    }

    @Test
    void isOneForEachKindOfLimit() {
        assertThat(samples().<Class<?>>map(tier -> tier.limit().getClass()))
                .containsExactlyInAnyOrder(Limit.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @EnumSource
    void isCalledAsInTheFile(Algorithm algorithm) {
        Limit limit = sample(algorithm).limit();
        assertThat(limit.algorithm()).isEqualTo(algorithm);
        assertThat(limit.times(BigDecimal.TEN).algorithm()).isEqualTo(algorithm);
        assertThat(limit.hasPeriod()).isEqualTo(AlgorithmKeys.of(algorithm).contains("period"));
    }

    @Test
    void givesTiersANameOfTheirOwn() {
        assertThat(samples().map(Tier::name)).doesNotHaveDuplicates();
    }

    @Test
    void isInTheSchema() {
        Map<String, JsonNode> keys = new HashMap<>();
        Schema.eachKey(keys::put);
        JsonNode schema = keys.get("endpoints[].tiers[].algorithm");
        assertThat(schema.at("/anyOf/0/enum")).extracting(JsonNode::asText).containsExactlyElementsOf(words());
        assertThat(schema.get("default").asText()).isEqualTo(Algorithm.DEFAULT.word());
        assertThat(schema.get("description").asText()).contains(words());
    }

    @Test
    void isInTheReferenceWithItsKeys() throws IOException {
        List<String> rows = Arrays.stream(Algorithm.values())
                .map(algorithm -> "`%s` | %s"
                        .formatted(algorithm.word(), ownKeys(algorithm))
                        .strip())
                .toList();
        assertThat(found(
                        "(?m)^\\| (`[a-z-]+` \\|(?: `\\w+`,?)*) \\|$",
                        section("### `algorithm`", "rate-limits-yml.md")))
                .isEqualTo(rows);
    }

    private static String ownKeys(Algorithm algorithm) {
        return String.join(
                ", ",
                AlgorithmKeys.of(algorithm).stream()
                        .filter(key -> !key.equals("period"))
                        .map(key -> "`" + key + "`")
                        .toList());
    }

    @Test
    void isOnThePageThatHelpsToChoose() throws IOException {
        String page = Files.readString(Path.of("docs/algorithms.md"));
        assertThat(found("(?m)^\\| \\[`([a-z-]+)`]", page)).isEqualTo(words());
        assertThat(found("(?m)^## ([a-z-]+)$", page)).isEqualTo(words());
    }

    private static String section(String title, String page) throws IOException {
        String text = Files.readString(Path.of("docs", page));
        String remaining = text.substring(text.indexOf(title + "\n") + title.length());
        return remaining.substring(0, remaining.indexOf("\n### "));
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .toList();
    }
}
