package dev.sluice.internal.config.source;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.FileText;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.TextValues;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.config.yaml.YamlTree;
import dev.sluice.limits.ConfigSource;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A snapshot of a source: its bytes or values, or the reason why it could not be read. Immutable. */
public final class SourceContent {

    private final String name;
    private final byte[] bytes;
    private final @Nullable String failure;
    private final @Nullable ValueSource values;

    private SourceContent(String name, byte[] bytes, @Nullable String failure, @Nullable ValueSource values) {
        this.name = name;
        this.bytes = bytes;
        this.failure = failure;
        this.values = values;
    }

    public static SourceContent of(ConfigSource source) {
        if (source instanceof ValueSource values) {
            return new SourceContent(source.name(), new byte[0], null, values);
        }
        try {
            return new SourceContent(source.name(), source.read(), null, null);
        } catch (IOException | RuntimeException e) {
            return new SourceContent(source.name(), new byte[0], reason(e), null);
        }
    }

    /** Returns the source's name. */
    public String name() {
        return name;
    }

    /** Whether both snapshots contain the same bytes, or could not be read for the same reason. */
    public boolean isSameAs(SourceContent other) {
        return Arrays.equals(bytes, other.bytes) && Objects.equals(failure, other.failure);
    }

    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "this user has no permission to read the file";
        }
        return "the file cannot be read: " + Quote.message(e);
    }

    /** Parses the limits. If the content is empty or unreadable, reports an error and returns {@code null}. */
    public @Nullable Value value(Variables variables, Findings findings) {
        if (values != null) {
            return values.value(new TextValues(variables, findings));
        }
        String text = text(findings);
        return text == null ? null : new YamlTree(variables, findings).parse(text);
    }

    /**
     * Returns the content as text without a byte order mark. If the content is not text, reports an error and returns
     * {@code null}.
     */
    public @Nullable String text(Findings findings) {
        if (failure != null) {
            findings.add(ProblemCode.UNREADABLE, FilePosition.WHOLE_FILE, failure);
            return null;
        }
        if (bytes.length > ConfigSource.MAX_BYTES) {
            findings.add(
                    ProblemCode.TOO_MUCH,
                    FilePosition.WHOLE_FILE,
                    "the file is larger than " + ConfigSource.MAX_BYTES
                            + " bytes; keep only the limits that this service needs");
            return null;
        }
        return FileText.of(bytes, findings);
    }
}
