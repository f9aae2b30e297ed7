package dev.sluice.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.internal.store.memory.InMemoryCounterStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lettuce and the driver of MongoDB are optional: without them the memory store works, and they are asked for by name.
 */
class MissingLibraryTest {

    private static Object open(String uri, String... libraries) throws Exception {
        List<String> places =
                Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        List<String> wanted = new ArrayList<>(List.of("classes", "slf4j-api"));
        wanted.addAll(List.of(libraries));
        List<URL> known = Stream.concat(
                        places.stream()
                                .filter(place -> wanted.stream()
                                        .anyMatch(part -> place.endsWith(part)
                                                || new File(place).getName().startsWith(part + '-'))),
                        Stream.of(libraries).filter(library -> library.endsWith(".jar")))
                .map(MissingLibraryTest::url)
                .toList();
        assertThat(known).isNotEmpty();
        try (URLClassLoader loader =
                new URLClassLoader(known.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            return loader.loadClass(CounterStores.class.getName())
                    .getMethod("open", String.class)
                    .invoke(null, uri);
        }
    }

    private static URL url(String place) {
        try {
            return new File(place).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(place, e);
        }
    }

    @Test
    void memoryWorks() throws Exception {
        assertThat(open("memory:").getClass().getName()).isEqualTo(InMemoryCounterStore.class.getName());
    }

    @Test
    void mongoIsRefusedWithTheDependencyToAdd() {
        for (String uri : List.of("mongodb://u:s3cret@h", "mongodb+srv://u:s3cret@db.example.com/x")) {
            assertThatThrownBy(() -> open(uri))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("store uri " + uri.substring(0, uri.indexOf(':')) + "://")
                    .hasMessageEndingWith(" needs the MongoDB driver, which is not on the class path: add the "
                            + "dependency org.mongodb:mongodb-driver-sync (5.x)")
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void redisIsRefusedWithTheDependencyToAdd() {
        for (String uri : List.of("redis://u:s3cret@h", "redis-cluster://a,b", "redis-sentinel://a#m")) {
            assertThatThrownBy(() -> open(uri))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("store uri " + uri.substring(0, uri.indexOf(':')) + "://")
                    .hasMessageEndingWith(" needs the Redis client Lettuce, which is not on the class path: add the "
                            + "dependency io.lettuce:lettuce-core (7.x, or 6.5 and later)")
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void redisIsRefusedWithALettuceThatIsTooOld(@TempDir Path folder) throws Exception {
        assertThatThrownBy(() -> open("redis://u:s3cret@h", lettuce(folder, "6.4.2.RELEASE/f1e1b49")))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("store uri redis://h:6379 needs Lettuce 6.5 or later, but 6.4.2.RELEASE is on the class "
                        + "path: use a newer version of the dependency io.lettuce:lettuce-core (7.x, or 6.5 and "
                        + "later)");
    }

    @Test
    void redisIsRefusedWithALettuceThatLacksItsOwnLibraries() {
        assertThatThrownBy(() -> open("redis://u:s3cret@h", "lettuce-core"))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("store uri redis://h:6379 cannot use Lettuce 7[^ ]* from the class "
                        + "path \\(java.lang.NoClassDefFoundError: \\S+\\): add the dependency io.lettuce:lettuce-core "
                        + "\\(7.x, or 6.5 and later\\) with all its dependencies, in the versions that it requires");
    }

    /** A jar that says to be this version, with a client that cannot do anything. */
    private static String lettuce(Path folder, String version) throws Exception {
        Path source = folder.resolve("RedisClient.java");
        Files.writeString(source, "package io.lettuce.core; public class RedisClient {}");
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(failed).isZero();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "Lettuce");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        Path jar = folder.resolve("old.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            String name = "io/lettuce/core/RedisClient.class";
            out.putNextEntry(new JarEntry(name));
            out.write(Files.readAllBytes(folder.resolve(name)));
            out.closeEntry();
        }
        return jar.toString();
    }
}
