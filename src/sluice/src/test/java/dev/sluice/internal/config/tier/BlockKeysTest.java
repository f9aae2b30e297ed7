package dev.sluice.internal.config.tier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.GivenFile;
import dev.sluice.open.Schema;
import dev.sluice.tier.BlockRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The key {@code block}: what it means, and for whom it is allowed. What is refused otherwise is in {@code bad-config}.
 */
class BlockKeysTest {

    private static final String BLOCK = "block: { after: 20, within: 1m, for: 15m }";

    private static String file(String head, String per, String block) {
        return head + "\nendpoints:\n  - id: log-in\n    pathPattern: /login\n    per: " + per
                + "\n    tiers: [ { period: 1m, threshold: 5, " + block + " } ]\n";
    }

    private static BlockRule rule(String block) {
        String file = file("", "[ ip ]", block);
        assertThat(Schema.problems(file)).isEmpty();
        return GivenFile.of(file)
                .load()
                .limits()
                .endpoints()
                .get(0)
                .tiers()
                .get(0)
                .block();
    }

    private static List<String> codes(String head, String per) {
        String file = file(head, per, BLOCK);
        assertThat(Schema.problems(file)).isEmpty();
        return GivenFile.of(file).problems().stream()
                .map(problem -> problem.replaceAll("(?s).*\\[(SL-\\d+)]$", "$1"))
                .toList();
    }

    @Test
    void isReadWithItsFigures() {
        assertThat(rule("block: { after: 20, within: 1m, for: 15m, upTo: 24h }"))
                .isEqualTo(new BlockRule(20, Duration.ofMinutes(1), Duration.ofMinutes(15), Duration.ofHours(24)));
    }

    @Test
    void isAlwaysAsLongWithoutALongest() {
        assertThat(rule(BLOCK)).isEqualTo(new BlockRule(20, Duration.ofMinutes(1), Duration.ofMinutes(15)));
    }

    @Test
    void isThereOnlyIfItIsWritten() {
        assertThat(rule("tolerance: 20%")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ ip ]",
                "[ principal ]",
                "[ session ]",
                "[ \"claim:client_id\" ]",
                "[ \"hash(header:X-Api-Key)\" ]",
                "[ tenant, ip ]"
            })
    void isAllowedWhereNobodyCanBeTakenForSomebodyElse(String per) {
        assertThat(codes("secrets: { key: 0123456789abcdef }", per)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ tenant ]",
                "[ \"header:X-Org-Id\" ]",
                "[ \"query:key\" ]",
                "[ \"cookie:visitor\" ]",
                "[ \"attribute:tenant\" ]",
                "[ server ]",
                "[ ]"
            })
    void isRefusedWhereSomebodyCould(String per) {
        assertThat(codes("", per)).containsExactly("SL-149");
    }

    @Test
    void isAllowedWhereTheFileTrustsTheSubject() {
        assertThat(codes("subjects: { org: { sources: [ \"header:X-Org-Id\" ], trusted: true } }", "[ org ]"))
                .isEmpty();
        assertThat(codes("subjects: { org: { sources: [ \"header:X-Org-Id\" ], trusted: false } }", "[ org ]"))
                .containsExactly("SL-149");
    }

    @Test
    void isNeverAllowedForAllCallersOfAnInstance() {
        assertThat(codes("subjects: { one: { sources: [ server ], trusted: true } }", "[ one ]"))
                .containsExactly("SL-149");
    }

    @Test
    void isAllowedForASubjectThatTheFileKeepsSecret() {
        assertThat(codes(
                        "secrets: { key: 0123456789abcdef }\n"
                                + "subjects: { key: { sources: [ \"header:X-Api-Key\" ], secret: true } }",
                        "[ key ]"))
                .isEmpty();
    }
}
