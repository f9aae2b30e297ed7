package dev.sluice.spring;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.limits.ConfigSource;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * The limits that stand under {@code sluice.limits} in the application's properties: the tree of the file, written out
 * as such a file. What is wrong with it is told with the property's name and place.
 */
final class PropertyLimits implements ConfigSource {

    static final String NAME = "sluice.limits";

    private static final Pattern PLAIN = Pattern.compile("-?[A-Za-z0-9/][A-Za-z0-9_./%+-]*");
    /** Spring Boot makes an empty text of an empty list; this is the key where an empty list says something. */
    private static final String LIST = "per";

    /** Where the mistakes of a file are that has nothing but a list. */
    private static final String LIST_ALONE = "endpoints";

    private static final Pattern OTHER_LINE = Pattern.compile("in line ([0-9]{1,6})");

    private final StringBuilder text = new StringBuilder();
    /** By the path in the file; of a list or a map, that of the first value in it. */
    private final Map<String, Origin> origins = new HashMap<>();
    /** By the line in the text. */
    private final Map<Integer, Origin> originsOfLines = new HashMap<>();

    private final Environment environment;
    private final WrittenScalar written = new WrittenScalar();
    private int line = 1;
    private boolean isListAlone;

    private PropertyLimits(Environment environment) {
        this.environment = environment;
    }

    /** {@code null} if there are no such properties. */
    static @Nullable PropertyLimits of(Environment environment) {
        PropertyTree tree = PropertyTree.of(environment, ConfigurationPropertyName.of(NAME));
        if (tree == null) {
            return null;
        }
        PropertyLimits limits = new PropertyLimits(environment);
        limits.write(tree, "", tree.isList() ? LIST_ALONE : "");
        limits.isListAlone = tree.isList();
        return limits;
    }

    private @Nullable Origin write(PropertyTree tree, String key, String path) {
        Origin origin = tree.origin();
        int begun = line;
        if (tree.isValue()) {
            text.append(scalar(key, tree));
        } else {
            boolean list = tree.isList();
            endLine(list ? "[" : "{");
            int index = 0;
            for (Map.Entry<String, PropertyTree> child : tree.children().entrySet()) {
                String below = list
                        ? path + '[' + index++ + ']'
                        : path.isEmpty() ? child.getKey() : path + '.' + child.getKey();
                text.append(list ? "" : quoted(child.getKey()) + ": ");
                Origin of = write(child.getValue(), child.getKey(), below);
                origin = origin == null ? of : origin;
                endLine(",");
            }
            text.append(list ? ']' : '}');
        }
        if (origin != null) {
            origins.put(path, origin);
            originsOfLines.putIfAbsent(begun, origin);
        }
        return origin;
    }

    private void endLine(String end) {
        text.append(end).append('\n');
        line++;
    }

    private String scalar(String key, PropertyTree leaf) {
        String value = environment.resolvePlaceholders(written.of(leaf.value(), leaf.origin()));
        if (value.isEmpty() || leaf.value() instanceof List<?>) {
            return key.equals(LIST) ? "[]" : "~";
        }
        return PLAIN.matcher(value).matches() ? value : quoted(value);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append(String.format("\\x%02x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] read() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The same mistakes, with the places at which the properties stand. */
    LimitsException retold(LimitsException mistakes) {
        return new LimitsException(
                mistakes.problems().stream().map(this::retold).toList());
    }

    private Problem retold(Problem problem) {
        PropertyPlace place = PropertyPlace.at(originOf(problem.path()));
        return new Problem(
                problem.severity(),
                problem.code(),
                place.file(),
                place.line(),
                place.column(),
                nameOf(problem.path()),
                OTHER_LINE.matcher(problem.message()).replaceAll(other -> lineOf(other, place)));
    }

    /** Messages that name another place do so by its line. */
    private String lineOf(MatchResult told, PropertyPlace problem) {
        Origin origin = originsOfLines.get(Integer.valueOf(told.group(1)));
        PropertyPlace other = PropertyPlace.at(origin);
        return Matcher.quoteReplacement(
                origin == null
                        ? told.group()
                        : other.line() == 0 || !other.file().equals(problem.file())
                                ? "in " + PropertyPlace.of(origin)
                                : "in line " + other.line());
    }

    private String nameOf(String path) {
        if (isListAlone && path.startsWith(LIST_ALONE)) {
            return NAME + path.substring(LIST_ALONE.length());
        }
        return path.isEmpty() ? NAME : NAME + '.' + path;
    }

    /** Of a key that is missing, the place of what it is missing in. */
    private @Nullable Origin originOf(String path) {
        String at = path;
        while (true) {
            Origin origin = origins.get(at);
            if (origin != null || at.isEmpty()) {
                return origin;
            }
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
    }
}
