package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * What the library finds by name is in the jar's metadata for native images, or stands in {@code docs/compatibility.md}
 * with who has to name it. No image is built here. The command line is not part of it.
 */
class NativeMetadataTest {

    private static final Path PAGE = Path.of("docs/compatibility.md");
    private static final Path CLASSES = Path.of("target", "classes");
    private static final Path METADATA = Path.of("src/main/resources/META-INF/native-image/dev.sluice/sluice");

    /** The methods that find something by its name, or by what it looks like at run time. */
    private static final Pattern REFLECTIVE = Pattern.compile(String.join(
            "|",
            "java\\.lang\\.Class\\.(forName|newInstance|getResource.*|get(Declared)?(Class|Constructor|Field|Method)(e?s)?"
                    + "|getRecordComponents)",
            "java\\.lang\\.(ClassLoader|Module)\\.(loadClass|resources|get(System)?Resource.*)",
            "jakarta\\.servlet\\.ServletContext\\.getResource.*",
            "java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|define).*",
            "java\\.lang\\.reflect\\.(Method\\.invoke|Constructor\\.newInstance|Field\\.[gs]et.*|Proxy\\.newProxy.*)",
            "java\\.util\\.concurrent\\.atomic\\..*\\.newUpdater",
            "java\\.util\\.(ServiceLoader\\.load.*|ResourceBundle\\.getBundle)",
            "java\\.io\\.Object(In|Out)putStream\\.<init>",
            "java\\.beans\\.Introspector\\..*",
            "(java\\.security|javax\\.crypto|javax\\.net\\.ssl)\\..*\\.getInstance",
            "com\\.github\\.benmanes\\.caffeine\\.cache\\.Caffeine\\.(newBuilder|from)",
            "org\\.springframework\\.aop\\.framework\\..*\\.getProxy",
            "org\\.springframework\\.beans\\.(PropertyAccessorFactory|BeanUtils)\\..*",
            "org\\.springframework\\.util\\.(ReflectionUtils\\..*|ClassUtils\\.(forName|isPresent|resolveClassName))",
            "org\\.springframework\\.core\\.io\\.support\\.SpringFactoriesLoader\\..*"));

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("/dev/sluice/cli/"))
            .importPackages("dev.sluice");

    /** The reflective calls of the library, by the name of the class that makes them. */
    private static Map<String, Set<String>> reflectiveCalls() {
        Map<String, Set<String>> calls = new TreeMap<>();
        for (JavaClass one : LIBRARY) {
            Set<String> ofOne = one.getCodeUnitAccessesFromSelf().stream()
                    .map(access -> access.getTargetOwner().getName() + '.' + access.getName())
                    .filter(call -> REFLECTIVE.matcher(call).matches())
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!ofOne.isEmpty()) {
                String outermost = one.getName().replaceFirst("\\$.*", "");
                calls.computeIfAbsent(outermost, name -> new TreeSet<>()).addAll(ofOne);
            }
        }
        return calls;
    }

    /** The classes in the first column of the page's table. */
    private static Set<String> classesOfTable() throws IOException {
        String page = Files.readString(PAGE);
        String section = page.substring(page.indexOf("## Native images"));
        return section.substring(0, section.indexOf("\n## "))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .flatMap(names -> Pattern.compile("`(\\w+)`").matcher(names).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Test
    void eachReflectiveUseIsInTheTable() throws IOException {
        Set<String> known = classesOfTable();
        List<String> missing = reflectiveCalls().entrySet().stream()
                .filter(calls -> !known.contains(simple(calls.getKey())))
                .map(calls -> calls.getKey() + " calls " + String.join(", ", calls.getValue())
                        + ": add what it finds to reflect-config.json or resource-config.json in " + METADATA
                        + ", and the class to the table of \"Native images\" in " + PAGE
                        + " with who names what it finds")
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void eachClassOfTheTableUsesReflection() throws IOException {
        assertThat(reflectiveCalls().keySet().stream().map(NativeMetadataTest::simple))
                .as("the table of \"Native images\" in %s has classes that find nothing by name any more", PAGE)
                .containsAll(classesOfTable());
    }

    static Stream<JsonNode> entries() throws IOException {
        return elements(read("reflect-config.json"));
    }

    static Stream<JsonNode> resources() throws IOException {
        return elements(read("resource-config.json").path("resources").path("includes"));
    }

    private static JsonNode read(String file) throws IOException {
        return new ObjectMapper().readTree(METADATA.resolve(file).toFile());
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return switch (name) {
            case "boolean" -> boolean.class;
            default -> Class.forName(name, false, NativeMetadataTest.class.getClassLoader());
        };
    }

    private static String condition(JsonNode entry) {
        return entry.path("condition").path("typeReachable").asText();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void isThere(JsonNode entry) throws ReflectiveOperationException {
        assertThat(entry.fieldNames())
                .toIterable()
                .isSubsetOf("condition", "name", "fields", "methods", "allRecordComponents", "allDeclaredMethods");
        assertThat(LIBRARY.contain(condition(entry))).as(condition(entry)).isTrue();
        Class<?> type = type(entry.path("name").asText());
        for (JsonNode field : entry.path("fields")) {
            assertThat(type.getDeclaredField(field.path("name").asText())).isNotNull();
        }
        for (JsonNode method : entry.path("methods")) {
            assertThat(method.path("name").asText()).isEqualTo("<init>");
            Class<?>[] parameters = new Class<?>[method.path("parameterTypes").size()];
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] = type(method.path("parameterTypes").path(i).asText());
            }
            assertThat(type.getDeclaredConstructor(parameters)).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("resources")
    void matchesAFileOrTheLimits(JsonNode include) throws IOException {
        assertThat(LIBRARY.contain(condition(include))).as(condition(include)).isTrue();
        Pattern pattern = Pattern.compile(include.path("pattern").asText());
        assertThat(Stream.concat(files().stream(), Stream.of("rate-limits.yml")))
                .anyMatch(file -> pattern.matcher(file).matches());
    }

    /** The files of the library that are no classes, as names of resources. */
    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES.resolve("dev/sluice"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> CLASSES.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.endsWith(".class") && !name.startsWith("dev/sluice/cli/"))
                    // Read by editors, not by the library.
                    .filter(name -> !name.equals("dev/sluice/rate-limits.schema.json"))
                    .toList();
        }
    }

    private static boolean isIncluded(String resource) throws IOException {
        return resources()
                .anyMatch(include -> resource.matches(include.path("pattern").asText()));
    }

    @Test
    void everyFileOfTheLibraryIsIncluded() throws IOException {
        assertThat(files())
                .contains("dev/sluice/page/index.html", "dev/sluice/internal/store/redis/exchange/batch.lua");
        for (String file : files()) {
            assertThat(isIncluded(file))
                    .as("add %s to %s", file, METADATA.resolve("resource-config.json"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rate-limits.yml", "config/rate-limits.yml"})
    void theUsualPlacesOfTheLimitsAreIncluded(String resource) throws IOException {
        assertThat(isIncluded(resource)).isTrue();
    }

    /** Whether there is an entry for a class with such a member, if the user of the class is reachable. */
    private static boolean isNamed(String user, Class<?> type, String members, String member) throws IOException {
        return entries()
                .filter(entry -> condition(entry).equals(user))
                .filter(entry -> entry.path("name").asText().equals(type.getName()))
                .anyMatch(entry -> elements(entry.path(members))
                        .anyMatch(one -> one.path("name").asText().equals(member)));
    }

    @Test
    void eachFieldOfAHandleIsNamed() throws IOException, ReflectiveOperationException {
        Set<String> handled = new TreeSet<>();
        for (JavaClass one : LIBRARY) {
            if (one.getFields().stream().noneMatch(field -> field.getRawType().isEquivalentTo(VarHandle.class))) {
                continue;
            }
            for (Field field : type(one.getName()).getDeclaredFields()) {
                if (field.getType() == VarHandle.class && Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    VarHandle handle = (VarHandle) field.get(null);
                    handled.add(handle.coordinateTypes().get(0).getName()
                            + ' '
                            + handle.describeConstable().orElseThrow().constantName());
                }
            }
        }
        Set<String> named = entries()
                .filter(entry -> condition(entry).equals(entry.path("name").asText()))
                .flatMap(entry -> elements(entry.path("fields"))
                        .map(field ->
                                condition(entry) + ' ' + field.path("name").asText()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named)
                .as(
                        "the fields of handles in reflect-config.json in %s, each with its class as the condition",
                        METADATA)
                .isEqualTo(handled)
                .isNotEmpty();
    }

    /** The record, and those that its components may hold. */
    private static void addRecords(Type type, Set<Class<?>> records) {
        if (type instanceof ParameterizedType list) {
            Arrays.stream(list.getActualTypeArguments()).forEach(one -> addRecords(one, records));
        } else if (type instanceof Class<?> one
                && one.isRecord()
                && one != CounterKey.class // written as its text
                && records.add(one)) {
            for (RecordComponent component : one.getRecordComponents()) {
                addRecords(component.getGenericType(), records);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.sluice.internal.page.content.PageData",
                "dev.sluice.internal.page.content.PageData$StandingsData",
                "dev.sluice.limits.LimiterDiagnostics",
                "dev.sluice.Subject",
                "dev.sluice.Block$Cause"
            })
    void theRecordsThatAreWrittenAsJsonAreNamed(String root) throws IOException, ReflectiveOperationException {
        Set<Class<?>> records = new HashSet<>();
        addRecords(type(root), records);
        assertThat(records).isNotEmpty();
        for (Class<?> one : records) {
            assertThat(entries()
                            .filter(entry -> entry.path("name").asText().equals(one.getName()))
                            .filter(entry -> condition(entry).equals(one.getName()))
                            .anyMatch(entry -> entry.path("allRecordComponents").asBoolean()
                                    && entry.path("allDeclaredMethods").asBoolean()))
                    .as("add the record %s to reflect-config.json in %s", one.getName(), METADATA)
                    .isTrue();
        }
    }

    /** Caffeine makes its caches and their entries of classes whose names it puts together from the settings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.sluice.internal.config.clients.AskedClients",
                "dev.sluice.internal.limiter.block.BegunBlocks",
                "dev.sluice.internal.limiter.counter.CounterFamilies"
            })
    void theClassesThatCaffeineChoosesAreNamed(String user) throws IOException, ReflectiveOperationException {
        Constructor<?> constructor = Arrays.stream(type(user).getDeclaredConstructors())
                .filter(one -> Arrays.stream(one.getParameterTypes()).noneMatch(Class::isPrimitive))
                .findFirst()
                .orElseThrow();
        constructor.setAccessible(true);
        Object made = constructor.newInstance(Arrays.stream(constructor.getParameterTypes())
                .map(parameter -> parameter == Logger.class ? NOPLogger.NOP_LOGGER : null)
                .toArray());
        int caches = 0;
        for (Field field : made.getClass().getDeclaredFields()) {
            if (field.getType().getName().startsWith("com.github.benmanes.caffeine.")) {
                Object bounded = value(value(made, field.getName()), "cache");
                Object entries = value(bounded, "nodeFactory");
                assertChoiceIsNamed(user, bounded.getClass(), "fields", "FACTORY");
                assertChoiceIsNamed(user, bounded.getClass(), "methods", "<init>");
                assertChoiceIsNamed(user, entries.getClass(), "methods", "<init>");
                caches++;
            }
        }
        assertThat(caches).isPositive();
        if (made instanceof AutoCloseable closeable) {
            close(closeable);
        }
    }

    private static void close(AutoCloseable made) {
        try {
            made.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertChoiceIsNamed(String user, Class<?> type, String members, String member)
            throws IOException {
        assertThat(isNamed(user, type, members, member))
                .as("add %s with %s to reflect-config.json in %s, for %s", type.getName(), member, METADATA, user)
                .isTrue();
    }

    private static Object value(Object holder, String name) throws ReflectiveOperationException {
        for (Class<?> type = holder.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field.get(holder);
                }
            }
        }
        throw new NoSuchFieldException(holder.getClass() + " has no field " + name);
    }
}
