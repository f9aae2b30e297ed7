package dev.sluice.cli.explain;

import dev.sluice.cli.command.ArgumentChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options for request headers. */
final class RequestOptions {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*([^#]*).*");
    private static final Pattern HEADER = Pattern.compile("(" + TOKEN + "):[^\\p{Cntrl}]*");

    @Option(
            names = {"-H", "--header"},
            paramLabel = "'NAME: VALUE'",
            description = "A header to send, such as a cookie; can be repeated.")
    private List<String> headers = new ArrayList<>();

    RequestOptions() {}

    private static String pathOf(Matcher address) {
        String remaining = address.matches() ? address.group(1) : "";
        return remaining.startsWith("/") ? remaining : "/" + remaining;
    }

    /** Formats the request in HTTP syntax. */
    String asHttp(CommandLine command, String method, String path) {
        ArgumentChecks.require(
                command,
                TOKEN.matcher(method).matches(),
                "METHOD '" + method + "' is not an HTTP method; write a method such as GET");
        Matcher address = ADDRESS.matcher(path);
        ArgumentChecks.require(
                command,
                !address.matches(),
                "PATH '" + path + "' is a full URL, not a path; write '" + pathOf(address) + "'");
        ArgumentChecks.require(
                command, path.startsWith("/"), "PATH '" + path + "' does not begin with a slash; write /" + path);
        ArgumentChecks.require(
                command,
                path.chars().noneMatch(c -> c <= ' ' || c == '#' || c == 0x7f),
                "PATH '" + path + "' has characters that must be encoded; write %20 for a space, %23 for #");
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        boolean host = false;
        for (String header : headers) {
            ArgumentChecks.require(
                    command,
                    HEADER.matcher(header).matches(),
                    "-H '" + header + "' is not a header; write 'Name: value'");
            // HTTP/1.1 requires a Host header, so we add one below unless the user specifies it.
            host |= header.regionMatches(true, 0, "Host:", 0, 5);
            request.append(header).append("\r\n");
        }
        return request.append(host ? "" : "Host: localhost\r\n")
                .append("Connection: close\r\n\r\n")
                .toString();
    }
}
