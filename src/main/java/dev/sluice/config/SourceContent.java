package dev.sluice.config;

import dev.sluice.LimitsException;
import dev.sluice.config.yaml.FilePosition;
import dev.sluice.config.yaml.FileText;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Quote;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a source held when it was read: bytes, or the reason why there are none. */
final class SourceContent {

    private final String name;
    private final byte[] bytes;
    private final @Nullable String failure;
    private final String fingerprint;

    private SourceContent(String name, byte[] bytes, @Nullable String failure, String fingerprint) {
        this.name = name;
        this.bytes = bytes;
        this.failure = failure;
        this.fingerprint = fingerprint;
    }

    static SourceContent of(ConfigSource source) {
        try {
            byte[] bytes = source.read();
            return new SourceContent(source.name(), bytes, null, sha256(bytes));
        } catch (IOException | RuntimeException e) {
            String failure = reason(e);
            return new SourceContent(source.name(), new byte[0], failure, failure);
        }
    }

    /** The source's name. */
    String name() {
        return name;
    }

    /** Equal for equal content. */
    String fingerprint() {
        return fingerprint;
    }

    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "the file may not be read by this user";
        }
        return "the file cannot be read: "
                + Quote.line(
                        Objects.requireNonNullElse(e.getMessage(), e.getClass().getName()));
    }

    /** The content as text, without a byte order mark; {@code null}, after a report, if it is none. */
    @Nullable String text(Findings findings) {
        if (failure != null) {
            findings.add(ProblemCode.UNREADABLE, FilePosition.WHOLE_FILE, failure);
            return null;
        }
        if (bytes.length > ConfigSource.MAX_BYTES) {
            findings.add(
                    ProblemCode.TOO_MUCH,
                    FilePosition.WHOLE_FILE,
                    "the file is larger than " + ConfigSource.MAX_BYTES
                            + " bytes; keep to the limits that this service needs");
            return null;
        }
        return FileText.of(bytes, findings);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The file this content makes. */
    LimitsFile parse(LoadContext context) {
        Findings findings = new Findings(name);
        LimitsFile file = new LimitsReader(context, findings).read(this);
        if (file == null || findings.failed()) {
            throw new LimitsException(findings.problems());
        }
        return file;
    }
}
