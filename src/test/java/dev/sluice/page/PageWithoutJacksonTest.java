package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.GivenFile;
import dev.sluice.config.Sluice;
import dev.sluice.servlet.contract.Application;
import dev.sluice.servlet.contract.WebServer;
import dev.sluice.servlet.tomcat.TomcatServer;
import jakarta.servlet.ServletRegistration;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Jackson is optional: without it the application starts, and the page says what to add. */
class PageWithoutJacksonTest {

    /** Run by a class loader that has no Jackson. */
    public static final class Visit implements Callable<List<String>> {

        public Visit() {}

        @Override
        public List<String> call() throws Exception {
            List<String> said = new ArrayList<>();
            try (Sluice sluice = Sluice.builder()
                            .config(new GivenFile(GivenFile.SMALLEST))
                            .open();
                    WebServer server = TomcatServer.start(Application.at("", (classes, context) -> {
                        ServletRegistration.Dynamic page =
                                context.addServlet("page", SluicePage.of(sluice).open());
                        page.setLoadOnStartup(1);
                        page.addMapping("/_sluice/*");
                    }))) {
                for (String path : List.of("", "data.json", "client.json?id=1", "events")) {
                    HttpResponse<String> answer = HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create(
                                                    "http://127.0.0.1:" + server.port() + "/_sluice/" + path))
                                            .build(),
                                    BodyHandlers.ofString());
                    said.add(answer.statusCode() + " " + answer.body());
                }
            }
            return said;
        }
    }

    /** Loads Sluice anew, has no Jackson, and shares all else: Tomcat can be loaded but once in a process. */
    private static final class WithoutJackson extends URLClassLoader {

        WithoutJackson(URL[] places) {
            super(places, PageWithoutJacksonTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.fasterxml.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.sluice.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    /** Where a class was loaded from. */
    private static URL place(Class<?> loaded) {
        return loaded.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    @SuppressWarnings("unchecked") // what the class above answers
    void saysWhatToAdd() throws Exception {
        URL[] places = {place(SluicePage.class), place(PageWithoutJacksonTest.class)};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new WithoutJackson(places)) {
            Thread.currentThread().setContextClassLoader(loader);
            Object visit =
                    loader.loadClass(Visit.class.getName()).getConstructor().newInstance();
            assertThat((List<String>) ((Callable<?>) visit).call())
                    .hasSize(4)
                    .containsOnly("503 The page needs Jackson, which is not on the class path: add the dependency "
                            + "com.fasterxml.jackson.core:jackson-databind (2.x).\n");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
