package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.WebServer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Apache Tomcat 10.1, beside the Tomcat on the class path. The build copies it. */
public final class OlderTomcat {

    private static final Path JAR = Path.of("src/tests/target/tomcat-10/tomcat-embed-core.jar");

    private OlderTomcat() {}

    public static WebServer start(Application application) throws Exception {
        if (!Files.exists(JAR)) {
            throw new IllegalStateException(JAR + " is not there; mvn generate-test-resources copies it");
        }
        try {
            return (WebServer)
                    Holder.SERVER.getMethod("start", Application.class).invoke(null, application);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Shared by all tests, because Tomcat registers itself with the JVM. */
    private static final class Holder {

        private static final Class<?> SERVER = load();

        private static Class<?> load() {
            try {
                URL[] places = {
                    JAR.toUri().toURL(),
                    TomcatServer.class.getProtectionDomain().getCodeSource().getLocation()
                };
                Loader loader = new Loader(places, OlderTomcat.class.getClassLoader());
                loader.loadClass("org.apache.catalina.webresources.TomcatURLStreamHandlerFactory")
                        .getMethod("disable") // the JVM accepts only one such factory
                        .invoke(null);
                return loader.loadClass(TomcatServer.class.getName());
            } catch (IOException | ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Looks for Tomcat and its starter in its own places first. */
    private static final class Loader extends URLClassLoader {

        Loader(URL[] places, ClassLoader parent) {
            super(places, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.") && !name.startsWith(TomcatServer.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}
