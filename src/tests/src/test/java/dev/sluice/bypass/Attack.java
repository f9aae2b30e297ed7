package dev.sluice.bypass;

import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.RawHttp2;
import dev.sluice.internal.servlet.contract.RawHttp2.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One request of the corpus. A line is {@code METHOD TARGET | HEADER: VALUE -- where it comes from}; headers may be
 * missing. In it {@code <<0x09>>} stands for a character and {@code <<x*20000>>} for a text that is repeated.
 *
 * @param text the line, without its origin
 */
record Attack(String text, String method, String target, List<String> headers) {

    private static final Pattern CHARACTER = Pattern.compile("<<0x([0-9a-f]{2})>>");
    private static final Pattern REPEATED = Pattern.compile("<<([^*>]+)\\*([0-9]+)>>");

    static Attack parse(String line) {
        String text = withoutOrigin(line);
        String[] parts = expanded(text).split(" \\| ", -1);
        int space = parts[0].indexOf(' ');
        return new Attack(
                text,
                parts[0].substring(0, space),
                parts[0].substring(space + 1),
                Arrays.asList(parts).subList(1, parts.length));
    }

    static Attack get(String target) {
        return new Attack("GET " + target, "GET", target, List.of());
    }

    /**
     * The lines that are sent over an HTTP/1 connection. An empty line is written as nothing between two bars. The text
     * after a request's empty line is its body, or another request.
     */
    static Sent connection(String line) {
        String text = withoutOrigin(line);
        String lines = Arrays.stream(expanded(text).split(" \\|(?= |$)", -1))
                .map(each -> each.replaceFirst("^ ", "") + "\r\n")
                .collect(Collectors.joining());
        return new Sent(text, server -> RawHttp.sendAll(server, lines));
    }

    /** One call over HTTP/2, field by field. */
    static Sent fields(String line) {
        String text = withoutOrigin(line);
        List<Field> fields = Arrays.stream(expanded(text).split(" \\| ", -1))
                .map(Attack::field)
                .toList();
        return new Sent(text + ", over HTTP/2", server -> List.of(RawHttp2.send(server, fields)));
    }

    /** A field, the name of which may begin with a colon. */
    private static Field field(String written) {
        int colon = written.indexOf(':', 1);
        return colon < 0
                ? new Field(written, "")
                : new Field(
                        written.substring(0, colon),
                        written.substring(colon + 1).replaceFirst("^ ", ""));
    }

    Sent overHttp1() {
        return new Sent(text, server -> List.of(RawHttp.send(server, method, target, headers.toArray(String[]::new))));
    }

    Sent overHttp2() {
        List<Field> fields = new ArrayList<>(List.of(
                new Field(":method", method),
                new Field(":scheme", "http"),
                new Field(":authority", "localhost"),
                new Field(":path", target)));
        for (String header : headers) {
            Field written = field(header);
            fields.add(new Field(written.name().toLowerCase(Locale.ROOT), written.value()));
        }
        return new Sent(text + ", over HTTP/2", server -> List.of(RawHttp2.send(server, fields)));
    }

    private static String withoutOrigin(String line) {
        int origin = line.indexOf(" -- ");
        if (origin < 0) {
            throw new IllegalArgumentException("it is not told where this attack comes from: " + line);
        }
        return line.substring(0, origin).strip();
    }

    private static String expanded(String text) {
        String repeated = REPEATED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
        return CHARACTER
                .matcher(repeated)
                .replaceAll(
                        found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
    }

    /** The same on an application that is mounted somewhere. */
    Attack at(String contextPath) {
        boolean isPath = target.startsWith("/") || target.startsWith("\\") || target.startsWith("%");
        return contextPath.isEmpty() || !isPath
                ? this
                : new Attack(text + ", at " + contextPath, method, contextPath + target, headers);
    }
}
