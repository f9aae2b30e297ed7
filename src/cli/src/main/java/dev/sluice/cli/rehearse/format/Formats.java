package dev.sluice.cli.rehearse.format;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds line formats. A format is found by its name, from its notation in a server's configuration, or by examining
 * some lines.
 */
public final class Formats {

    private static final String ALB = "$type $time_iso8601 $elb $client_and_port $target_and_port $before $within "
            + "$behind $status $target_status $received $sent \"$request\" \"$http_user_agent\" $cipher $protocol "
            + "$group \"$trace\" \"$domain\" \"$certificate\" $priority $created";

    /** A format is considered detected if it can parse more than one in this many lines. */
    private static final int ONE_IN = 5;

    private final Map<String, String> named;

    /**
     * Creates a finder for logs whose values {@code --field} can name.
     *
     * @param named the values of {@code --field}: each name with its key or variable
     */
    public Formats(Map<String, String> named) {
        this.named = named;
    }

    /** Whether a name in {@code --field} refers to a part of the call itself instead of an extra value. */
    public static boolean isPartOfCall(String name) {
        return Field.named(name).kind() != Field.Kind.EXTRA || name.equals(LoggedCall.CHARGE);
    }

    /**
     * Returns the format that this name or notation specifies.
     *
     * @throws IllegalArgumentException if the text is neither a format name nor a notation. The message is a sentence
     *     that can be shown to users.
     */
    public LineFormat named(String format) {
        String combined = ApacheNotation.COMBINED;
        return switch (format) {
            case "common" -> known("common log format", ApacheNotation.parse(ApacheNotation.COMMON));
            case "combined" -> known("combined log format", ApacheNotation.parse(combined));
            case "vhost-combined" -> known("combined log format with hosts", ApacheNotation.parse("%v " + combined));
            case "alb" -> known("log of an AWS application load balancer", NginxNotation.parse(ALB));
            case "json", "caddy", "traefik" -> new JsonFormat(named);
            default -> notation(format);
        };
    }

    private LineFormat known(String name, LineTemplate template) {
        return new TemplateFormat(name, template, true, named);
    }

    private LineFormat notation(String format) {
        if (!NginxNotation.isMeant(format) && !ApacheNotation.isMeant(format)) {
            throw new IllegalArgumentException(
                    "\"" + format + "\" is not a format; write common, combined, vhost-combined, "
                            + "alb, caddy, traefik, json, or the format in the server's configuration, such as "
                            + "'$remote_addr - $remote_user [$time_local] \"$request\" $status'");
        }
        LineTemplate template =
                NginxNotation.isMeant(format) ? NginxNotation.parse(format) : ApacheNotation.parse(format);
        require(template, "time", "$time_local or %t", Field.Kind.START, Field.Kind.END);
        require(
                template,
                "address of the caller",
                "$remote_addr or %h",
                Field.Kind.ADDRESS,
                Field.Kind.ADDRESS_AND_PORT,
                Field.Kind.PEER);
        require(
                template,
                "path",
                "\"$request\" or \"%r\"",
                Field.Kind.REQUEST,
                Field.Kind.TARGET,
                Field.Kind.DECODED_PATH,
                Field.Kind.DECODED_TARGET);
        return new TemplateFormat("the specified format", template, false, named);
    }

    private void require(LineTemplate template, String what, String example, Field.Kind... kinds) {
        boolean isThere = Stream.concat(
                        template.parts().stream().map(LineTemplate.Part::field),
                        named.keySet().stream().map(Field::named))
                .anyMatch(field -> List.of(kinds).contains(field.kind()));
        if (!isThere) {
            throw new IllegalArgumentException("the format has no " + what + "; add " + example);
        }
    }

    /** Returns the format that fits these lines best; {@code null} if no format fits enough of them. */
    public @Nullable LineFormat of(List<String> lines) {
        LineFormat best = null;
        int most = lines.size() / ONE_IN;
        // If several formats can parse the same lines, the first one wins. Formats with more fields therefore come
        // first.
        for (String name : List.of("vhost-combined", "combined", "alb", "json", "common")) {
            LineFormat format = named(name);
            int readable = 0;
            for (String line : lines) {
                readable += format.matches(line) ? 1 : 0;
            }
            if (readable > most) {
                most = readable;
                best = format;
            }
        }
        return best;
    }
}
