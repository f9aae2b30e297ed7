package dev.sluice.internal.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariablesTest {

    @ParameterizedTest
    @CsvSource({
        "${A}, a",
        "x${A}y, xay",
        "${B:b}, b",
        "${B:}x, x",
        "${B:${A}}, a",
        "${B:{c}}, {c}",
        "$${A}, ${A}",
        "$A, $A",
        "${C}, ${A}"
    })
    void isPutInItsPlace(String text, String result) {
        Findings findings = new Findings("");
        Variables variables = Variables.of(Map.of("A", "a", "C", "${A}")::get);
        assertThat(variables.substitute(text, FilePosition.WHOLE_FILE, findings))
                .isEqualTo(result);
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void comesFromTheEnvironmentBeforeTheSystemProperties() {
        String present = System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Z]+"))
                .findFirst()
                .orElseThrow();
        System.setProperty(present, "from the properties");
        System.setProperty("sluice.test.variable", "from the properties");
        try {
            Findings findings = new Findings("");
            Variables process = Variables.ofProcess();
            assertThat(process.substitute("${" + present + "}", FilePosition.WHOLE_FILE, findings))
                    .isEqualTo(System.getenv(present));
            assertThat(process.substitute("${sluice.test.variable}", FilePosition.WHOLE_FILE, findings))
                    .isEqualTo("from the properties");
        } finally {
            System.clearProperty(present);
            System.clearProperty("sluice.test.variable");
        }
    }
}
