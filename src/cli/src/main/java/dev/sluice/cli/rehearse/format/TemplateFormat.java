package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.format.Field.Kind;
import dev.sluice.cli.rehearse.format.LineTemplate.Part;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The format of text lines in which fixed text separates the fields, as in the logs of nginx, Apache and load
 * balancers.
 */
final class TemplateFormat implements LineFormat {

    private final String name;
    private final boolean allowsMore;
    private final String before;
    private final List<Part> parts;
    /**
     * The number of parts to read. Usually, this is the number of all parts. If lines can continue after the last
     * relevant part, we read only up to that part.
     */
    private final int needed;

    /**
     * Creates the format for a template.
     *
     * @param allowsMore whether lines can continue after the last field
     * @param named the values of {@code --field}: each name with its variable
     */
    TemplateFormat(String name, LineTemplate template, boolean allowsMore, Map<String, String> named) {
        this.name = name;
        this.allowsMore = allowsMore;
        this.before = template.before();
        this.parts = template.parts().stream()
                .map(part -> new Part(meant(part.field(), named), part.after(), part.isQuoted()))
                .toList();
        this.needed = allowsMore ? lastThatMatters() + 1 : parts.size();
    }

    /**
     * Returns the field for a variable: the field that {@code --field} specifies, or the variable's own field if it is
     * a header or a cookie.
     */
    private static Field meant(Field field, Map<String, String> named) {
        if (field.kind() != Kind.EXTRA) {
            return field;
        }
        String variable = field.name();
        String bare = variable.startsWith("$") ? variable.substring(1) : variable;
        for (Map.Entry<String, String> one : named.entrySet()) {
            String asked = one.getValue().startsWith("$") ? one.getValue().substring(1) : one.getValue();
            if (asked.equals(bare)
                    || (asked.startsWith("http_") && NginxNotation.header(asked).equals(field))) {
                return Field.named(one.getKey());
            }
        }
        return variable.startsWith("$") || variable.startsWith("%") ? Field.of(Kind.OTHER) : field;
    }

    private int lastThatMatters() {
        int last = parts.size() - 1;
        while (last > 0 && parts.get(last).field().kind() == Kind.OTHER) {
            last--;
        }
        return last;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean matches(String line) {
        return read(line, parts.size()) != null;
    }

    @Override
    public @Nullable LoggedCall read(String line) {
        return read(line, needed);
    }

    /**
     * Reads the given number of parts from the beginning of the line. Returns {@code null} if one of them is missing.
     */
    private @Nullable LoggedCall read(String line, int number) {
        if (!line.startsWith(before)) {
            return null;
        }
        LineFields fields = new LineFields(true);
        int at = before.length();
        for (int i = 0; i < number; i++) {
            Part part = parts.get(i);
            int end = end(part, line, at, i + 1 == parts.size() && !allowsMore);
            if (end < 0 || !fields.take(part.field(), line.substring(at, end))) {
                return null;
            }
            at = end + part.after().length();
        }
        return fields.call();
    }

    /** Finds the end of the field that begins at the given position; -1 if the text after the field is missing. */
    private static int end(Part part, String line, int from, boolean isLast) {
        String after = part.after();
        if (after.isEmpty()) {
            // If no text follows the field in the template, the field ends at the next space.
            int space = isLast ? -1 : line.indexOf(' ', from);
            return space < 0 ? line.length() : space;
        }
        for (int i = from; i < line.length(); i++) {
            if (part.isQuoted() && line.charAt(i) == '\\') {
                i++;
            } else if (line.startsWith(after, i)
                    && !(isLast && i + after.length() != line.length())
                    && !isWithinList(line, i, from)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Whether this space is part of a field. If nginx has contacted several servers, it logs their times and addresses
     * as lists such as {@code 0.1, 0.2 : 0.3}.
     */
    private static boolean isWithinList(String line, int at, int from) {
        if (line.charAt(at) != ' ' || at == from) {
            return false;
        }
        boolean isBehindColon = line.charAt(at - 1) == ':' && at - 2 >= from && line.charAt(at - 2) == ' ';
        return line.charAt(at - 1) == ',' || line.startsWith(" : ", at) || isBehindColon;
    }
}
