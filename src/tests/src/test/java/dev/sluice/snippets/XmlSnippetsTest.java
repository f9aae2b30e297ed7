package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.GivenFile;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/**
 * Each XML snippet of a page is either a web.xml with which Tomcat starts, or names a library in its tested version.
 */
@Tag("server")
@Tag("docs")
class XmlSnippetsTest {

    private static final String FILTER = """
        <filter>
          <filter-name>limits</filter-name>
          <filter-class>dev.sluice.servlet.RateLimitFilter</filter-class>
        """;

    static Stream<Snippet> webXml() {
        return Snippet.in("xml").stream()
                .filter(snippet ->
                        snippet.text().matches("(?s)<(filter|servlet|listener|context-param|init-param)>.*"));
    }

    static Stream<Snippet> dependencies() {
        return Snippet.in("xml").stream().filter(snippet -> snippet.text().startsWith("<dependency>"));
    }

    @ParameterizedTest
    @MethodSource("webXml")
    void startsInTomcat(Snippet snippet, @TempDir Path directory) throws Exception {
        if (snippet.text().startsWith("<init-param>")) {
            // of the filter; its classes are those that the page shows in Java
            assertThat(parsed(FILTER + snippet.text() + "</filter>")).isNotNull();
            String classes = Snippet.read(snippet.page());
            assertThat(snippet.text()
                            .lines()
                            .filter(line -> line.contains("com.example"))
                            .map(line -> line.replaceAll(".*\\.(\\w+)</param-value>.*", "$1")))
                    .anySatisfy(name -> assertThat(classes).contains("class " + name));
            return;
        }
        Path application = Files.createDirectories(directory.resolve("application"));
        Path inside = Files.createDirectories(application.resolve("WEB-INF"));
        Files.writeString(inside.resolve("web.xml"), webApplication(snippet.text()));
        Files.writeString(inside.resolve("rate-limits.yml"), GivenFile.SMALLEST);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false);
        Context context = tomcat.addWebapp("", application.toString());
        context.setParentClassLoader(getClass().getClassLoader());
        // an application of this page has no libraries whose classes Tomcat would have to read
        context.getJarScanner().setJarScanFilter((type, name) -> false);
        try {
            tomcat.start();
            assertThat(context.getState()).isEqualTo(LifecycleState.STARTED);
            assertThat(context.findFilterMaps().length + context.findServletMappings().length)
                    .isPositive();
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    /** A newcomer copies it into a pom of its own. */
    @ParameterizedTest
    @MethodSource("dependencies")
    void namesALibraryInTheVersionThatIsTested(Snippet snippet) throws Exception {
        Document dependency = parsed(snippet.text());
        Document pom = parsed(Files.readString(Path.of("pom.xml")));
        String artifact = text(dependency, "/dependency/artifactId");
        String group = text(dependency, "/dependency/groupId");
        String version = text(dependency, "/dependency/version");
        if (artifact.startsWith("sluice")) {
            assertThat(group).isEqualTo(text(pom, "/project/groupId"));
            assertThat(version).isEqualTo(text(pom, "/project/version"));
            return;
        }
        String place = "//dependency[artifactId='" + artifact + "']";
        assertThat(text(pom, place + "/groupId")).isEqualTo(group);
        String tested = text(pom, place + "/version").replaceAll("[${}]", "");
        assertThat(version).isEqualTo(text(pom, "/project/properties/" + tested));
    }

    /** A newcomer who builds with Gradle copies the line below it. */
    @ParameterizedTest
    @MethodSource("dependencies")
    void hasALineForGradle(Snippet snippet) throws Exception {
        Document dependency = parsed(snippet.text());
        String configuration = text(dependency, "/dependency/scope") + "Implementation";
        String coordinates = String.join(
                ":",
                text(dependency, "/dependency/groupId"),
                text(dependency, "/dependency/artifactId"),
                text(dependency, "/dependency/version"));
        String line = configuration.replaceFirst("^Impl", "impl") + "(\"" + coordinates + "\")";
        assertThat(Snippet.read(snippet.page())).contains("With Gradle: `" + line + "`");
    }

    @Test
    void areFound() {
        assertThat(webXml()).hasSizeGreaterThan(2);
        assertThat(dependencies()).hasSizeGreaterThan(1);
    }

    private static String webApplication(String part) {
        return "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.0\">\n" + part + "</web-app>\n";
    }

    private static Document parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static String text(Document document, String path) throws Exception {
        return XPathFactory.newInstance().newXPath().evaluate(path, document).strip();
    }
}
