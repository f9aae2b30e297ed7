package dev.sluice.internal.config.yaml;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes the bytes of a file, and checks that the text is safe for a YAML parser. */
public final class FileText {

    /**
     * The maximum length of a line. It bounds the length of tokens, because SnakeYAML's parsing time is quadratic in
     * the length of a token. Only block scalars can be longer than a line.
     */
    private static final int LONGEST_LINE = 100_000;

    private FileText() {}

    /**
     * Returns the text without its byte order mark. If the bytes are not text, reports an error and returns
     * {@code null}.
     */
    public static @Nullable String of(byte[] bytes, Findings findings) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(in).toString();
            String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
            return isFit(unmarked, findings) ? unmarked : null;
        } catch (CharacterCodingException e) {
            String before = new String(bytes, 0, in.position(), StandardCharsets.UTF_8);
            findings.add(ProblemCode.NOT_TEXT, endOf(before), "this is not UTF-8; save the file as UTF-8");
            return null;
        }
    }

    private static boolean isFit(String text, Findings findings) {
        int lineStart = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isForbidden(c)) {
                String sentence = String.format("the character U+%04X is not allowed in YAML; remove it", (int) c);
                findings.add(ProblemCode.NOT_TEXT, endOf(text.substring(0, i)), sentence);
                return false;
            }
            lineStart = c == '\n' || c == '\r' ? i + 1 : lineStart;
            if (i - lineStart == LONGEST_LINE) {
                String sentence = "the line is longer than " + LONGEST_LINE + " characters; break it up";
                findings.add(ProblemCode.TOO_MUCH, endOf(text.substring(0, lineStart)), sentence);
                return false;
            }
        }
        return true;
    }

    private static boolean isForbidden(char c) {
        boolean control = Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t' && c != '\u0085';
        return control || c == '\uFEFF' || c >= '\uFFFE';
    }

    /** Returns the position that follows this text. */
    private static FilePosition endOf(String text) {
        int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
        return FilePosition.WHOLE_FILE.at(line, text.length() - text.lastIndexOf('\n'));
    }
}
