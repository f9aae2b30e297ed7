package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings in one map of an {@code application.yml}, as Spring reads them. {@code rate-limits}, {@code rateLimits}
 * and {@code rate_limits} are the same key. Our code spells it {@code ratelimits}. Values can contain placeholders.
 * This class records which settings were not read, so that the import can list them. Values of the wrong type are
 * reported as errors, because Spring would also reject them. Not thread-safe.
 */
final class SpringSettings {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^{}:]*)(?::([^{}]*))?}");

    private final Map<String, Value.Field> fields = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final FilePosition position;
    private final Findings findings;
    private final Draft draft;

    /** @param draft the draft. It receives a remark for each value whose placeholders are replaced by their defaults */
    SpringSettings(Value.Fields map, Findings findings, Draft draft) {
        this.position = map.position();
        this.findings = findings;
        this.draft = draft;
        merge(map, 0);
    }

    /** Adds the map's settings, followed by those of the maps that it merges with {@code <<}. */
    private void merge(Value.Fields map, int depth) {
        map.fields().forEach((key, field) -> {
            if (!key.equals("<<")) {
                fields.putIfAbsent(key(key), field);
            }
        });
        Value.Field merged = map.fields().get("<<");
        // An alias can contain itself, so the depth is limited.
        if (merged == null || depth > 10) {
            return;
        }
        List<Value> maps = merged.value() instanceof Value.Items items ? items.values() : List.of(merged.value());
        for (Value other : maps) {
            if (other instanceof Value.Fields more) {
                merge(more, depth + 1);
            } else {
                wrongType(other, "a map");
            }
        }
    }

    private static String key(String written) {
        return written.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    /** Resolves the placeholders in a text. If a placeholder has no default, reports this and returns {@code null}. */
    private @Nullable String resolved(Value.Text text) {
        String value = text.content();
        Matcher placeholder = PLACEHOLDER.matcher(value);
        if (!placeholder.find()) {
            return value;
        }
        StringBuilder result = new StringBuilder();
        do {
            String otherwise = placeholder.group(2);
            if (otherwise == null) {
                return findings.refuse(
                        ProblemCode.VARIABLE,
                        text,
                        " has no default, so import cannot determine its value; write the value into a copy of"
                                + " the file");
            }
            placeholder.appendReplacement(result, Matcher.quoteReplacement(otherwise));
        } while (placeholder.find());
        String resolved = placeholder.appendTail(result).toString();
        draft.remark(
                Kind.DIFFERENT,
                text.position(),
                Quote.of(text.content()) + " is replaced by its default, " + Quote.of(resolved));
        return resolved;
    }

    FilePosition position() {
        return position;
    }

    /** Returns the position of a setting or, if the setting is missing, the position of the map. */
    FilePosition position(String key) {
        Value.Field field = fields.get(key);
        return field == null ? position : field.keyPosition();
    }

    /** Returns the key of a setting as spelled in the file. */
    String written(String key) {
        String path = position(key).path();
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Whether the setting has a value. */
    boolean has(String key) {
        return value(key) != null;
    }

    /** Returns the keys in file order. */
    List<String> keys() {
        return List.copyOf(fields.keySet());
    }

    /** Returns the value, regardless of its type; {@code null} if there is none. */
    @Nullable Value value(String key) {
        asked.add(key);
        Value.Field field = fields.get(key);
        return field == null || (field.value() instanceof Value.Text text && text.isMissing()) ? null : field.value();
    }

    /** Returns a setting as a text; {@code null} if it is missing or has a different type. A wrong type is reported. */
    @Nullable String text(String key) {
        Value value = value(key);
        if (value == null || value instanceof Value.Broken) {
            return null;
        }
        return value instanceof Value.Text text ? resolved(text) : wrongType(value, "a text");
    }

    String text(String key, String otherwise) {
        String text = text(key);
        return text == null ? otherwise : text;
    }

    /**
     * Returns a setting as a whole number of at least 0; {@code null} if it is missing or has a different type. A wrong
     * type is reported.
     */
    @Nullable Long number(String key) {
        String text = text(key);
        if (text == null) {
            return null;
        }
        String digits = text.strip().replace("_", "");
        if (!digits.matches("\\+?\\d{1,18}")) {
            return wrongType(Objects.requireNonNull(value(key)), "a whole number");
        }
        return Long.valueOf(digits);
    }

    boolean truth(String key, boolean otherwise) {
        String text = text(key);
        if (text == null) {
            return otherwise;
        }
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (!Set.of("true", "false", "yes", "no", "on", "off").contains(word)) {
            wrongType(Objects.requireNonNull(value(key)), "true or false");
        }
        return Set.of("true", "yes", "on").contains(word);
    }

    /**
     * Returns the meaning of a word, regardless of its case. If the word is unknown, reports this and returns {@code
     * null}.
     */
    <T> @Nullable T word(String key, String otherwise, Map<String, T> meanings, String sentence) {
        String word = text(key, otherwise);
        T meaning = meanings.get(key(word));
        return meaning != null
                ? meaning
                : findings.refuse(ProblemCode.UNKNOWN_WORD, position(key), Quote.of(word) + sentence);
    }

    /** Returns a setting as a map; {@code null} if it is missing or has a different type. A wrong type is reported. */
    @Nullable SpringSettings map(String key) {
        Value value = value(key);
        if (value == null || value instanceof Value.Broken) {
            return null;
        }
        return value instanceof Value.Fields map ? new SpringSettings(map, findings, draft) : wrongType(value, "a map");
    }

    /** Returns the maps in a list. A single map is treated as a list. */
    List<SpringSettings> maps(String key) {
        List<SpringSettings> maps = new ArrayList<>();
        for (Value item : items(key)) {
            if (item instanceof Value.Fields map) {
                maps.add(new SpringSettings(map, findings, draft));
            } else if (!(item instanceof Value.Broken)) {
                wrongType(item, "a map");
            }
        }
        return maps;
    }

    /** Returns the texts in a list, or the comma-separated parts of a text. */
    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (Value item : items(key)) {
            String text = item instanceof Value.Text one ? resolved(one) : wrongType(item, "a text");
            if (text != null) {
                Arrays.stream(text.split(",")).map(String::strip).forEach(texts::add);
            }
        }
        return texts;
    }

    /** Returns the values in a list. A single value is treated as a list. */
    List<Value> items(String key) {
        Value value = value(key);
        if (value == null) {
            return List.of();
        }
        return value instanceof Value.Items items ? items.values() : List.of(value);
    }

    /** Returns the keys of the settings that were not read. */
    List<String> unread() {
        return fields.keySet().stream().filter(key -> !asked.contains(key)).toList();
    }

    /** Reports a missing setting. */
    void missing(String sentence) {
        findings.add(ProblemCode.MISSING_KEY, position, sentence);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // null is accepted for every type
    private <T> @Nullable T wrongType(Value value, String expected) {
        if (value instanceof Value.Text text) {
            return findings.refuse(ProblemCode.WRONG_TYPE, text, " appears where " + expected + " is expected");
        }
        String found = value instanceof Value.Items ? "a list" : "a map";
        return value instanceof Value.Broken
                ? null
                : findings.refuse(
                        ProblemCode.WRONG_TYPE,
                        value.position(),
                        found + " appears where " + expected + " is expected");
    }
}
