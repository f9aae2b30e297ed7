package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The project can be published on Maven Central, and its builds are reproducible. */
class PomTest {

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();
    private static final String RELEASE = "/project/profiles/profile[id='release']/build/plugins/plugin";

    private static final Pattern NAMED_VERSION = Pattern.compile(
            "<artifactId>sluice</artifactId>\\s*<version>([^<$]+)</version>|<sluice\\.version>([^<]+)</sluice\\.version>");

    private static final Path MAIN = Path.of("src/main/java");

    private static Document pom;

    @BeforeAll
    static void read() throws Exception {
        pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "groupId",
                "artifactId",
                "version",
                "name",
                "description",
                "url",
                "licenses/license/name",
                "licenses/license/url",
                "developers/developer/name",
                "developers/developer/organization",
                "developers/developer/organizationUrl",
                "scm/connection",
                "scm/developerConnection",
                "scm/url"
            })
    void saysWhatMavenCentralWantsToKnow(String element) throws Exception {
        assertThat(texts("/project/" + element)).singleElement().asString().isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "maven-javadoc-plugin",
                "maven-gpg-plugin",
                "cyclonedx-maven-plugin",
                "central-publishing-maven-plugin"
            })
    void aReleaseHasJavadocSignaturesAndABillOfMaterials(String plugin) throws Exception {
        assertThat(texts(RELEASE + "[artifactId='" + plugin + "']/version")).hasSize(1);
    }

    @Test
    void everyBuildHasASourcesJar() throws Exception {
        assertThat(texts("/project/build/plugins/plugin[artifactId='maven-source-plugin']//goal"))
                .containsExactly("jar-no-fork");
    }

    /** Central accepts no pom with other repositories, and a snapshot version may change each day. */
    @Test
    void needsNothingFromElsewhereAndNoSnapshots() throws Exception {
        assertThat(texts("//repository | //pluginRepository")).isEmpty();
        assertThat(texts("/project/version | //dependency/version | //plugin/version | /project/properties/*"))
                .noneMatch(version -> version.contains("SNAPSHOT"));
    }

    /** So whoever copies from a page or an example gets this version, and examples are built with it. */
    @Test
    void pagesExamplesAndBenchmarksNameThisVersion() throws Exception {
        String version = texts("/project/version").get(0);
        List<String> others = new ArrayList<>();
        int places = 0;
        for (Path file : pagesAndPoms()) {
            for (MatchResult named :
                    NAMED_VERSION.matcher(Files.readString(file)).results().toList()) {
                places++;
                String found = named.group(1) == null ? named.group(2) : named.group(1);
                if (!found.equals(version)) {
                    others.add(file + ": " + found);
                }
            }
        }
        assertThat(others).isEmpty();
        assertThat(places).isGreaterThan(12);
        assertThat(Files.readString(Path.of("CHANGELOG.md")))
                .containsPattern("(?m)^## " + Pattern.quote(version) + "\\b");
    }

    private static List<Path> pagesAndPoms() throws IOException {
        List<Path> files = new ArrayList<>(List.of(Path.of("README.md"), Path.of("benchmarks", "pom.xml")));
        for (Path folder : List.of(Path.of("docs"), Path.of("examples"), Path.of("src", "it"))) {
            try (Stream<Path> found = Files.walk(folder)) {
                found.filter(file -> file.toString().matches(".*(\\.md|pom\\.xml)"))
                        .filter(file -> !file.toString().contains("target"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    @Test
    void everyPluginHasAVersion() throws Exception {
        assertThat(texts("//plugin[not(version)][not(ancestor::profile)]/artifactId"))
                .isEmpty();
        assertThat(texts("//plugin/version")).noneMatch(version -> version.matches("LATEST|RELEASE|[\\[(].*"));
    }

    @Test
    void aBuildHasATimeOfItsOwn() throws Exception {
        assertThat(texts("/project/properties/project.build.outputTimestamp"))
                .singleElement()
                .asString()
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    }

    /** The API check compares exactly what applications can use. */
    @Test
    void theApiThatIsComparedIsWhatTheModuleExports() throws Exception {
        assertThat(new TreeSet<>(texts("//plugin[artifactId='japicmp-maven-plugin']//include")))
                .isEqualTo(exported());
    }

    @Test
    void javadocTellsOfWhatTheModulesExportAndOfNothingElse() throws Exception {
        List<String> hidden =
                List.of(texts(RELEASE + "//excludePackageNames").get(0).split(":"));
        Set<String> told = new TreeSet<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> MAIN.relativize(file.getParent()).toString().replace('/', '.'))
                    .filter(name -> hidden.stream().noneMatch(pattern -> isMeant(pattern, name)))
                    .forEach(told::add);
        }
        Set<String> forTests = Set.of("dev.sluice.test", "dev.sluice.test.spring");
        assertThat(told).containsAll(forTests);
        told.removeAll(forTests);
        assertThat(told).isEqualTo(exported());
    }

    /** What is for tests of applications is in a jar of its own, which can be a module. */
    @Test
    void theLibraryHasNothingForTests() throws Exception {
        String jars = "/project/build/plugins/plugin[artifactId='maven-jar-plugin']/executions/execution";
        assertThat(texts(jars + "[id='default-jar']//exclude")).contains("dev/sluice/test/**");
        assertThat(texts(jars + "[configuration/classifier='testing']//include"))
                .contains("dev/sluice/test/**");
        assertThat(texts(jars + "[configuration/classifier='testing']//Automatic-Module-Name"))
                .containsExactly("dev.sluice.testing");
    }

    private static boolean isMeant(String pattern, String name) {
        return pattern.endsWith(".*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    private static Set<String> exported() throws IOException {
        return Pattern.compile("^ *exports ([\\w.]+);", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("src/module/module-info.java")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The GitHub workflow and the promised versions of Java agree. */
    @Test
    void theWorkflowRunsEverythingOnTheOldestJavaAndOnNewOnes() throws IOException {
        String workflow = Files.readString(Path.of(".github/workflows/verify.yml"));
        assertThat(workflow).contains("java: [ 17, 21, 25 ]").contains("run: .ci/run");
    }

    private static List<String> texts(String path) throws Exception {
        NodeList found = (NodeList) XPATH.evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            Node node = found.item(i);
            texts.add(node.getTextContent().strip());
        }
        return texts;
    }
}
