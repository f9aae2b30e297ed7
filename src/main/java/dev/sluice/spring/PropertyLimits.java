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
 * The limits under {@code sluice.limits} in the application's properties. They are rendered as a file of limits and
 * parsed as such. Mistakes are reported with the name and place of the property. Not thread-safe: used while the
 * application starts.
 */
final class PropertyLimits implements ConfigSource {

    static final String NAME = "sluice.limits";

    private static final Pattern PLAIN = Pattern.compile("-?[A-Za-z0-9/][A-Za-z0-9_./%+-]*");
    /**
     * Values that may mean a number, a boolean or a text. The file distinguishes them by quotes, but properties have
     * none: if a client is named {@code "123"}, Spring Boot keeps only the digits. Such values are rendered as the
     * default of a variable, which may be any of the three.
     */
    private static final Pattern EITHER =
            Pattern.compile("true|false|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+");

    private static final Pattern NOTHING = Pattern.compile("(?i:null)|~");
    private static final String VARIABLE = "${" + "sluice.limits:";
    private static final Pattern WRITTEN_AS_VARIABLE =
            Pattern.compile("(?:the value of )?(\"?)" + Pattern.quote(VARIABLE) + "([^}]*)}");

    /** The only key for which an empty list has a meaning. Spring Boot turns an empty list into an empty text. */
    private static final String PER = "per";

    /** The path of the list if the whole file is a list. */
    private static final String BARE_LIST = "endpoints";

    private static final Pattern OTHER_LINE = Pattern.compile("in line ([0-9]{1,6})");

    private final StringBuilder text = new StringBuilder();
    /** Origins by the path in the file; a list or a map has the origin of its first value. */
    private final Map<String, Origin> origins = new HashMap<>();
    /** Origins by the line in the file. */
    private final Map<Integer, Origin> originsOfLines = new HashMap<>();

    private final Environment environment;
    private final WrittenScalar written = new WrittenScalar();
    private int line = 1;
    private boolean isBareList;

    private PropertyLimits(Environment environment) {
        this.environment = environment;
    }

    /** The limits; {@code null} if there are no such properties. */
    static @Nullable PropertyLimits of(Environment environment) {
        PropertyTree tree = PropertyTree.of(environment, ConfigurationPropertyName.of(NAME));
        if (tree == null) {
            return null;
        }
        PropertyLimits limits = new PropertyLimits(environment);
        limits.write(tree, "", tree.isList() ? BARE_LIST : "");
        limits.isBareList = tree.isList();
        return limits;
    }

    private @Nullable Origin write(PropertyTree tree, String key, String path) {
        Origin origin = tree.origin();
        int firstLine = line;
        if (tree.isValue()) {
            text.append(scalar(key, tree));
        } else {
            boolean isList = tree.isList();
            endLine(isList ? "[" : "{");
            int index = 0;
            for (Map.Entry<String, PropertyTree> child : tree.children().entrySet()) {
                String below = isList
                        ? path + '[' + index++ + ']'
                        : path.isEmpty() ? child.getKey() : path + '.' + child.getKey();
                text.append(isList ? "" : quoted(child.getKey()) + ": ");
                Origin ofChild = write(child.getValue(), child.getKey(), below);
                origin = origin == null ? ofChild : origin;
                endLine(",");
            }
            text.append(isList ? ']' : '}');
        }
        if (origin != null) {
            origins.put(path, origin);
            originsOfLines.putIfAbsent(firstLine, origin);
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
            return key.equals(PER) ? "[]" : "~";
        }
        if (leaf.value() instanceof String && EITHER.matcher(value).matches()) {
            return quoted(VARIABLE + value + '}');
        }
        return PLAIN.matcher(value).matches() && !NOTHING.matcher(value).matches() ? value : quoted(value);
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

    /** The same mistakes, with names and places of properties instead of those in the file. */
    LimitsException translated(LimitsException mistakes) {
        return new LimitsException(
                mistakes.problems().stream().map(this::translated).toList());
    }

    private Problem translated(Problem problem) {
        PropertyPlace place = PropertyPlace.at(originOf(problem.path()));
        return new Problem(
                problem.severity(),
                problem.code(),
                place.file(),
                place.line(),
                place.column(),
                nameOf(problem.path()),
                OTHER_LINE
                        .matcher(WRITTEN_AS_VARIABLE.matcher(problem.message()).replaceAll("$1$2"))
                        .replaceAll(other -> lineOf(other, place)));
    }

    /** Translates a line number that a message mentions. */
    private String lineOf(MatchResult named, PropertyPlace problem) {
        Origin origin = originsOfLines.get(Integer.valueOf(named.group(1)));
        PropertyPlace other = PropertyPlace.at(origin);
        return Matcher.quoteReplacement(
                origin == null
                        ? named.group()
                        : other.line() == 0 || !other.file().equals(problem.file())
                                ? "in " + PropertyPlace.of(origin)
                                : "in line " + other.line());
    }

    private String nameOf(String path) {
        if (isBareList && path.startsWith(BARE_LIST)) {
            return NAME + path.substring(BARE_LIST.length());
        }
        return path.isEmpty() ? NAME : NAME + '.' + path;
    }

    /** The origin of the value at a path; for a missing key, that of the map that should contain it. */
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
