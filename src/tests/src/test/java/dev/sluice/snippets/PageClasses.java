package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The whole classes that a page shows, compiled. */
final class PageClasses implements AutoCloseable {

    private static final Pattern CLASS = Pattern.compile("^(?:final class|record) (\\w+)", Pattern.MULTILINE);

    private final URLClassLoader classes;

    /** Compiles them into a folder, and finds as many as are expected. */
    PageClasses(String page, Path directory, int expected) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Snippet snippet : Snippet.in("java")) {
            Matcher name = CLASS.matcher(snippet.text());
            if (snippet.isOf(page) && name.find()) {
                sources.add(Files.writeString(directory.resolve(name.group(1) + ".java"), snippet.text()));
            }
        }
        assertThat(sources).hasSize(expected);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-d", directory.toString(), "-classpath", classPath);
            assertThat(compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                            .call())
                    .as(said.toString())
                    .isTrue();
        }
        classes = new URLClassLoader(new URL[] {directory.toUri().toURL()}, PageClasses.class.getClassLoader());
    }

    <T> T create(Class<T> type, String name, Object... arguments) throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName(name, true, classes).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return type.cast(constructor.newInstance(arguments));
    }

    Class<?> find(String name) throws ClassNotFoundException {
        return Class.forName(name, true, classes);
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}
