package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.cli.Invocation;
import dev.sluice.cli.ServedFile;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.snippets.ShellBlock.Step;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command that a page shows does what the page says. {@code sluice} is run in this JVM, and {@code curl} against a
 * server; their output is compared with the page. Commands that need a build or a cluster are not run here. Commands of
 * Maven and Java may name only things that exist in the project, and {@code kubectl} only objects in the page's
 * manifests.
 */
@Timeout(120)
@Tag("store")
@Tag("docs")
class ShellSnippetsTest {

    /** Blocks that other tests run, by page and by the beginning of one of their commands. */
    private static final List<String[]> ELSEWHERE = List.of(
            new String[] {"docs/algorithms.md", "sluice compare"},
            new String[] {"docs/headers.md", "curl"},
            new String[] {"docs/jobs/monthly-quota.md", ""},
            new String[] {"docs/jobs/plans.md", ""},
            new String[] {"docs/operations.md", "sluice limits blocked"},
            new String[] {"docs/operations.md", "sluice limits unblock"},
            new String[] {"docs/spring.md", "curl"});

    /** Examples whose README {@code .ci/steps/examples} follows command by command. */
    private static final Pattern FOLLOWED = Pattern.compile("(?m)^follow_readme (\\S+)");

    /** Pages whose server it starts and whose dialogue it compares. */
    private static final Pattern FOLLOWED_PAGE = Pattern.compile("(?m)^follow_page (\\S+)");

    private static final Pattern MAVEN_IN_TEXT = Pattern.compile("`(?:… |mvn )([^`]*-D[^`]*|[^`]*:[^`]*)`");
    /** The overrides that were set before, by page and command. */
    private static final Map<String, String> BEFORE =
            Map.of("docs/operations.md: limits unset", "limits set acme get-product 5000/10s --for 8h");

    private static final String STORE = "redis://localhost:6379";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path directory;

