package dev.sluice.open;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.LimitsException;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading any file ends soon, with a message. */
class HostileInputTest {

    @Nested
    class AFileThatCannotBeRead {

        @TempDir
        private Path folder;

        private String problem(Path file) {
            try {
                LimitsReader.read(ConfigLocation.source(file.toString()), Set.of());
                return "none";
            } catch (LimitsException e) {
                return e.getMessage().replace(file + ": ", "");
            }
        }

        @Test
        void isMissing() {
            assertThat(problem(folder.resolve("none.yml"))).isEqualTo("there is no such file [SL-101]");
            assertThat(problem(Path.of("classpath:none.yml"))).isEqualTo("there is no such file [SL-101]");
        }

        @Test
        void isADirectory() {
            assertThat(problem(folder)).isEqualTo("the file cannot be read: it is a directory [SL-101]");
        }

        @Test
        void mayNotBeRead() {
            assertThat(GivenFile.failing(new AccessDeniedException("limits.yml"))
                            .problems())
                    .containsExactly("this user has no permission to read the file [SL-101]");
        }

        @Test
        void fails() {
            assertThat(GivenFile.failing(new IOException("disk\non fire")).problems())
                    .containsExactly("the file cannot be read: disk\\u000aon fire [SL-101]");
        }

        @Test
        void isEmpty() {
            for (String text : new String[] {"", "\n\n", "# only a comment\n", "\uFEFF"}) {
                assertThat(new GivenFile(text).problems())
                        .containsExactly("the file is empty; write a list of endpoints [SL-111]");
            }
        }

