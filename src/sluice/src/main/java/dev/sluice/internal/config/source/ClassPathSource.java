package dev.sluice.internal.config.source;

import dev.sluice.limits.ConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * A source that reads a class path resource. The resource is located by the context class loader of the thread that
 * creates this source. Thread-safe.
 */
final class ClassPathSource implements ConfigSource {

    private final String resource;
    private final @Nullable URL url;

    ClassPathSource(String name) {
        resource = name.startsWith("/") ? name.substring(1) : name;
        url = find(resource);
    }

    private static @Nullable URL find(String resource) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        URL found = context == null ? null : context.getResource(resource);
        return found != null ? found : ClassPathSource.class.getClassLoader().getResource(resource);
    }

    @Override
    public String name() {
        return "classpath:" + resource;
    }

    @Override
    public byte[] read() throws IOException {
        if (url == null) {
            throw new NoSuchFileException(name());
        }
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // a cached jar would hide changes
        try (InputStream in = connection.getInputStream()) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }
}