    static Stream<ShellBlock> blocks() {
        return ShellBlock.all();
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void doesWhatThePageSays(ShellBlock block) throws Exception {
        if (isTestedElsewhere(block)) {
            return;
        }
        boolean isOfExample = block.page().startsWith("examples/");
        if (block.page().startsWith("docs/jobs/") && (block.has("curl") || block.has("for "))) {
            assertThat(found(FOLLOWED_PAGE)).contains(block.page());
        } else if (isOfExample && !usesTheCommandLine(block)) {
            assertThat(found(FOLLOWED)).contains(block.page().split("/", -1)[1]);
            Path example = block.snippet().page().getParent();
            block.steps().stream()
                    .filter(step -> step.command().startsWith("mvn "))
                    .forEach(step -> assertThat(MavenCommand.mistakes(example, step.words()))
                            .isEmpty());
        } else if (block.has("curl")) {
            callsAreAnsweredAsShown(block);
        } else {
            stepByStep(block, isOfExample ? block.snippet().page().getParent() : Path.of(""));
        }
    }

    private static Stream<String> found(Pattern step) {
        return step.matcher(Snippet.read(Path.of(".ci/steps/examples")))
                .results()
                .map(found -> found.group(1));
    }

    private static boolean usesTheCommandLine(ShellBlock block) {
        return block.snippet().text().contains("sluice-cli.jar");
    }

    private void stepByStep(ShellBlock block, Path start) throws Exception {
        Path project = start;
        for (Step step : block.steps()) {
            if (step.command().startsWith("cd ")) {
                project = Path.of(step.words().get(1));
                assertThat(project).isDirectory();
            } else {
                holds(step, block, project);
            }
        }
    }

    private static boolean isTestedElsewhere(ShellBlock block) {
        return ELSEWHERE.stream().anyMatch(each -> block.page().equals(each[0]) && block.has(each[1]));
    }

    /** One command that calls nobody over HTTP. */
    private void holds(Step step, ShellBlock block, Path project) throws Exception {
        List<String> words = step.words();
        String first = words.get(0);
        int jar = words.indexOf("-jar");
        if (first.equals("sluice") || (jar == 1 && words.get(2).endsWith("sluice-cli.jar"))) {
            sluice(words.subList(first.equals("sluice") ? 1 : 3, words.size()), step.output(), block, project);
        } else if (first.equals("mvn")) {
            assertThat(MavenCommand.mistakes(project, words)).isEmpty();
        } else if (first.equals("java")) {
            namesAProgramOfTheProject(words);
        } else if (first.equals("kubectl")) {
            namesWhatTheManifestsHave(words, block);
        } else {
            assertThat(step.command())
                    .as("a command that no test knows")
                    .isIn(".ci/run", ".ci/fast", "spec/check", "spec/check --replay");
        }
    }

    private void sluice(List<String> words, String shown, ShellBlock block, Path project) throws Exception {
        CommandWorld world = new CommandWorld(directory, project);
        if (words.get(0).equals("serve")) {
            assertServes(shown);
        } else if (words.contains("--store") || List.of("limits", "top").contains(words.get(0))) {
            withAStore(words, shown, block, world);
        } else {
            for (String yaml : yamlOf(block)) {
                world.write(block.page().equals("docs/command-line.md") ? "broken.yml" : "rate-limits.yml", yaml);
            }
            assertPrints(shown, world.run(words));
            int report = words.indexOf("--html");
            if (report >= 0) {
                assertThat(directory.resolve(words.get(report + 1))).isNotEmptyFile();
            }
        }
    }

    /** The first YAML of pages whose commands refer to it. */
    private static List<String> yamlOf(ShellBlock block) {
        return Snippet.in("yaml").stream()
                .filter(yaml -> yaml.page().equals(block.snippet().page()))
                .filter(yaml -> yaml.isOf("operations.md") || yaml.isOf("command-line.md"))
                .map(Snippet::text)
                .limit(1)
                .toList();
    }

    private static boolean prints(String shown, Invocation run) {
        return shown.isEmpty() ? run.exitCode() == 0 : ShownOutput.matches(shown, run.out() + run.err());
    }

    private static void assertPrints(String shown, Invocation run) {
        if (!prints(shown, run)) {
            assertThat(ShownOutput.of(run.out() + run.err()))
                    .as("exit code " + run.exitCode())
                    .isEqualTo(ShownOutput.of(shown));
        }
    }

    private static void assertServes(String shown) throws Exception {
        try (ServedFile served = new ServedFile("rate-limits.yml")) {
            if (!shown.isEmpty()) {
                assertThat(ShownOutput.of(served.printed())).isEqualTo(ShownOutput.of(shown));
            }
        }
    }

    private static final String PLANS = """
        plans: { pro: { multiply: 2 } }
        clients: { planFrom: "claim:plan" }
        """;

    /** A store in which two instances count together while their callers continue to call. */
    private void withAStore(List<String> words, String shown, ShellBlock block, CommandWorld world) throws Exception {
        world.replace(STORE, redis.patientUri());
        world.replace("redis://store:6379", redis.patientUri());
        List<String> all = new ArrayList<>(words);
        if (!words.contains("--store")) {
            all.addAll(List.of("--store", STORE));
        }
        if (words.get(0).equals("top") && !words.contains("--once")) {
            all.add("--once");
        }
        Path file = world.write("rate-limits.yml", "limits: { refresh: 100ms }\n" + fileOf(words, block));
        try (TwoInstances fleet = new TwoInstances(file, redis.patientUri())) {
            fleet.call("/product/1", "acme", 1);
            Eventually.await(
                    "two instances and a counter of acme",
                    () -> isKnown("sluice:{limits}:instance:*", 2) && isKnown("*X-Org-Id=acme*", 1));
            String before = BEFORE.get(block.page() + ": " + String.join(" ", words.subList(0, 2)));
            if (before != null) {
                Invocation set = world.run(new Step(before + " --store " + STORE, "").words());
                assertThat(set.exitCode()).as(set.err()).isZero();
            }
            boolean isRepeatable = !words.contains("set") && !words.contains("unset");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            Invocation run;
            do {
                fleet.call("/product/1", "acme", isOfRunbook(words, block) ? 600 : 5);
                fleet.call("/product/1", "globex", 2);
                fleet.call("/search", "globex", 11);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                run = world.run(all);
            } while (isRepeatable && !prints(shown, run) && System.nanoTime() < deadline);
            assertPrints(shown, run);
        }
    }

    /** The limits to which the commands of a page refer. */
    private static String fileOf(List<String> words, ShellBlock block) {
        if (isOfRunbook(words, block)) {
            String limits = Snippet.in("yaml").stream()
                    .filter(yaml -> yaml.isOf("operations.md"))
                    .findFirst()
                    .orElseThrow()
                    .text();
            return words.contains("--plan") ? PLANS + limits : limits;
        }
        return Snippet.read(Path.of("rate-limits.yml"));
    }

    private static boolean isOfRunbook(List<String> words, ShellBlock block) {
        return block.page().equals("docs/operations.md") || words.get(0).equals("top");
    }

    private static boolean isKnown(String pattern, int keys) {
        return ((List<?>) redis.call("KEYS", pattern)).size() >= keys;
    }

    private void callsAreAnsweredAsShown(ShellBlock block) throws Exception {
        if (block.page().equals("README.md")) {
            theReadmesCallsAreAnsweredAsItSays(block);
        } else {
            try (ServedFile served = new ServedFile("rate-limits.yml")) {
                String printed =
                        String.join("\n", bash(to(served, block.steps().get(0).command())));
                assertThat(ShownOutput.of(printed))
                        .isEqualTo(ShownOutput.of(block.steps().get(0).output()));
            }
        }
    }

    private static void theReadmesCallsAreAnsweredAsItSays(ShellBlock block) throws Exception {
        try (ServedFile served = new ServedFile("rate-limits.yml")) {
            List<String> answers = bash(to(served, block.snippet().text()));
            assertThat(answers.stream().filter(line -> line.startsWith("x-ratelimit-remaining:")))
                    .containsExactly("x-ratelimit-remaining: 999", "x-ratelimit-remaining: 999");
            List<String> logins =
                    answers.stream().filter(line -> line.matches("200|429")).toList();
            assertThat(logins).hasSize(6).startsWith("200", "200", "200", "200", "200");
            // unless a minute has ended in between, as the README says
            assertThat(logins.get(5)).isIn("429", "200");
        }
    }

    private static String to(ServedFile served, String calls) {
        return calls.replaceAll("(127\\.0\\.0\\.1|localhost):8080", "$1:" + served.port());
    }

    private static void namesAProgramOfTheProject(List<String> words) {
        int path = words.indexOf("-cp");
        if (path < 0) {
            assertThat(words.get(2)).isEqualTo("target/benchmarks.jar");
            return;
        }
        boolean isTest = words.get(path + 1).equals("src/tests/target/test-classes");
        String name = words.get(path + 2).replace('.', '/') + ".java";
        Path source = Path.of(isTest ? "src/tests/src/test/java" : "src/benchmarks/src/main/java", name);
        assertThat(source).content().contains("public static void main(");
        assertThat(words.stream().filter(word -> word.startsWith("--")))
                .allSatisfy(option -> assertThat(source).content().contains('"' + option + '"'));
    }

    private static void namesWhatTheManifestsHave(List<String> words, ShellBlock block) throws Exception {
        KubernetesObjects.of(block.snippet().page()).assertHas(words);
    }

    /** Commands of Maven in the text of a page, such as in tables. */
    @Test
    void mavenIsGivenWhatTheProjectHas() {
        List<String> commands = Snippet.pages().stream()
                .flatMap(page -> MAVEN_IN_TEXT.matcher(Snippet.read(page)).results())
                .map(found -> "mvn " + found.group(1).replace("… ", ""))
                .toList();
        assertThat(commands)
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThat(MavenCommand.mistakes(Path.of(""), new Step(command, "").words()))
                        .as(command)
                        .isEmpty());
    }

    /** The output of bash and its commands, including errors. */
    private static List<String> bash(String script) throws Exception {
        String quiet = "curl() { command curl -sS \"$@\"; }\n" + script;
        Process process = new ProcessBuilder("bash", "-c", quiet)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        List<String> printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .toList();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return printed;
    }
}
