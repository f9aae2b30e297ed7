package dev.sluice.spring;

import dev.sluice.LimitsException;
import dev.sluice.LimitsException.Problem;
import dev.sluice.limits.ConfigSource;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginProvider;
import org.springframework.boot.origin.TextResourceOrigin;
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

    private final StringBuilder text = new StringBuilder();
    /** By the path in the file; of a list or a map, that of the first value in it. */
    private final Map<String, Origin> origins = new HashMap<>();

    private final Environment environment;
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
        if (tree.isValue()) {
            text.append(scalar(key, tree.value()));
        } else {
            boolean list = tree.isList();
            text.append(list ? "[\n" : "{\n");
            int index = 0;
            for (Map.Entry<String, PropertyTree> child : tree.children().entrySet()) {
                String below = list
                        ? path + '[' + index++ + ']'
                        : path.isEmpty() ? child.getKey() : path + '.' + child.getKey();
                text.append(list ? "" : quoted(child.getKey()) + ": ");
                Origin of = write(child.getValue(), child.getKey(), below);
                origin = origin == null ? of : origin;
                text.append(",\n");
            }
            text.append(list ? ']' : '}');
        }
        if (origin != null) {
            origins.put(path, origin);
        }
        return origin;
    }

    private String scalar(String key, Object value) {
        String written = environment.resolvePlaceholders(String.valueOf(value));
        if (written.isEmpty() || value instanceof List<?>) {
            return key.equals(LIST) ? "[]" : "~";
        }
        return PLAIN.matcher(written).matches() ? written : quoted(written);
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
        Origin origin = originOf(problem.path());
        String path = nameOf(problem.path());
        if (origin instanceof TextResourceOrigin inText && inText.getLocation() != null) {
            return new Problem(
                    problem.severity(),
                    problem.code(),
                    nameOf(inText),
                    inText.getLocation().getLine() + 1,
                    inText.getLocation().getColumn() + 1,
                    path,
                    problem.message());
        }
        String file = origin == null ? "properties" : String.valueOf(origin);
        return new Problem(problem.severity(), problem.code(), file, 0, 0, path, problem.message());
    }

    private String nameOf(String path) {
        if (isListAlone && path.startsWith(LIST_ALONE)) {
            return NAME + path.substring(LIST_ALONE.length());
        }
        return path.isEmpty() ? NAME : NAME + '.' + path;
    }

    private static String nameOf(TextResourceOrigin origin) {
        String name = origin.getResource() == null ? null : origin.getResource().getFilename();
        return name == null ? "properties" : name;
    }

    /** Of a key that is missing, the place of what it is missing in. */
    private @Nullable Origin originOf(String path) {
        String at = path;
        while (true) {
            Origin origin = origins.get(at);
            if (origin != null || at.isEmpty()) {
                return origin instanceof OriginProvider wrapped ? wrapped.getOrigin() : origin;
            }
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
    }
}
