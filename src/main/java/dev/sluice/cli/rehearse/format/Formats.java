package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.FieldNames;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The ways of writing lines that are known: by name, by a server's own notation, or by looking at lines. */
public final class Formats {

    private static final String ALB = "$type $time_iso8601 $elb $client_and_port $target_and_port $before $within "
            + "$behind $status $target_status $received $sent \"$request\" \"$http_user_agent\" $cipher $protocol "
            + "$group \"$trace\" \"$domain\" \"$certificate\" $priority $created";

    /** At least this part of some lines has to be readable for their format to be known. */
    private static final int ONE_IN = 5;

    private final Map<String, String> named;
    private final Predicate<String> wanted;
    private final FieldNames fieldNames = new FieldNames();

    /**
     * Those of some logs.
     *
     * @param named what {@code --field} says: names, each with the key or variable that has the value
     * @param wanted which headers may be asked for, of those that lines have
     */
    public Formats(Map<String, String> named, Predicate<String> wanted) {
        this.named = named;
        this.wanted = wanted;
    }

    /** Whether a name in {@code --field} is of a part of the call itself, and not of a value beside it. */
    public static boolean isPartOfCall(String name) {
        return Field.named(name).kind() != Field.Kind.EXTRA || name.equals(LoggedCall.CHARGE);
    }

    /**
     * The format of that name, or of that notation.
     *
     * @throws IllegalArgumentException if it is neither, with a sentence for people
     */
    public LineFormat named(String format) {
        return switch (format) {
            case "common" -> common();
            case "combined" -> combined();
            case "vhost-combined" -> vhostCombined();
            case "alb" -> alb();
            case "json", "caddy", "traefik" -> json();
            default -> notation(format);
        };
    }

    private LineFormat notation(String format) {
        if (!NginxNotation.isMeant(format) && !ApacheNotation.isMeant(format)) {
            throw new IllegalArgumentException(
                    "\"" + format + "\" is no format; write common, combined, vhost-combined, "
                            + "alb, caddy, traefik, json, or what the server's configuration says, such as "
                            + "'$remote_addr - $remote_user [$time_local] \"$request\" $status'");
        }
        LineTemplate template = NginxNotation.isMeant(format)
                ? NginxNotation.parse("the format given", format)
                : ApacheNotation.parse("the format given", format);
        require(template, "time", "$time_local or %t", Field.Kind.START, Field.Kind.END);
        require(template, "caller's address", "$remote_addr or %h", Field.Kind.ADDRESS, Field.Kind.ADDRESS_AND_PORT);
        require(
                template,
                "path",
                "\"$request\" or \"%r\"",
                Field.Kind.REQUEST,
                Field.Kind.TARGET,
                Field.Kind.DECODED_PATH,
                Field.Kind.DECODED_TARGET);
        return format(template);
    }

    private void require(LineTemplate template, String what, String example, Field.Kind... kinds) {
        for (Field.Kind kind : kinds) {
            boolean isNamed = named.keySet().stream()
                    .anyMatch(name -> Field.named(name).kind() == kind
                            || isTheSame(Field.named(name).kind(), kind));
            if (template.has(kind) || isNamed) {
                return;
            }
        }
        throw new IllegalArgumentException("the format has no " + what + "; write " + example + " into it");
    }

    private static boolean isTheSame(Field.Kind given, Field.Kind wanted) {
        return given == Field.Kind.PEER && wanted == Field.Kind.ADDRESS;
    }

    /** That in which most of these lines are written; {@code null} if none is known. */
    public @Nullable LineFormat of(List<byte[]> lines) {
        LineFormat best = null;
        int most = lines.size() / ONE_IN;
        for (LineFormat format : List.of(vhostCombined(), combined(), alb(), json(), common())) {
            int readable = 0;
            for (byte[] line : lines) {
                readable += format.matches(line, 0, line.length) ? 1 : 0;
            }
            if (readable > most) {
                most = readable;
                best = format;
            }
        }
        return best;
    }

    private LineFormat common() {
        return format(ApacheNotation.parse("", ApacheNotation.COMMON).open("common log format"));
    }

    private LineFormat combined() {
        return format(ApacheNotation.parse("", ApacheNotation.COMBINED).open("combined log format"));
    }

    private LineFormat vhostCombined() {
        return format(ApacheNotation.parse("", "%v " + ApacheNotation.COMBINED).open("combined log format with hosts"));
    }

    private LineFormat alb() {
        return format(NginxNotation.parse("", ALB).open("log of an AWS application load balancer"));
    }

    private LineFormat json() {
        return new JsonFormat(named, wanted, fieldNames);
    }

    private LineFormat format(LineTemplate template) {
        return new TemplateFormat(template, named, wanted, fieldNames);
    }
}
