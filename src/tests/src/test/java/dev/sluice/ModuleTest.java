package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library as a module. An application can use the exported packages, on the module path and on the class path.
 */
@Timeout(120)
class ModuleTest {

    /** The required dependencies, and the servlet API that a container provides. */
    private static final Pattern NEEDED =
            Pattern.compile(".*[/\\\\](caffeine|snakeyaml|slf4j-api|jspecify)-[\\d.]+\\.jar");

    private static final Pattern OPTIONAL = Pattern.compile(
            ".*[/\\\\](jakarta.servlet-api|lettuce-core|netty-(common|transport)|mongodb-driver-[a-z]+|bson|micrometer-"
                    + "[a-z]+|context-propagation|geoip2|maxmind-db|jackson-[a-z]+|spring-security-[a-z0-9-]+|spring-data-[a-z]+|spring-boot(-[a-z]+)*|spring-[a-z]+|reactor-core|reactive-streams)-[\\d.]+(Final|RELEASE)?\\.jar");

    private static final String APPLICATION = """
        package shop;

        import dev.sluice.open.Sluice;

        public final class Shop {

            public static void main(String[] arguments) {
                try (Sluice limiter = Sluice.open(arguments[0])) {
                    for (int call = 0; call < 3; call++) {
                        System.out.println(limiter.decide(new Order()).admitted());
                    }
                }
                System.out.println(Sluice.class.getModule());
            }

            private record Order() implements dev.sluice.Call {

                @Override
                public String method() {
                    return "GET";
                }

                @Override
                public String path() {
                    return "/order";
                }

                @Override
                public String ip() {
                    return "192.0.2.1";
                }
            }
        }
        """;

    private static Path library;

    @TempDir
    private Path folder;

