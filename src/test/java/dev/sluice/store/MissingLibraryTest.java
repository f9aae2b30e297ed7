package dev.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.store.memory.InMemoryCounterStore;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lettuce and the driver of MongoDB are optional: without them the memory store works, and they are asked for by name. */
class MissingLibraryTest {

    private static Object open(String uri) throws Exception {
        List<String> places =
                Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        URL[] withoutLettuce = places.stream()
                .filter(place -> place.endsWith("classes") || place.contains("slf4j-api"))
                .map(MissingLibraryTest::url)
                .toArray(URL[]::new);
        assertThat(withoutLettuce).isNotEmpty();
        try (URLClassLoader loader = new URLClassLoader(withoutLettuce, ClassLoader.getPlatformClassLoader())) {
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
                    .hasMessageEndingWith(" needs the driver of MongoDB, which is not on the class path: add the "
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
                            + "dependency io.lettuce:lettuce-core (7.x)")
                    .hasMessageNotContaining("s3cret");
        }
    }
}
