package dev.sluice.internal.config.yaml;

import dev.sluice.internal.config.yaml.Value.Text.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Converts YAML to {@link Value}s. This class composes nodes, but constructs no objects, so no text in the file can
 * instantiate a Java class. It infers no types, so {@code off} remains a word, and {@code 010} remains a text. Not
 * thread-safe.
 */
public final class YamlTree {

    private static final Resolver NO_INFERRED_TYPES = new Resolver() {
        @Override
        protected void addImplicitResolvers() {}
    };

    private final Variables variables;
    private final Findings findings;
    /**
     * The bounds on the values after aliases have been expanded. Values are counted again, because aliases can repeat
     * values or even contain themselves.
     */
    private Bounds expanded = Bounds.ofLimits();

    public YamlTree(Variables variables, Findings findings) {
        this.variables = variables;
        this.findings = findings;
    }

    /** Parses the document. If it is empty or unreadable, reports an error and returns {@code null}. */
    public @Nullable Value parse(String text) {
        return read(text, Bounds::ofLimits, composer -> {
            Node root = composer.getSingleNode();
            if (root == null) {
                findings.add(
                        ProblemCode.EMPTY, FilePosition.WHOLE_FILE, "the file is empty; write a list of endpoints");
                return null;
            }
            return root instanceof SequenceNode ? bareList(root) : value(root, FilePosition.WHOLE_FILE, 0);
        });
    }

    /**
     * Parses all documents in another program's file. If the file is not YAML, reports an error and returns
     * {@code null}.
     */
    public @Nullable List<Value> documents(String text) {
        return read(text, Bounds::ofOthers, composer -> {
            List<Value> values = new ArrayList<>();
            while (composer.checkNode()) {
                values.add(value(composer.getNode(), FilePosition.WHOLE_FILE, 0));
            }
            return values;
        });
    }

    private <T> @Nullable T read(String text, Supplier<Bounds> bounds, Function<Composer, @Nullable T> reading) {
        try {
            expanded = bounds.get();
            LoaderOptions options = options();
            Parser bounded = new BoundedParser(new ParserImpl(new StreamReader(text), options), bounds.get());
            return reading.apply(new Composer(bounded, NO_INFERRED_TYPES, options));
        } catch (Bounds.ExceededException e) {
            findings.add(ProblemCode.TOO_MUCH, position(e.getProblemMark(), FilePosition.WHOLE_FILE), e.getProblem());
        } catch (MarkedYAMLException e) {
            Mark mark = YamlErrors.mark(e);
            FilePosition position = mark == null ? FilePosition.WHOLE_FILE : position(mark, FilePosition.WHOLE_FILE);
            findings.add(ProblemCode.NOT_YAML, position, YamlErrors.sentence(e, text, position));
        } catch (RuntimeException e) {
            findings.add(
                    ProblemCode.NOT_YAML,
                    FilePosition.WHOLE_FILE,
                    "the file cannot be parsed as YAML: " + e.getClass().getSimpleName());
        }
        return null;
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(
                Integer.MAX_VALUE); // BoundedParser enforces both bounds, and reports the position
        options.setNestingDepthLimit(Integer.MAX_VALUE);
        options.setTagInspector(tag -> true); // accept all tags here; value() reports them
        return options;
    }

    /** Wraps a bare list in a map with an {@code endpoints} key. A bare list is shorthand for such a map. */
    private Value bareList(Node root) {
        Value list = value(root, FilePosition.WHOLE_FILE.key("endpoints"), 0);
        return new Value.Fields(FilePosition.WHOLE_FILE, Map.of("endpoints", new Value.Field(list.position(), list)));
    }

    private Value value(Node node, FilePosition path, int depth) {
        FilePosition position = position(node.getStartMark(), path);
        expanded.countValue(depth, node.getStartMark());
        if (isTagged(node)) {
            findings.add(ProblemCode.TAG, position, YamlErrors.TAG);
            return new Value.Broken(position);
        }
        if (node instanceof MappingNode mapping) {
            return fields(mapping, position, depth);
        }
        if (node instanceof SequenceNode sequence) {
            List<Value> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(value(item, position.item(items.size()), depth + 1));
            }
            return new Value.Items(position, items);
        }
        return text((ScalarNode) node, position);
    }

    private Value fields(MappingNode mapping, FilePosition position, int depth) {
        Map<String, Value.Field> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            FilePosition keyPosition = position(tuple.getKeyNode().getStartMark(), position);
            if (!(tuple.getKeyNode() instanceof ScalarNode scalar) || isTagged(scalar)) {
                findings.add(ProblemCode.WRONG_TYPE, keyPosition, "a key must be a plain word, such as endpoints");
                continue;
            }
            FilePosition below = keyPosition.key(scalar.getValue());
            if (isTooLong(scalar, below)) {
                continue;
            }
            Value value = value(tuple.getValueNode(), below, depth + 1);
            Value.Field earlier = fields.putIfAbsent(scalar.getValue(), new Value.Field(below, value));
            if (earlier != null) {
                findings.add(
                        ProblemCode.DUPLICATE_KEY,
                        below,
                        "this key is already in " + earlier.keyPosition().seenFrom(below) + "; keep one of the two");
            }
        }
        return new Value.Fields(position, fields);
    }

    private Value text(ScalarNode scalar, FilePosition position) {
        String written = scalar.getValue();
        if (isTooLong(scalar, position)) {
            return new Value.Broken(position);
        }
        return variables.text(position, written, scalar.isPlain() ? Style.PLAIN : Style.QUOTED, findings);
    }

    private boolean isTooLong(ScalarNode scalar, FilePosition position) {
        boolean isTooLong = expanded.isTooLong(scalar.getValue(), scalar.getStartMark());
        if (isTooLong) {
            findings.add(ProblemCode.TOO_MUCH, position, expanded.tooLong(scalar.getValue()));
        }
        return isTooLong;
    }

    private static boolean isTagged(Node node) {
        Tag tag = node.getTag();
        return !tag.equals(Tag.STR) && !tag.equals(Tag.SEQ) && !tag.equals(Tag.MAP);
    }

    private static FilePosition position(Mark mark, FilePosition path) {
        return path.at(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
