package dev.sluice.internal.config.clients;

import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.limits.ClientDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The clients in a table file. When the file's content changes, the file is read again. If the new table contains a
 * mistake, it is rejected and the previous clients remain in force. Thread-safe, except that only one thread at a time
 * is allowed to call {@link #follow}.
 */
public final class FileClients implements ClientDirectory {

    private static final String SCHEME = "file:";
    private static final int MOST_BYTES = 1 << 26;

    private final Path path;
    private final Function<String, @Nullable String> toKey;
    private final Set<String> plans;
    private volatile CsvClients table;
    /** The fingerprint of the most recently read content, even if that content was invalid. */
    private long seen;

    private boolean isRefused;

    private FileClients(Path path, Function<String, @Nullable String> toKey, Set<String> plans)
            throws IOException, CsvClients.UnusableException {
        this.path = path;
        this.toKey = toKey;
        this.plans = plans;
        byte[] content = read();
        this.table = parse(content);
        this.seen = fingerprint(content);
    }

    /** Thrown if the table cannot be used. The message explains why. */
    public static final class UnusableException extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        private UnusableException(String why) {
            super(why);
        }
    }

    /** Whether a location names a file. */
    public static boolean isNamedBy(String location) {
        return location.startsWith(SCHEME);
    }

    /**
     * Reads the table at a location.
     *
     * @param location {@code file:} followed by a path
     * @param toKey a function that converts a client's value in the table to the client's key in counters. It returns
     *     {@code null} for a value that no caller can have
     * @param plans the names of the plans in the limits file
     */
    public static FileClients open(String location, Function<String, @Nullable String> toKey, Set<String> plans)
            throws UnusableException {
        try {
            String path = location.substring(SCHEME.length());
            return new FileClients(Path.of(path.startsWith("///") ? path.substring(2) : path), toKey, plans);
        } catch (InvalidPathException e) {
            throw new UnusableException("it is not the path of a file");
        } catch (IOException | CsvClients.UnusableException e) {
            throw new UnusableException(why(e));
        }
    }

    @Override
    public String planOf(String source, String sent, String key) {
        return table.planOf(key);
    }

    @Override
    public String nameOf(String source, String key) {
        return table.nameOf(key);
    }

    @Override
    public boolean lists(String key) {
        return table.lists(key);
    }

    @Override
    public List<Listed> listed(int most) {
        return table.listed(most);
    }

    @Override
    public List<Named> named(String name) {
        return table.named(name).stream().map(value -> new Named("", value)).toList();
    }

    /**
     * Returns the warnings about the table, by code. Each message completes a sentence that begins with the table's
     * name.
     */
    public Map<ProblemCode, String> doubts() {
        return table.doubts;
    }

    /** Returns the number of clients. */
    public int size() {
        return table.size();
    }

    /**
     * Loads the file if its content has changed.
     *
     * @param settles a function that waits briefly, or returns {@code false} if there is no time to wait. If the file
     *     changes during the wait, it is still being written
     * @param listener the listener that is notified of each change, even if the change is invalid
     */
    public void follow(Logger log, BooleanSupplier settles, RateLimitListener listener) {
        try {
            byte[] content = read();
            long fingerprint = fingerprint(content);
            if (fingerprint != seen && settles.getAsBoolean() && fingerprint(read()) == fingerprint) {
                seen = fingerprint;
                table = parse(content);
                Findings warnings = new Findings(path.toString());
                doubts().forEach((code, doubt) -> warnings.add(code, FilePosition.WHOLE_FILE, doubt));
                log.info(
                        "{} {} in force: {} clients{}",
                        path,
                        isRefused ? "can be used again and is" : "has changed and is",
                        size(),
                        Findings.lines(warnings.problems()));
                isRefused = false;
                listener.onClientTable(path.toString(), size());
            }
        } catch (IOException | CsvClients.UnusableException e) {
            if (e instanceof CsvClients.UnusableException || !isRefused) {
                log.warn(
                        "{} was not loaded. The {} previously loaded clients remain in force. The file is read "
                                + "again when it changes. Cause: {}",
                        path,
                        size(),
                        Quote.line(why(e)));
                Findings findings = new Findings(path.toString());
                findings.add(ProblemCode.CLIENT_TABLE, FilePosition.WHOLE_FILE, why(e));
                listener.onReloadRefused(new LimitsException(findings.problems()));
            }
            seen = e instanceof IOException ? 0 : seen;
            isRefused = true;
        }
    }

    private static String why(Exception e) {
        return e instanceof CsvClients.UnusableException ? String.valueOf(e.getMessage()) : Quote.message(e);
    }

    private byte[] read() throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new IOException(Files.exists(path) ? "it is not a regular file" : "there is no such file");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] content = in.readNBytes(MOST_BYTES + 1);
            if (content.length > MOST_BYTES) {
                throw new IOException("it is larger than " + MOST_BYTES + " bytes");
            }
            return content;
        }
    }

    private static long fingerprint(byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        return sum.getValue() << 28 | content.length;
    }

    private CsvClients parse(byte[] content) throws IOException, CsvClients.UnusableException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return CsvClients.parse(text.startsWith("\uFEFF") ? text.substring(1) : text, toKey, plans);
        } catch (CharacterCodingException e) {
            throw new IOException("it is not UTF-8", e);
        }
    }
}
