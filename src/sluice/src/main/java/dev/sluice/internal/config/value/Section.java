package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one map in the file. Reading a key marks it as known, and {@link #close()} reports all unknown keys. The
 * allowed keys are therefore exactly the keys that the code reads. Not thread-safe.
 */
public final class Section implements AutoCloseable {

    /**
     * A key that looks like a header. In a map whose keys are subjects, the user probably meant to use the header as a
     * source.
     */
    private static final Pattern LIKE_A_HEADER =
            Pattern.compile("[Xx]-[A-Za-z0-9-]{1,60}|[A-Z][a-z]++(?:-[A-Z][a-z]++)++");

    private final Map<String, Value.Field> fields;
    /** The keys that have not been read yet. */
    private final Map<String, Value.Field> unread;

    private final FilePosition position;
    private final Findings findings;
    /** The keys that readers have requested, whether or not the file contains them. */
    private final Set<String> known = new TreeSet<>();
    /** The message for each key that is not allowed here. */
    private final Map<String, String> refused = new HashMap<>();
    /** Additional candidates for guesses at the meaning of an unknown key. */
    private final Set<String> guesses = new TreeSet<>();
    /** The missing required keys, with an example for each. */
    private final Map<String, String> missing = new LinkedHashMap<>();
    /** The misspelt keys that were read in place of required keys, each with the required key. */
    private final Map<String, String> required = new HashMap<>();
    /** The shapes of optional keys that are missing or misspelt. */
    private final Map<String, Shape<?>> absent = new HashMap<>();

    private boolean valid = true;

    private Section(Map<String, Value.Field> fields, FilePosition position, Findings findings) {
        this.fields = fields;
        this.unread = new LinkedHashMap<>(fields);
        this.position = position;
        this.findings = findings;
    }

    private static Section of(Value.Fields map, Findings findings) {
        return new Section(map.fields(), map.position(), findings);
    }

    /** Returns the shape of a map whose keys are read one by one. */
    public static <T> Shape<T> shape(String example, Shape.Step<Section, T> keys) {
        return shape(value -> null, example, keys);
    }

    /**
     * Returns the shape of a map whose keys are read one by one.
     *
     * @param meant a function that suggests a map for a value of a different form. It returns {@code null} to suggest
     *     the example
     */
    public static <T> Shape<T> shape(
            Function<Value, @Nullable String> meant, String example, Shape.Step<Section, T> keys) {
        return map(meant, example).then((map, findings) -> {
            try (Section section = of(map, findings)) {
                return keys.read(section, findings);
            }
        });
    }

    /** Returns the value of an optional key; {@code null} if it is missing or invalid. Reports an invalid value. */
    public <T> @Nullable T optional(String key, Shape<T> shape) {
        Value value = take(key);
        if (value == null) {
            absent.put(key, shape);
            return null;
        }
        return read(value, shape);
    }

    /** Returns the value of an optional key; the default if it is missing or invalid. Reports an invalid value. */
    public <T> T optional(String key, Shape<T> shape, T byDefault) {
        T read = optional(key, shape);
        return read == null ? byDefault : read;
    }

    /**
     * Reads the value of a required key, even if the key is misspelt. If the key is missing or its value is invalid,
     * reports an error and returns {@code null}.
     */
    public <T> @Nullable T required(String key, Shape<T> shape, String example) {
        Value value = take(key);
        if (value != null) {
            return read(value, shape);
        }
        valid = false;
        Map.Entry<String, Value.Field> meant = misspelt(key);
        if (meant != null) {
            required.put(meant.getKey(), key);
            return read(meant.getValue().value(), shape);
        }
        missing.put(key, example);
        return null;
    }

    /**
     * Returns the unread key that is probably a misspelling of this key, with its value. {@link #close} still reports
     * the misspelling.
     */
    private Map.@Nullable Entry<String, Value.Field> misspelt(String key) {
        return findings.isFull()
                ? null
                : unread.entrySet().stream()
                        .filter(field -> key.equals(Nearest.keyMeant(field.getKey(), Set.of(key))))
                        .findFirst()
                        .orElse(null);
    }

    /** Whether an unread key is probably a misspelling of this key. */
    public boolean misspells(String key) {
        return misspelt(key) != null;
    }

    /** Returns the value of an unread key without marking the key as read; {@code null} if there is no such key. */
    public @Nullable Value unread(String key) {
        Value.Field field = unread.get(key);
        return field == null ? null : field.value();
    }

    /**
     * Returns the unread keys, in the order of the file.
     *
     * @param words candidates for guesses at the meaning of the remaining unread keys
     */
    public List<String> others(Set<String> words) {
        guesses.addAll(words);
        return List.copyOf(unread.keySet());
    }

    /** Returns the position at which the map starts. */
    public FilePosition position() {
        return position;
    }

    /** Returns the position of a key; if the key is missing, the position of the map. */
    public FilePosition position(String key) {
        Value.Field field = fields.get(key);
        return field == null ? position.key(key) : field.keyPosition();
    }

    private <T> @Nullable T read(Value value, Shape<T> shape) {
        T read = shape.read(value, findings);
        valid &= read != null;
        return read;
    }

    /** Whether all keys that have been read are valid and no required key is missing. */
    public boolean isValid() {
        return valid;
    }

    /** Returns the map under an optional key; an empty map if the key is missing. */
    public Section section(String key, String example) {
        return section(key, value -> null, example);
    }

    /**
     * Returns the map under an optional key; an empty map if the key is missing.
     *
     * @param meant a function that suggests a map for a value of a different form. It returns {@code null} to suggest
     *     the example
     */
    public Section section(String key, Function<Value, @Nullable String> meant, String example) {
        Value value = take(key);
        Value.Fields map = value == null ? null : map(meant, example).read(value, findings);
        return map == null ? new Section(Map.of(), position.key(key), findings) : of(map, findings);
    }

    private static Shape<Value.Fields> map(Function<Value, @Nullable String> meant, String example) {
        return Shapes.map(other -> Objects.requireNonNullElseGet(meant.apply(other), () -> Hints.map(other, example)));
    }

    /**
     * Returns the map under an optional key; an empty map if the key is missing. The map has one main key. If the file
     * contains a bare value in place of the map, the hint suggests a map that assigns this value to the main key.
     */
    public Section section(String key, String main, Shape<?> shape, String example) {
        return section(
                key,
                value -> value instanceof Value.Text text && !text.isMissing() && Hints.isValid(shape, text)
                        ? "{ " + main + ": " + text.asWritten() + " }"
                        : null,
                example);
    }

    /** Rejects a known key that makes no sense in combination with the other keys. The message is {@code why}. */
    public void misplaced(String key, String why) {
        findings.knows(position, key);
        mistaken(key, why);
    }

    /** Rejects a word that users might mistake for a key. The message is {@code why}. */
    public void mistaken(String word, String why) {
        refused.put(word, why);
        valid &= !unread.containsKey(word);
    }

    /** Allows a key without checking it. */
    public void ignored(String key) {
        take(key);
    }

    private @Nullable Value take(String key) {
        known.add(key);
        findings.knows(position, key);
        Value.Field field = unread.remove(key);
        return field == null ? null : field.value();
    }

    /** Reports unknown keys. Also reports missing keys, unless they are only misspelt. */
    @Override
    public void close() {
        unread.forEach(this::reportUnknown);
        missing.forEach((key, example) -> findings.add(
                ProblemCode.MISSING_KEY, position, "the key " + key + " is missing; write, for example, " + example));
    }

    private void reportUnknown(String key, Value.Field field) {
        String why = refused.get(key);
        if (why != null) {
            findings.add(ProblemCode.MISPLACED_KEY, field.keyPosition(), why);
        } else if (key.equals("<<")) {
            findings.add(
                    ProblemCode.UNKNOWN_KEY, field.keyPosition(), "merge keys are not supported; write out the keys");
        } else {
            String meant = meant(key);
            boolean isHeader = meant == null
                    && !guesses.isEmpty()
                    && LIKE_A_HEADER.matcher(key).matches();
            String hint = isHeader
                    ? "did you mean \"header:" + key + "\"?"
                    : meant == null
                            ? "the known keys are " + String.join(", ", words(Set.of()))
                            : "did you mean " + meant + "?";
            findings.add(ProblemCode.UNKNOWN_KEY, field.keyPosition(), Quote.of(key) + " is not a key here; " + hint);
            Shape<?> shape = meant == null ? null : absent.remove(meant);
            if (shape != null) {
                shape.read(field.value(), findings);
            }
        }
    }

    private @Nullable String meant(String key) {
        if (findings.isFull()) {
            return null;
        }
        String near = Nearest.to(key, words(refused.keySet()));
        return near != null ? near : byOtherName(key);
    }

    /**
     * Returns the key for which other limiters use this name; {@code null} if there is none. If several keys match,
     * prefers a missing required key, and otherwise a key that the file does not contain yet.
     */
    private @Nullable String byOtherName(String key) {
        Set<String> free = words(Set.of());
        free.removeAll(fields.keySet());
        return Stream.of(Set.of(required.getOrDefault(key, "")), free, known, words(refused.keySet()))
                .map(words -> Nearest.byOtherName(key, words))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private Set<String> words(Set<String> more) {
        Set<String> words = new TreeSet<>(known);
        words.addAll(guesses);
        words.addAll(more);
        return words;
    }
}
