package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The contract for stores, and what tests of other modules share, are a jar that needs no other test. */
class ContractJarTest {

    private static final Pattern INCLUDE = Pattern.compile("<include>(dev/sluice/[^<]+)</include>");
    private static final Path TEST_CLASSES = Path.of("src/sluice/target/test-classes");

    private static List<PathMatcher> included() throws IOException {
        String pom = Files.readString(Path.of("src/sluice/pom.xml"));
        int begin = pom.indexOf("<goal>test-jar</goal>");
        return INCLUDE.matcher(pom.substring(begin, pom.indexOf("</execution>", begin)))
                .results()
                .map(include -> FileSystems.getDefault().getPathMatcher("glob:" + include.group(1)))
                .toList();
    }

    @Test
    void hasAllThatItNeeds() throws IOException {
        List<PathMatcher> included = included();
        List<JavaClass> jar = new ClassFileImporter()
                .importPath(TEST_CLASSES).stream()
                        .filter(one -> isIn(included, one))
                        .toList();
        assertThat(jar).extracting(JavaClass::getSimpleName).contains("CounterStoreContract", "NewsContract");
        assertThat(jar.stream()
                        .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
                        .map(Dependency::getTargetClass)
                        .map(JavaClass::getBaseComponentType)
                        .filter(ContractJarTest::isOfOurTests)
                        .filter(one -> !isIn(included, one))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    private static boolean isIn(List<PathMatcher> included, JavaClass one) {
        Path file = Path.of(one.getName().replace('.', '/') + ".class");
        return included.stream().anyMatch(matcher -> matcher.matches(file));
    }

    private static boolean isOfOurTests(JavaClass one) {
        return Files.exists(TEST_CLASSES.resolve(one.getName().replace('.', '/') + ".class"));
    }
}
