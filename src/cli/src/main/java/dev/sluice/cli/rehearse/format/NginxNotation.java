package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.format.Field.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses an nginx {@code log_format}: {@code $remote_addr - "$request" $http_x_org_id}. */
final class NginxNotation {

    private static final Map<String, Field> KNOWN = Map.ofEntries(
            Map.entry("remote_addr", Field.of(Kind.ADDRESS)),
            Map.entry("remote_user", Field.of(Kind.USER)),
            Map.entry("time_local", Field.of(Kind.END)),
            Map.entry("time_iso8601", Field.of(Kind.END)),
            Map.entry("msec", Field.of(Kind.END)),
            Map.entry("request", Field.of(Kind.REQUEST)),
            Map.entry("request_method", Field.of(Kind.METHOD)),
            Map.entry("request_uri", Field.of(Kind.TARGET)),
            Map.entry("uri", Field.of(Kind.DECODED_PATH)),
            Map.entry("document_uri", Field.of(Kind.DECODED_PATH)),
            Map.entry("args", Field.of(Kind.QUERY)),
            Map.entry("query_string", Field.of(Kind.QUERY)),
            Map.entry("status", Field.of(Kind.STATUS)),
            Map.entry("request_time", Field.of(Kind.SECONDS)),
            Map.entry("host", Field.header("Host")),
            // These two names are not nginx variables, but denote fields in the log of a load balancer.
            Map.entry("client_and_port", Field.of(Kind.ADDRESS_AND_PORT)),
            Map.entry("created", Field.of(Kind.START)));

    /** A name with or without braces. */
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+).?|(\\w+))", Pattern.DOTALL);

    private NginxNotation() {}

    static boolean isMeant(String format) {
        return format.indexOf('$') >= 0;
    }

    static LineTemplate parse(String format) {
        LineTemplate.Builder template = new LineTemplate.Builder();
        Matcher variable = VARIABLE.matcher(format);
        int at = 0;
        while (at < format.length()) {
            if (format.charAt(at) != '$') {
                template.text(format.charAt(at++));
            } else if (variable.region(at, format.length()).lookingAt()) {
                String inBraces = variable.group(1);
                template.field(field(inBraces == null ? variable.group(2) : inBraces));
                at = variable.end();
            } else {
                throw new IllegalArgumentException("a $ in column " + (at + 1) + " names no variable");
            }
        }
        return template.build();
    }

    /** Returns the header of a variable such as {@code http_x_org_id}. */
    static Field header(String variable) {
        return Field.header(variable.substring("http_".length()));
    }

    private static Field field(String name) {
        String variable = name.toLowerCase(Locale.ROOT);
        Field known = KNOWN.get(variable);
        if (known != null) {
            return known;
        }
        if (variable.startsWith("http_")) {
            return header(variable);
        }
        return variable.startsWith("cookie_")
                ? Field.extra("cookie:" + name.substring("cookie_".length()))
                : Field.extra("$" + name);
    }
}