        @Test
        void isFarTooLarge() throws IOException {
            Path large = folder.resolve("large.yml");
            try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
                file.setLength(50L << 20);
            }
            assertThat(Files.size(large)).isEqualTo(50L << 20);
            assertThat(ConfigLocation.source(large.toString()).read()).hasSize(ConfigSource.MAX_BYTES + 1);
            assertThat(problem(large))
                    .startsWith("the file is larger than 1048576 bytes")
                    .endsWith("[SL-103]");
        }
    }

    @Nested
    class Bytes {

        @Test
        void thatAreNotUtf8HaveAPlace() {
            byte[] bytes = "endpoints:\n  - id: xx\n".getBytes(UTF_8);
            bytes[20] = (byte) 0xFF;
            assertThat(new GivenFile(bytes).problems())
                    .containsExactly("2:10: this is not UTF-8; save the file as UTF-8 [SL-115]");
            assertThat(new GivenFile(GivenFile.SMALLEST.getBytes(UTF_16)).problems())
                    .containsExactly("1:1: this is not UTF-8; save the file as UTF-8 [SL-115]");
        }

        @Test
        void mayBeginWithAByteOrderMark() {
            assertThat(new GivenFile("\uFEFF" + GivenFile.SMALLEST).problems()).isEmpty();
        }

        @Test
        void mayEndLinesAsWindowsDoes() {
            assertThat(new GivenFile(GivenFile.SMALLEST.replace("\n", "\r\n")).problems())
                    .isEmpty();
        }

        @Test
        void ofControlCharactersHaveAPlace() {
            assertThat(new GivenFile("mode: off\nx: \u0007\n").problems())
                    .containsExactly("2:4: the character U+0007 is not allowed in YAML; remove it [SL-115]");
        }

        @Test
        void writtenAsEscapesDoNotReachAMessageUnescaped() {
            assertThat(new GivenFile("\"mo\\nde\\u202e\": \"\\e[31m\"\nmode: \"\\e[31m\\r\\n\"\nendpoints:\n"
                                    + GivenFile.SMALLEST)
                            .problems())
                    .containsExactly(
                            "1:1 mo\\u000ade\\u202e: \"mo\\u000ade\\u202e\" is not a key here; did you mean mode? "
                                    + "[SL-107]",
                            "2:7 mode: \"\\u001b[31m\\u000d\\u000a\" is not one of enforce, dry-run, off [SL-110]");
        }
    }

    static Stream<String> floods() {
        String bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
                + IntStream.range(0, 9)
                        .mapToObj(i -> (char) ('b' + i) + ": &" + (char) ('b' + i) + " ["
                                + ("*" + (char) ('a' + i) + ",").repeat(9) + "]\n")
                        .reduce("", String::concat);
        return Stream.of(
                bomb,
                "endpoints: &a [ *a ]",
                "endpoints: &a { a: *a }",
                "[".repeat(500_000),
                "{a: ".repeat(100_000),
                "- ".repeat(500_000),
                "? ".repeat(500_000),
                "[" + "1,".repeat(500_000) + "]",
                "a: " + "/".repeat(1_000_000),
                "a: " + "@//".repeat(300_000),
                "mode: " + "9".repeat(1_000_000),
                "mode: \"" + "${A:".repeat(200_000) + "\"",
                "mode: \"" + "${A:".repeat(3000) + "}".repeat(3000) + "\"",
                "a".repeat(1_000_000) + ": b",
                ("#".repeat(99_990) + "\n").repeat(10),
                ("a: " + "x".repeat(99_990) + "\n").repeat(10),
                ("a: \"" + "\\n".repeat(49_990) + "\"\n").repeat(10),
                "a: |\n" + (" " + "x".repeat(99_990) + "\n").repeat(10),
                "[" + "1,\n".repeat(340_000) + "]",
                "mode: \"" + "${A:\n ".repeat(100_000) + "}".repeat(90_000) + "\"",
                "&a ".repeat(300_000),
                "!".repeat(1_000_000),
                "%YAML 99999999999999999999.1\n--- a",
                "%TAG ! !\n--- !x y",
                "{"
                        + IntStream.range(0, 90_000)
                                .mapToObj(i -> "k" + i + ": x")
                                .reduce(
                                        new StringBuilder(),
                                        (s, k) -> s.append(k).append(",\n"),
                                        (s, k) -> s)
                        + "}",
                "- id: a\n".repeat(100_000),
                "id: a\n".repeat(150_000),
                "- { id: a, pathPattern: /a, tiers: [ { period: 1, threshold: 1 } ] }\n".repeat(12_000),
                "---\n".repeat(200_000),
                "#".repeat(1_048_576));
    }

    @ParameterizedTest
    @MethodSource("floods")
    void endsSoon(String text) {
        Duration most = Duration.ofSeconds(2);
        Duration first = cpuTime(text);
        boolean compiled = first.compareTo(most) < 0; // or, on a busy machine, perhaps not until now
        assertThat(compiled ? first : cpuTime(text)).isLessThan(most);
    }

    /** CPU time, since other programs may use the machine. */
    private static Duration cpuTime(String text) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        assertThatThrownBy(() -> new GivenFile(text).load())
                .isInstanceOfSatisfying(
                        LimitsException.class,
                        e -> assertThat(e.getMessage().length()).isLessThan(50_000));
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    }

    /** Files with a text at {@code @}: as the value of each key, as a key of each map, and alone. */
    static Stream<String> places() {
        Stream<String> others = Stream.of(
                "subjects.tenant",
                "subjects.@",
                "clients[].tenant",
                "clients[].endpoints.a",
                "clients[].endpoints.@",
                "clients[].@",
                "plans.@",
                "plans.p.multiply",
                "plans.p.endpoints.a",
                "endpoints[].when.tenant",
                "endpoints[].when.@",
                "endpoints[].@",
                "endpoints[].tiers[].elastic.upTo",
                "endpoints[].tiers[].elastic.whileLoadBelow",
                "endpoints[].tiers[].@",
                "reject.@",
                "store.@",
                "@");
        Stream<String> paths = Stream.concat(Schema.vocabulary().stream(), others);
        return Stream.concat(paths.map(HostileInputTest::fileWith), Stream.of("@", "[ @ ]"));
    }

    /** A file with {@code @} as the value at a path. */
    private static String fileWith(String path) {
        String yaml = "@";
        List<String> keys = Arrays.asList(path.split("\\."));
        Collections.reverse(keys);
        for (String key : keys) {
            yaml = switch (key) {
                case "clients[]" -> "clients: [ " + yaml + " ]";
                case "endpoints[]" -> "endpoints: [ " + yaml + " ]";
                case "tiers[]" -> "{ id: a, tiers: [ " + yaml + " ], pathPattern: /a }";
                case "body" -> "{ body: " + yaml + ", contentType: application/json }";
                default -> "{ ? " + key + " : " + yaml + " }"; // a question mark, since other keys are short
            };
        }
        return yaml;
    }

    /** Texts that are slow to read for a regular expression that goes back, or that calls itself for each character. */
    static Stream<String> texts(int length) {
        return Stream.of("", "^", "1", "1/", "header:")
                .flatMap(start -> Stream.of("(", "[", "/", "@//", "a", "9", " ", "Aa-")
                        .map(unit -> start + unit.repeat((length - start.length() - 1) / unit.length()) + "!"));
    }

    @ParameterizedTest
    @MethodSource("places")
    void endsSoonWithTheLongestTextAtAnyPlace(String place) {
        texts(16_384).forEach(text -> {
            Duration most = Duration.ofMillis(100);
            String file = place.replace("@", '"' + text + '"');
            boolean isQuick = IntStream.range(0, 4).anyMatch(i -> cpuTime(file).compareTo(most) < 0);
            assertThat(isQuick).as(place + " with " + text.substring(0, 20)).isTrue();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void refusesATextOfManyLinesAtAnyPlace(String place) {
        String lines = ("(".repeat(90_000) + "\\\n").repeat(5);
        String file = place.replace("@", "\"^" + lines + '"');
        assertThat(cpuTime(file)).isLessThan(Duration.ofSeconds(2));
        assertThat(new GivenFile(file).problems())
                .anyMatch(problem -> problem.endsWith(
                        "expected a text of at most 16384 characters, but found 450001; shorten it [SL-103]"));
    }

    @Test
    void refusesLongTextsThatAliasesRepeat() {
        String items = "[ " + ("\"" + "(".repeat(16_000) + "\",\n").repeat(60) + " ]";
        assertThat(new GivenFile("a: &a " + items + "\nb: [ " + "*a, ".repeat(90) + "]").problems())
                .containsExactly("10:1: aliases expand to more than 4000000 characters; use fewer aliases [SL-103]");
    }

    @Test
    void refusesATextThatVariablesMakeLong() {
        String thrice = "mode: \"${LONG}${LONG:x}${LONG}\"";
        assertThat(GivenFile.with(thrice).problemsWith(Map.of("LONG", "x".repeat(5_000))))
                .singleElement()
                .asString()
                .startsWith("1:7 mode: the value of \"${LONG}${LONG:x}${LONG}\" is not one of");
        assertThat(GivenFile.with(thrice).problemsWith(Map.of("LONG", "x".repeat(6_000))))
                .containsExactly("1:7 mode: after its variables are replaced, this text is longer than 16384 "
                        + "characters; shorten their values [SL-103]");
    }

    @Test
    void endsInAMessageHoweverAFileIsMangled() throws IOException {
        String sample = Files.readString(Path.of("rate-limits.yml"));
        String crumbs = "[]{}:,-?&*!|>'\"%@`#\n\t ${}~0";
        Random random = new Random(20_260_101);
        for (int i = 0; i < 2000; i++) {
            StringBuilder mangled = new StringBuilder(sample);
            for (int j = 0; j < 5; j++) {
                int at = random.nextInt(mangled.length());
                mangled.replace(
                        at, at + random.nextInt(3), String.valueOf(crumbs.charAt(random.nextInt(crumbs.length()))));
            }
            new GivenFile(mangled.toString()).problems(); // throws unless the result is a list of problems
        }
    }

    @Test
    void refusesAnEndlessLine() {
        String longest = "#" + "x".repeat(99_999) + "\n";
        assertThat(new GivenFile(longest + GivenFile.SMALLEST).problems()).isEmpty();
        assertThat(new GivenFile(GivenFile.SMALLEST + "#" + longest).problems())
                .containsExactly("4:1: the line is longer than 100000 characters; break it up [SL-103]");
    }

    @Test
    void buildsNoJavaObjects() {
        assertThat(new GivenFile("!!java.io.FileOutputStream [ /tmp/pwned ]").problems())
                .containsExactly(
                        "1:1 endpoints: YAML tags (words that begin with \"!\") are not supported here; remove the "
                                + "tag, or quote the text [SL-113]");
    }
}
