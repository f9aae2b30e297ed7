package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The message if MaxMind's reader is not on the class path. */
class MissingLibraryTest {

    @TempDir
    private Path folder;

    private static URLClassLoader withoutMaxMind() throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("maxmind")) {
                classPath.add(new File(entry).toURI().toURL());
            }
        }
        return new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private String said(String keys) throws Exception {
        try (URLClassLoader loader = withoutMaxMind()) {
            Class<?> asker = loader.loadClass(Asker.class.getName());
            return (String) asker.getMethod("ask", String.class).invoke(null, keys);
        }
    }

    @Test
    void aDatabaseIsAnErrorThatNamesTheLibrary() throws Exception {
        Path database = Files.write(
                folder.resolve("countries.mmdb"),
                new CountryFile("GeoLite2-Country").with("192.0.2.0/24", "FR").bytes());
        assertThat(said("country: { database: \"" + database + "\" }"))
                .endsWith("a database needs MaxMind's reader, which is not on the class path; add the dependency "
                        + "com.maxmind.geoip2:geoip2 [SL-146]");
    }

    @Test
    void aHeaderNeedsNoLibrary() throws Exception {
        assertThat(said("country: header:X-Country")).isEqualTo("[]");
    }

    /** Reads a file with the class path that this class is loaded from. */
    public static final class Asker {

        private Asker() {}

        public static String ask(String keys) {
            return GivenFile.with(keys).problems().toString().replaceAll("^\\[(.+)]$", "$1");
        }
    }
}
