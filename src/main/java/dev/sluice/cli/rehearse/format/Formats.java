package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.ExtraFields;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds formats of lines: by name, by a server's own notation, or by looking at lines. */
public final class Formats {

    private static final String ALB = "$type $time_iso8601 $elb $client_and_port $target_and_port $before $within "
            + "$behind $status $target_status $received $sent \"$request\" \"$http_user_agent\" $cipher $protocol "
            + "$group \"$trace\" \"$domain\" \"$certificate\" $priority $created";

    /** At least this part of the lines has to be readable to detect their format. */
    private static final int ONE_IN = 5;

    private final Map<String, String> named;
    private final Predicate<String> wanted;
    private final List<ExtraFields> fieldNames = new CopyOnWriteArrayList<>();

    /**
     * The formats for some logs.
     *
     * @param named the values of {@code --field}: names, each with its key or variable
     * @param wanted which headers the limits may need
     */
    public Formats(Map<String, String> named, Predicate<String> wanted) {
        this.named = named;
        this.wanted = wanted;
    }

    /** Whether a name in {@code --field} stands for a part of the call itself, not for an extra value. */
    public static boolean isPartOfCall(String name) {
        return Field.named(name).kind() != Field.Kind.EXTRA || name.equals(LoggedCall.CHARGE);
    }

    /**
     * The format with that name, or in that notation.
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
                    "\"" + format + "\" is not a format; write common, combined, vhost-combined, "
                            + "alb, caddy, traefik, json, or the format in the server's configuration, such as "
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
        throw new IllegalArgumentException("the format has no " + what + "; add " + example);
    }

    private static boolean isTheSame(Field.Kind given, Field.Kind wanted) {
        return given == Field.Kind.PEER && wanted == Field.Kind.ADDRESS;
    }

    /** The format of most of these lines; {@code null} if it is unknown. */
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
