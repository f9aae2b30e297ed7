package dev.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What a request carries beside its method and path, as a command line says it. */
final class RequestOptions {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern HEADER = Pattern.compile("(" + TOKEN + "):[^\\p{Cntrl}]*");
    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(%\\w+)?");

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "A header to send, cookies among them; can be given many times.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--ip",
            paramLabel = "ADDRESS",
            description = "Where the call comes from; default: ${DEFAULT-VALUE}.",
            defaultValue = "127.0.0.1")
    String ip = "";

    @Option(names = "--user", paramLabel = "NAME", description = "Who is logged in, what the source principal sees.")
    @Nullable String user;

    RequestOptions() {}

    /** The request as HTTP writes it. */
    String asHttp(CommandLine command, String method, String path) {
        require(
                command,
                TOKEN.matcher(method).matches(),
                "METHOD '" + method + "' is none; write GET, POST or the like");
        require(command, path.startsWith("/"), "PATH '" + path + "' does not begin with a slash; write /" + path);
        require(
                command,
                path.chars().noneMatch(c -> c <= ' ' || c == '#' || c == 0x7f),
                "PATH '" + path + "' holds what HTTP has to encode; write %20 for a space, %23 for #");
        require(
                command,
                ADDRESS.matcher(ip).matches(),
                "--ip '" + ip + "' is no address; write 192.0.2.1 or 2001:db8::1");
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        boolean host = false;
        for (String header : headers) {
            require(command, HEADER.matcher(header).matches(), "-H '" + header + "' is no header; write 'Name: value'");
            host |= header.regionMatches(true, 0, "Host:", 0, 5);
            request.append(header).append("\r\n");
        }
        return request.append(host ? "" : "Host: localhost\r\n")
                .append("Connection: close\r\n\r\n")
                .toString();
    }

    private static void require(CommandLine command, boolean holds, String complaint) {
        if (!holds) {
            throw new ParameterException(command, complaint);
        }
    }
}
