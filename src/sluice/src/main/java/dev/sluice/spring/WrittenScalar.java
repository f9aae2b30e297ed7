package dev.sluice.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.io.Resource;

/**
 * Reads the original text of values in an {@code application.yml}. Spring Boot converts {@code off} and {@code NO} to
 * {@code false}, and {@code 010} to eight. A rate-limits.yml does not convert such values. Not thread-safe.
 */
final class WrittenScalar {

    private static final Pattern TRUTH = Pattern.compile("(?i:true|false|yes|no|on|off)(?=[\\s,\\]}]|$)");
    private static final Pattern NUMBER = Pattern.compile("[-+.]?[0-9][^\\s,\\[\\]{}]*");

    private final Map<Resource, List<String>> files = new HashMap<>();

    /** The original text of the value or, if it is unknown, the text of the converted value. */
    String of(Object value, @Nullable Origin origin) {
        Pattern form = value instanceof Boolean ? TRUTH : value instanceof Number ? NUMBER : null;
        if (form == null
                || !(PropertyPlace.unwrapped(origin) instanceof TextResourceOrigin inText)
                || inText.getLocation() == null
                || inText.getResource() == null) {
            return String.valueOf(value);
        }
        List<String> lines = files.computeIfAbsent(inText.getResource(), WrittenScalar::lines);
        int line = inText.getLocation().getLine();
        int column = inText.getLocation().getColumn();
        if (line >= lines.size() || column > lines.get(line).length()) {
            return String.valueOf(value);
        }
        Matcher written =
                form.matcher(lines.get(line)).region(column, lines.get(line).length());
        return written.lookingAt() ? written.group() : String.valueOf(value);
    }

    private static List<String> lines(Resource file) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(file.getInputStream(), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
