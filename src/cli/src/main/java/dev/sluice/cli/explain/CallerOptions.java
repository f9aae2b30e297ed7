package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.internal.match.caller.CallerAddress;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that describe the caller and the time of a request. */
final class CallerOptions {

    private static final CallerAddress ADDRESSES = new CallerAddress(List.of(), 128, () -> {});

    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    @Option(
            names = "--ip",
            paramLabel = "ADDRESS",
            description = "The caller's address; default: ${DEFAULT-VALUE}.",
            defaultValue = "127.0.0.1")
    private String ip = "";

    @Option(names = "--user", paramLabel = "NAME", description = "The user who is logged in, for the principal source.")
    private @Nullable String user;

    @Option(
            names = "--login",
            paramLabel = "NAME",
            description = "The user name of a login attempt, for the login source.")
    private @Nullable String login;

    @Option(names = "--session", paramLabel = "ID", description = "The session of the call, for the session source.")
    private @Nullable String session;

    @Option(
            names = "--claim",
            paramLabel = "NAME=VALUE",
            description = "A claim of the caller's verified token; can be repeated.")
    private List<String> claims = new ArrayList<>();

    @Option(
            names = "--attribute",
            paramLabel = "NAME=VALUE",
            description = "An attribute that the application sets on the request; can be repeated.")
    private List<String> attributes = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The time of the call, such as 2026-12-24T17:30Z; default: now.")
    private @Nullable String time;

    CallerOptions() {}

    /** Returns a function that adds to a call the facts about the caller that the options specify. */
    UnaryOperator<Call> caller(CommandLine command) {
        ArgumentChecks.require(
                command,
                ADDRESSES.normalised(ip) != null,
                "--ip '" + ip + "' is not an IP address; write 192.0.2.1 or 2001:db8::1");
        Map<String, String> known = named(command, "--attribute", attributes);
        Map<String, String> verified = named(command, "--claim", claims);
        return sent -> new ImpersonatedCall(sent, ip, user, login, session, known, verified);
    }

    private static Map<String, String> named(CommandLine command, String option, List<String> pairs) {
        Map<String, String> named = new HashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            ArgumentChecks.require(
                    command, equals > 0, option + " '" + pair + "' is not a name and a value; write NAME=VALUE");
            String before = named.put(pair.substring(0, equals), pair.substring(equals + 1));
            ArgumentChecks.require(
                    command, before == null, option + " '" + pair + "' repeats a name; give each name once");
        }
        return named;
    }

    /** Whether the options specify the time of the request. */
    boolean namesMoment() {
        return time != null;
    }

    /** Returns the time of the request. */
    Instant moment(CommandLine command) {
        String written = time;
        if (written == null) {
            return Instant.now();
        }
        try {
            Instant moment = OffsetDateTime.parse(written).toInstant();
            ArgumentChecks.require(
                    command,
                    !moment.isBefore(EARLIEST) && moment.isBefore(LATEST),
                    "--at '" + written + "' is out of range; write a time from 1970 to 2199");
            return moment;
        } catch (DateTimeParseException e) {
            throw new ParameterException(
                    command,
                    "--at '" + written
                            + "' is not a time with a zone; write 2026-12-24T18:30+01:00 or 2026-12-24T17:30Z");
        }
    }
}
