package dev.sluice.internal.store.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.exchange.Batch.Gift;
import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.cell.StoreProtocol;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the script and Java must both know stands in Java alone. */
class ScriptConstantsTest {

    /**
     * The constants of the script that no class knows. Before you add one, look whether Java has it: {@code Cell} and
     * its children, {@code redis.admin}, {@code Chunk}. If so, give it to {@link ExchangeScript#CONSTANTS}.
     */
    private static final Map<String, String> OWN = Map.ofEntries(
            Map.entry("AMPLE", "5000"),
            Map.entry("SWEEP_EVERY", "10000"),
            Map.entry("SWEPT", "50"),
            Map.entry("AGES", "11 * 366 * 86400000"),
            Map.entry("FORMAT", "1"),
            Map.entry("LONGEST_BIRTH", "20"),
            Map.entry("MOST_ARGUMENTS", "3990"),
            Map.entry("FIRST_COUNTER", "3"),
            Map.entry("STUB_NAME", "12"),
            Map.entry("HOUR", "3600000"),
            Map.entry("BEFORE_NAME", "34"),
            Map.entry("MOST_REMOVED", "5000"),
            Map.entry("FIRST_PAGE", "50"),
            Map.entry("MOST_LOOKED", "20000"));

    /**
     * Numbers above {@link #SMALL} in the middle of the script: units of time, the base and the largest exact number
     * of {@code text}, a position in {@code ARGV}, and how seldom a TTL is checked.
     */
    private static final Set<String> UNNAMED = Set.of("1000", "16", "1e14", "11", "32");

    /** Smaller numbers are mostly positions and signs. */
    private static final BigDecimal SMALL = BigDecimal.TEN;

    private static final Pattern DEFINITION = Pattern.compile("(?m)^ *local ([A-Z].*?) = (.*)$");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.%])\\d[\\w.]*");

    /** Without comments and texts. */
    private static String code(String file) {
        return ExchangeScript.load(file).replaceAll("'[^'\n]*'", "''").replaceAll("--[^\n]*", "");
    }

    private static Stream<String> codes() {
        return ExchangeScript.FILES.stream().map(ScriptConstantsTest::code);
    }

    @Test
    void noConstantOfTheScriptIsOneOfJava() {
        Map<String, String> own = new TreeMap<>();
        codes().flatMap(code -> DEFINITION.matcher(code).results()).forEach(definition -> {
            String[] names = definition.group(1).split(", ", -1);
            String[] values = definition.group(2).split(", ", -1);
            for (int i = 0; i < Math.min(names.length, values.length); i++) {
                if (values[i].matches("[\\d.e *^+-]+")) {
                    own.put(names[i], values[i]);
                }
            }
        });
        assertThat(own).isEqualTo(new TreeMap<>(OWN));
    }

    @Test
    void numbersInTheMiddleOfTheScriptHaveNames() {
        Set<String> unnamed = codes().map(code -> DEFINITION.matcher(code).replaceAll(""))
                .flatMap(code -> NUMBER.matcher(code).results())
                .map(found -> found.group())
                .filter(number -> new BigDecimal(number).compareTo(SMALL) > 0)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unnamed).isEqualTo(new TreeSet<>(UNNAMED));
    }

    @Test
    void theScriptUsesEachConstantOfJavaAndNoOther() {
        Pattern constant = Pattern.compile("\\bJava\\.(\\w+\\.\\w+)");
        Set<String> used = codes().flatMap(code -> constant.matcher(code).results())
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(used).isEqualTo(ExchangeScript.CONSTANTS.keySet());
        assertThat(ExchangeScript.TEXT).doesNotContain("Java.");
        assertThatThrownBy(() -> ExchangeScript.withConstants("local MOST = Java.Chunk.MOST"))
                .hasMessageContaining("Java.Chunk.MOST");
    }

    @TestFactory
    Stream<DynamicTest> eachNameIsThatOfTheConstant() {
        Map<String, Class<?>> owners = Stream.of(StoreProtocol.class, Gift.class, BusyPeriods.class, StoredForm.class)
                .collect(Collectors.toMap(Class::getSimpleName, owner -> owner));
        return ExchangeScript.CONSTANTS.entrySet().stream()
                .map(constant -> DynamicTest.dynamicTest(constant.getKey(), () -> {
                    String[] name = constant.getKey().split("\\.", -1);
                    Object value = owners.get(name[0]).getField(name[1]).get(null);
                    assertThat(constant.getValue())
                            .isEqualTo(value instanceof Duration time ? (Object) time.toMillis() : value);
                }));
    }

    @Test
    void luaReadsEachNumberExactly() {
        String script = ExchangeScript.CONSTANTS.keySet().stream()
                .sorted()
                .map(name -> name + " = Java." + name)
                .collect(Collectors.joining("\n"));
        Matcher line = Pattern.compile("(\\S+) = ([\\d.]+)").matcher(ExchangeScript.withConstants(script));
        int lines = 0;
        for (; line.find(); lines++) {
            BigDecimal exact =
                    new BigDecimal(ExchangeScript.CONSTANTS.get(line.group(1)).toString());
            assertThat(new BigDecimal(Double.parseDouble(line.group(2))))
                    .as(line.group(1))
                    .isEqualByComparingTo(exact);
        }
        assertThat(lines).isEqualTo(ExchangeScript.CONSTANTS.size());
    }
}