    /** The library as in its jar, with the module descriptor. */
    @BeforeAll
    static void makeModule(@TempDir Path made) throws IOException {
        library = made;
        List<String> options = new ArrayList<>(List.of(
                "-proc:none",
                "--release",
                "17",
                "-d",
                library.toString(),
                "--module-path",
                String.join(File.pathSeparator, classPath(NEEDED, OPTIONAL))));
        List<Path> sources = new ArrayList<>(List.of(Path.of("src/sluice/src/module/module-info.java")));
        try (Stream<Path> files = Files.walk(Path.of("src/sluice/src/main/java"))) {
            files.filter(file -> file.toString().endsWith(".java"))
                    // needs the actuator of Spring Boot 3, while tests run with that of 4
                    .filter(file -> !file.endsWith("HealthInSpringBoot3.java"))
                    .forEach(sources::add);
        }
        assertThat(compile(options, sources)).doesNotContain("error:");
        Path schema = Path.of("src/sluice/src/main/resources");
        try (Stream<Path> files = Files.walk(schema)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = library.resolve(schema.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    @Test
    void whatTheModuleKeepsToItselfIsNamedInternal() throws IOException {
        List<String> kept = new ArrayList<>(packages());
        Matcher exports = Pattern.compile("(?:exports|opens) ([a-z.]+);")
                .matcher(Files.readString(Path.of("src/sluice/src/module/module-info.java")));
        while (exports.find()) {
            assertThat(kept.remove(exports.group(1))).as(exports.group()).isTrue();
        }
        assertThat(kept).hasSizeGreaterThan(30).allMatch(name -> name.startsWith("dev.sluice.internal."));
    }

    private List<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(library.resolve("dev"))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> library.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .distinct()
                    .toList();
        }
    }

    @Test
    void anApplicationRunsOnTheModulePathAsOnTheClassPath() throws Exception {
        String required = "requires dev.sluice;";
        assertThat(compileApplication(APPLICATION, required)).doesNotContain("error:");
        Path limits = Files.writeString(folder.resolve("rate-limits.yml"), """
            - id: order
              pathPattern: /order
              tiers: [ { period: 1d, threshold: 2 } ]
            """);
        String modules = String.join(File.pathSeparator, classPath(NEEDED))
                + File.pathSeparator
                + library
                + File.pathSeparator
                + folder.resolve("shop");

        assertThat(run("--module-path", modules, "--module", "shop/shop.Shop", limits.toString()))
                .containsSubsequence("true", "true", "false", "module dev.sluice");
        assertThat(run("--class-path", modules, "shop.Shop", limits.toString()))
                .containsSubsequence("true", "true", "false", "unnamed module");
    }

    @Test
    void whatIsNotExportedCannotBeUsed() throws Exception {
        String insider = APPLICATION.replace(
                "private record", "dev.sluice.internal.limiter.CountingRateLimiter inside; private record");

        assertThat(compileApplication(insider, "requires dev.sluice;"))
                .contains("package dev.sluice.internal.limiter is not visible", "does not export it");
    }

    /** The jar for tests of applications, without any of the libraries that are optional. */
    @Test
    void limitsCanBeTestedWithoutJUnitAssertJAndSpring() throws Exception {
        Path testing = jarForTests();
        String source = APPLICATION
                .replace("try (Sluice limiter = Sluice.open(arguments[0])) {", """
                    dev.sluice.test.LimitsUnderTest limits = new dev.sluice.test.LimitsUnderTest();
                    Sluice.Builder builder = Sluice.builder().config(arguments[0]);
                    limits.customize(builder);
                    try (Sluice limiter = builder.open()) {
                        limits.exhaust("order", "ip=192.0.2.1");
                        System.out.println("refused: " + limits.admits("order", "ip=192.0.2.1"));
                        limits.reset();
                    """)
                .replace("Sluice.class.getModule()", "limits.getClass().getModule()");
        assertThat(compileApplication(source, "requires dev.sluice; requires dev.sluice.testing;", testing))
                .doesNotContain("error:");
        Path limits = Files.writeString(folder.resolve("rate-limits.yml"), """
            - id: order
              pathPattern: /order
              per: [ ip ]
              tiers: [ { period: 1d, threshold: 2 } ]
            """);
        String modules = String.join(File.pathSeparator, classPath(NEEDED))
                + File.pathSeparator
                + library
                + File.pathSeparator
                + testing
                + File.pathSeparator
                + folder.resolve("shop");

        assertThat(run("--module-path", modules, "--module", "shop/shop.Shop", limits.toString()))
                .containsSubsequence("refused: false", "true", "true", "false", "module dev.sluice.testing");
        assertThat(run("--class-path", modules, "shop.Shop", limits.toString()))
                .containsSubsequence("refused: false", "true", "true", "false", "unnamed module");
    }

    private Path jarForTests() throws IOException {
        Path jar = folder.resolve("testing.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", "dev.sluice.testing");
        Path classes = Path.of("src/testing/target/classes");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes.resolve("dev/sluice/test"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    private String compileApplication(String source, String required, Path... more) throws IOException {
        Path shop = Files.createDirectories(folder.resolve("source/shop"));
        Path descriptor = Files.writeString(
                folder.resolve("source/module-info.java"), "module shop { " + required + " exports shop; }");
        Path main = Files.writeString(shop.resolve("Shop.java"), source);
        return compile(
                List.of(
                        "-d",
                        Files.createDirectories(folder.resolve("shop")).toString(),
                        "--module-path",
                        String.join(File.pathSeparator, classPath(NEEDED, OPTIONAL))
                                + File.pathSeparator
                                + library
                                + Stream.of(more)
                                        .map(jar -> File.pathSeparator + jar)
                                        .collect(Collectors.joining())),
                List.of(descriptor, main));
    }

    /** The messages of the compiler. */
    private static String compile(List<String> options, List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
        }
        return said.toString();
    }

    private static List<String> run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return said.lines()
                    .map(line -> line.startsWith("unnamed module") ? "unnamed module" : line)
                    .toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> classPath(Pattern... wanted) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> Arrays.stream(wanted)
                        .anyMatch(pattern -> pattern.matcher(entry).matches()))
                .collect(Collectors.toList());
    }
}
