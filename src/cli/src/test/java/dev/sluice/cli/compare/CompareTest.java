package dev.sluice.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.cli.Main;
import dev.sluice.tier.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

@Tag("docs")
class CompareTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    /** Runs the command, but for the measurement of memory. */
    private static Invocation compare(String... arguments) {
        List<String> all = new ArrayList<>(List.of("compare"));
        all.addAll(List.of(arguments));
        return Invocation.of(CompareTest::measureNothing, all.toArray(String[]::new));
    }

    private static void measureNothing(CommandLine command) {
        Compare compare = command.getSubcommands().get("compare").getCommand();
        compare.memory = (limits, atMillis) -> Collections.nCopies(limits.size(), 400L);
    }

    private static Playback play(String algorithm, SampleTraffic traffic) {
        return ComparedAlgorithm.all(100, MINUTE, 10).stream()
                .filter(one -> one.name().equals(algorithm))
                .map(one -> Playback.of(one, traffic))
                .findFirst()
                .orElseThrow();
    }

    /** Known properties of the algorithms, for all kinds of generated traffic. */
    @Nested
    class ThePublishedComparison {

        @Test
        void fixedWindowsDropAtEachMinuteMark() {
            SampleTraffic traffic = SampleTraffic.of(SampleTraffic.Kind.RANDOM, 100, MINUTE, 1);
            try (VirtualLimiter limiter = new VirtualLimiter(
                    ComparedAlgorithm.all(100, MINUTE, 10).get(0).limit())) {
                long mark = 0;
                long used = 0;
                for (int call = 0; call < traffic.calls(); call++) {
                    long minute = traffic.moment(call) / MINUTE.toMillis();
                    if (minute != mark) {
                        assertThat(mark == 0 || used > 80).isTrue();
                        assertThat(limiter.left("all", traffic.moment(call))).isEqualTo(100);
                        mark = minute;
                    }
                    limiter.decide("all", traffic.moment(call));
                    used = 100 - limiter.left("all", traffic.moment(call));
                }
            }
        }

        @Test
        void fixedWindowsLetUpToTwiceTheLimitThrough() {
            Playback fixed = play("fixed-window", SampleTraffic.of(SampleTraffic.Kind.EDGE, 100, MINUTE, 1));
            assertThat(fixed.worst).isEqualTo(200);
            assertThat(fixed.tooFew).isZero();
        }

        @ParameterizedTest
        @EnumSource(SampleTraffic.Kind.class)
        void theApproximatedWindowFollowsAndFourFramesFollowCloser(SampleTraffic.Kind kind) {
            for (long seed = 1; seed <= 5; seed++) {
                SampleTraffic traffic = SampleTraffic.of(kind, 100, MINUTE, seed);
                Playback fixed = play("fixed-window", traffic);
                Playback one = play("sliding-window", traffic);
                Playback four = play("sliding-window-4", traffic);
                assertThat(one.drift).isLessThan(0.6 * fixed.drift);
                assertThat(four.drift).isLessThan(one.drift);
                assertThat(four.worst).isLessThanOrEqualTo(fixed.worst);
                assertThat(four.tooMany).isLessThan(one.tooMany);
                assertThat(one.tooMany).isLessThan(fixed.tooMany);
            }
        }

        @ParameterizedTest
        @EnumSource(SampleTraffic.Kind.class)
        void theLogIsPerfect(SampleTraffic.Kind kind) {
            Playback log = play("sliding-log", SampleTraffic.of(kind, 100, MINUTE, 7));
            assertThat(log.tooMany).isZero();
            assertThat(log.tooFew).isZero();
            assertThat(log.worst).isEqualTo(100);
            assertThat(log.drift).isZero();
        }

        @Test
        void bucketsLetTheirBurstAndTheirRateThrough() {
            for (SampleTraffic.Kind kind : SampleTraffic.Kind.values()) {
                SampleTraffic traffic = SampleTraffic.of(kind, 100, MINUTE, 3);
                assertThat(play("token-bucket", traffic).worst).isBetween(50, 110);
                assertThat(play("leaky-bucket", traffic).worst).isBetween(110, 200);
            }
        }
    }

    @Nested
    class OfAnAccessLog {

        private String log() throws IOException {
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 600; i++) {
                lines.append("203.0.113.%d - user%d [02/Mar/2026:00:%02d:%02d +0000] \"GET / HTTP/1.1\" 200 1%n"
                        .formatted(i % 3, i % 2, i / 60, i % 60));
            }
            return Files.writeString(directory.resolve("access.log"), lines).toString();
        }

        @Test
        void eachCallerHasALimit() throws IOException {
            Invocation compare = CompareTest.compare("--limit", "15", "--log", log());
            assertThat(compare.err()).isEmpty();
            assertThat(compare.out().lines().findFirst())
                    .hasValueSatisfying(
                            title -> assertThat(title).endsWith("access.log, 600 calls of 3 callers in 10m"));
            // of twenty calls a minute of each of three callers, fifteen pass
            assertThat(compare.out()).containsPattern("fixed-window +450 ");
        }

        @Test
        void theOptionByIdentifiesCallers() throws IOException {
            Invocation compare = CompareTest.compare("--limit", "15", "--log", log(), "--by", "principal");
            assertThat(compare.out()).contains("of 2 callers").containsPattern("fixed-window +300 ");
            Invocation wrong = CompareTest.compare("--log", log(), "--by", "name");
            assertThat(wrong.exitCode()).isEqualTo(2);
            assertThat(wrong.err()).contains("--by name does not identify callers; write ip, principal or header:NAME");
        }

        @Test
        void aBurstIsWhatTheBucketHolds() {
            assertThat(CompareTest.compare("--limit", "20", "--burst", "7").out())
                    .contains("token-bucket, burst 7");
            assertThat(CompareTest.compare("--limit", "20", "--burst", "0").err())
                    .contains("--burst 0 is out of range; write a number from 1 to ");
        }
    }

    @Nested
    class TheTable {

        @Test
        void comparesEachAlgorithmThatHasAPeriod() {
            Set<Class<?>> compared = new HashSet<>(Set.of(Limit.Concurrency.class));
            ComparedAlgorithm.all(20, MINUTE, 2)
                    .forEach(algorithm -> compared.add(algorithm.limit().getClass()));
            assertThat(compared).containsExactlyInAnyOrder(Limit.class.getPermittedSubclasses());
        }

        @Test
        void hasARowForEachAlgorithm() throws Exception {
            List<String> lines = inAnotherProcess("--limit", "20", "--period", "10s", "--traffic", "bursty");
            assertThat(lines.get(0))
                    .matches("A limit of 20 in 10s, on bursty traffic \\(seed 1\\), \\d+ calls in 2\\d\\ds");
            assertThat(lines.get(2)).startsWith("algorithm ").contains("worst 10s");
            assertThat(lines.subList(3, 9))
                    .extracting(line -> line.replaceAll("(,| {2}).*", ""))
                    .containsExactly(
                            "fixed-window",
                            "sliding-window",
                            "sliding-window",
                            "sliding-log",
                            "token-bucket",
                            "leaky-bucket");
            assertThat(lines.get(6)).containsPattern("sliding-log +\\d+ +0 +0 +100% +0\\.0% +\\d\\.\\d\\d +\\d+$");
        }

        @Test
        void isTheSameForTheSameSeed() {
            SampleTraffic traffic = SampleTraffic.of(SampleTraffic.Kind.RANDOM, 20, MINUTE, 1);
            assertThat(moments(SampleTraffic.of(SampleTraffic.Kind.RANDOM, 20, MINUTE, 1)))
                    .isEqualTo(moments(traffic));
            assertThat(moments(SampleTraffic.of(SampleTraffic.Kind.RANDOM, 20, MINUTE, 2)))
                    .isNotEqualTo(moments(traffic));
        }

        private static List<Long> moments(SampleTraffic traffic) {
            return IntStream.range(0, traffic.calls()).mapToObj(traffic::moment).toList();
        }

        @Test
        void showsThatASlidingLogTakesMoreMemory() throws Exception {
            List<Long> bytes = inAnotherProcess("--limit", "100", "--period", "1m").subList(3, 9).stream()
                    .map(line -> Long.valueOf(line.replaceAll(".* ", "")))
                    .toList();
            assertThat(bytes).allMatch(each -> each > 100);
            assertThat(bytes.get(3)).isGreaterThan(bytes.get(0) + 500);
        }

        /**
         * What the command prints, with measured memory. For that it collects garbage many times, which takes long
         * beside what other tests have left in this process.
         */
        private List<String> inAnotherProcess(String... arguments) throws Exception {
            Path output = directory.resolve("printed.txt");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "compare"));
            command.addAll(List.of(arguments));
            Process compare = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertThat(compare.waitFor(1, TimeUnit.MINUTES)).isTrue();
            } finally {
                compare.destroyForcibly();
            }
            assertThat(compare.exitValue()).as(Files.readString(output)).isZero();
            return Files.readAllLines(output);
        }
    }

    @Nested
    class AFile {

        private Invocation compare(String content) throws IOException {
            Path file = Files.writeString(directory.resolve("calls.txt"), content);
            return CompareTest.compare("--limit", "2", "--period", "1m", "--traffic", file.toString());
        }

        private void assertRefused(String content, String sentence) throws IOException {
            Invocation refused = compare(content);
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err().replace(directory + "/", "")).isEqualToIgnoringNewLines("sluice: " + sentence);
        }

        @Test
        void holdsMomentsInAnyOrderAndOfEitherKind() throws IOException {
            Invocation compare = compare("""
                    1767225661000
                    2026-01-01T00:00:59.500Z

                    2026-01-01T01:00:59+01:00
                    1767225660500
                    """);
            assertThat(compare.err()).isEmpty();
            assertThat(compare.out()).contains(", 4 calls in 1m");
            assertThat(compare.out()).containsPattern("fixed-window +4 +2 +0 +200%");
            assertThat(compare.out()).containsPattern("sliding-log +2 +0 +0 +100%");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "1767225600 | calls.txt:1: 1767225600 would be in 1970; write milliseconds, such as 1767225600000",
                    "yesterday | calls.txt:1: \"yesterday\" is not a time; write milliseconds since 1970 or a timestamp such as 2026-01-01T00:00:00.000Z",
                    "2026-01-01T00:00:00 | calls.txt:1: \"2026-01-01T00:00:00\" has no time zone; write 2026-01-01T00:00:00Z if it is UTC",
                    "1767225600000000 | calls.txt:1: \"1767225600000000\" is not between 1970 and 2100"
                })
        void theMessageNamesTheWrongLine(String line, String sentence) throws IOException {
            assertRefused(line, sentence);
            assertRefused("1767225600000\n\n" + line, sentence.replace(":1:", ":3:"));
        }

        @Test
        void mayNotBeEmptyOrMissing() throws IOException {
            assertRefused("\n", "calls.txt has no calls; write the time of one call per line");
            assertThat(CompareTest.compare("--traffic", "rndom").err())
                    .isEqualToIgnoringNewLines("sluice: --traffic rndom: there is no such file;"
                            + " write random, bursty, edge, or the name of a file");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--limit 0 | --limit 0 is out of range; write a number from 1 to 100000",
                "--limit 100001 | --limit 100001 is out of range; write a number from 1 to 100000",
                "--period soon | --period soon is not a duration; write 10s, 5m, 1h or 1d",
                "--period 1m30s | --period 1m30s is not a duration; write 90s",
                "--period 10ms | --period 10ms is out of range; write a duration from 100ms to 366d, in multiples of 4ms"
            })
    void wrongUsageIsOneLine(String arguments, String sentence) {
        Invocation wrong = CompareTest.compare(arguments.split(" "));
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).isEqualToIgnoringNewLines("sluice: " + sentence + " (see sluice compare --help)");
    }

    @Nested
    class ThePage {

        @Test
        void isOneFileThatNeedsNothingElse() throws IOException {
            Path page = directory.resolve("new/comparison.html");
            Invocation compare = CompareTest.compare("--limit", "10", "--html", page.toString());
            assertThat(compare.exitCode()).isZero();
            String html = Files.readString(page);
            assertThat(html.split("<svg class=\"course\"", -1)).hasSize(1 + 6);
            assertThat(html).contains("prefers-color-scheme: dark", "<td>sliding-log<td>");
            assertThat(html).doesNotContain("http://", "https://", "<script", "<link", "NaN", "Infinity");
        }

        @Test
        void replacesAPageOnlyIfToldSo() throws IOException {
            Path page = Files.writeString(directory.resolve("page.html"), "precious");
            Invocation compare = CompareTest.compare("--limit", "1", "--html", page.toString());
            assertThat(compare.exitCode()).isNotZero();
            assertThat(compare.out()).isEmpty();
            assertThat(compare.err()).contains(page + " already exists; write --force to replace it");
            assertThat(page).hasContent("precious");

            CompareTest.compare("--limit", "1", "--html", page.toString(), "--force");
            assertThat(page).content().startsWith("<!doctype html>");
        }

        @Test
        void thatCannotBeWrittenIsOneLine() {
            Invocation compare = CompareTest.compare("--limit", "1", "--html", directory.toString());
            assertThat(compare.exitCode()).isEqualTo(1);
            assertThat(compare.err())
                    .startsWith("sluice: cannot write " + directory + ": it is a directory; name a file in it");
        }
    }

    /**
     * {@code sluice compare --traffic edge --svg docs/algorithms} makes the charts and prints the tables; memory
     * depends on the machine.
     */
    @Test
    void theDocumentationShowsWhatIsPrinted() throws IOException {
        Invocation compare = CompareTest.compare("--traffic", "edge", "--svg", directory.toString());
        assertThat(compare.exitCode()).isZero();
        String printed = withoutMemory(compare.out());
        String table = printed.substring(printed.indexOf("algorithm"), printed.indexOf("\n\npassed"));
        assertThat(withoutMemory(
                        Files.readString(Path.of("docs", "algorithms.md")).replaceAll("(?m)^    ", "")))
                .contains(table);
        for (ComparedAlgorithm algorithm : ComparedAlgorithm.all(100, MINUTE, 10)) {
            String name = algorithm.name() + ".svg";
            assertThat(Path.of("docs", "algorithms", name)).hasSameTextualContentAs(directory.resolve(name));
        }
    }

    private static String withoutMemory(String text) {
        return text.replace("\r", "").replaceAll("(?m)(\\.\\d\\d) +\\d+$", "$1");
    }
}
