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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The project can be published on Maven Central, and its builds are reproducible. */
@Tag("docs")
class PomTest {

    private static final XPath XPATH = XPathFactory.newInstance().newXPath();
    private static final String RELEASE = "/project/profiles/profile[id='release']/build";

    private static final Pattern NAMED_VERSION = Pattern.compile("<artifactId>sluice[a-z-]*</artifactId>\\s*"
            + "<version>([^<$]+)</version>|<sluice\\.version>([^<]+)</sluice\\.version>");

    /** The published artifacts. Users get nothing else. */
    private static final List<String> PUBLISHED = List.of("sluice", "testing", "starter", "cli");

    private static final Path LIBRARY = Path.of("src/sluice/src/main/java");

    private static Document root;

    @BeforeAll
    static void read() throws Exception {
        root = parsed(Path.of("pom.xml"));
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
        assertThat(texts(root, "/project/" + element))
                .singleElement()
                .asString()
                .isNotBlank();
    }

    /** Central demands a name and a description of each artifact. A module inherits everything else from its parent. */
    @Test
    void eachModuleSaysWhatItIs() throws Exception {
        for (String module : PUBLISHED) {
            Document pom = module(module);
            assertThat(texts(pom, "/project/name")).as(module).hasSize(1);
            assertThat(texts(pom, "/project/description")).as(module).hasSize(1);
            assertThat(texts(pom, "/project/parent/version")).isEqualTo(texts(root, "/project/version"));
        }
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
        assertThat(texts(root, RELEASE + "//plugin[artifactId='" + plugin + "']/version"))
                .hasSize(1);
    }

    @Test
    void testsOfTheWholeAreNotPublished() throws Exception {
        Document tests = module("tests");
        assertThat(texts(tests, "/project/properties/maven.deploy.skip")).containsExactly("true");
        assertThat(texts(root, RELEASE + "//excludeArtifact")).isEqualTo(texts(tests, "/project/artifactId"));
    }

    /** Central accepts no pom with other repositories, and a snapshot version may change each day. */
    @Test
    void needsNothingFromElsewhereAndNoSnapshots() throws Exception {
        for (Document pom : poms()) {
            assertThat(texts(pom, "//repository | //pluginRepository")).isEmpty();
            assertThat(texts(pom, "/project/version | //dependency/version | //plugin/version | /project/properties/*"))
                    .noneMatch(version -> version.contains("SNAPSHOT"));
        }
    }

    /** Readers that copy from a page or an example get this version, and examples are built with it. */
    @Test
    void pagesExamplesAndBenchmarksNameThisVersion() throws Exception {
        String version = texts(root, "/project/version").get(0);
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
        List<Path> files = new ArrayList<>(List.of(Path.of("README.md")));
        for (Path folder : List.of(Path.of("docs"), Path.of("examples"), Path.of("src"))) {
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
        Set<String> managed = new TreeSet<>(texts(root, "//plugin[version]/artifactId"));
        for (Document pom : poms()) {
            assertThat(managed).containsAll(texts(pom, "//plugin/artifactId"));
            assertThat(texts(pom, "//plugin/version")).noneMatch(version -> version.matches("LATEST|RELEASE|[\\[(].*"));
        }
    }

    @Test
    void aBuildHasATimeOfItsOwn() throws Exception {
        assertThat(texts(root, "/project/properties/project.build.outputTimestamp"))
                .singleElement()
                .asString()
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    }

    /** The API check compares exactly what applications can use. */
    @Test
    void theApiThatIsComparedIsWhatTheModuleExports() throws Exception {
        assertThat(new TreeSet<>(texts(module("sluice"), "//plugin[artifactId='japicmp-maven-plugin']//include")))
                .isEqualTo(exported());
    }

    @Test
    void javadocHasWhatTheModuleExportsAndNothingElse() throws Exception {
        List<String> hidden = List.of(texts(module("sluice"), RELEASE + "//excludePackageNames")
                .get(0)
                .split(":"));
        Set<String> told = new TreeSet<>();
        try (Stream<Path> files = Files.walk(LIBRARY)) {
            files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> LIBRARY.relativize(file.getParent()).toString().replace('/', '.'))
                    .filter(name -> hidden.stream().noneMatch(pattern -> isMeant(pattern, name)))
                    .forEach(told::add);
        }
        assertThat(told).isEqualTo(exported());
    }

    /** The artifact for tests of applications can be a module too. */
    @Test
    void whatIsForTestsHasAModuleName() throws Exception {
        assertThat(texts(module("testing"), "//Automatic-Module-Name")).containsExactly("dev.sluice.testing");
    }

    private static boolean isMeant(String pattern, String name) {
        return pattern.endsWith(".*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }

    private static Set<String> exported() throws IOException {
        return Pattern.compile("^ *exports ([\\w.]+);", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("src/sluice/src/module/module-info.java")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The GitHub workflow and the promised versions of Java agree. */
    @Test
    void theWorkflowRunsEverythingOnTheOldestJavaAndOnNewOnes() throws IOException {
        String workflow = Files.readString(Path.of(".github/workflows/verify.yml"));
        assertThat(workflow).contains("java: [ 17, 21, 25 ]").contains("run: .ci/run");
        assertThat(Files.readString(Path.of("docs/compatibility.md"))).contains("| 17 |", "| 21 |", "| 25 |");
    }

    private static List<Document> poms() throws Exception {
        List<Document> poms = new ArrayList<>(List.of(root));
        for (String module : texts(root, "/project/modules/module")) {
            poms.add(parsed(Path.of(module, "pom.xml")));
        }
        return poms;
    }

    private static Document module(String name) throws Exception {
        return parsed(Path.of("src", name, "pom.xml"));
    }

    private static Document parsed(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    }

    private static List<String> texts(Document pom, String path) throws Exception {
        NodeList found = (NodeList) XPATH.evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            Node node = found.item(i);
            texts.add(node.getTextContent().strip());
        }
        return texts;
    }
}
