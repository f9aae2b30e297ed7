package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * No classes use each other in a circle, so each can be understood from the classes that it uses. A nested class
 * belongs to the class around it. A sealed type names its permitted types, but that does not count as use.
 */
class CirclesTest {

    private static final JavaClasses CLASSES = ProductClasses.ALL;

    @Test
    void classesGoRoundInNoCircle() {
        Map<String, Set<String>> uses = uses();
        assertThat(uses).hasSizeGreaterThan(100);
        assertThat(circles(uses)).isEmpty();
    }

    @Test
    void aCircleIsFoundWithWhatLiesOnItAlone() {
        Map<String, Set<String>> uses = new TreeMap<>(Map.of(
                "above", new TreeSet<>(Set.of("one")),
                "one", new TreeSet<>(Set.of("other")),
                "other", new TreeSet<>(Set.of("one", "below")),
                "below", new TreeSet<>()));
        assertThat(circles(uses)).containsOnlyKeys("one", "other");
    }

    private static Map<String, Set<String>> uses() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            Set<String> used = uses.computeIfAbsent(outermost(type), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(resideInAPackage("dev.sluice.."))
                    .map(CirclesTest::outermost)
                    .filter(name -> !name.equals(outermost(type)))
                    .forEach(used::add);
        }
        return uses;
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    /** The classes in circles. Removes classes that use no other, or that no other uses, until only circles remain. */
    private static Map<String, Set<String>> circles(Map<String, Set<String>> uses) {
        boolean goesOn = true;
        while (goesOn) {
            Set<String> used = new HashSet<>();
            uses.values().forEach(used::addAll);
            goesOn = uses.entrySet().removeIf(use -> use.getValue().isEmpty() || !used.contains(use.getKey()));
            Collection<String> left = uses.keySet();
            uses.values().forEach(names -> names.retainAll(left));
        }
        return uses;
    }
}
