package dev.sluice.cli.limits.check;

import dev.sluice.Subject;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client as typed by an operator: {@code acme}, {@code tenant=acme}, or a display name.
 *
 * @param subject the subject that identifies the client
 * @param isSubjectTyped whether the operator typed the subject; if not, the subject is {@code tenant}
 * @param value the subject's value, or the client's display name
 */
public record TypedClient(String subject, boolean isSubjectTyped, String value) {

    private static final String USUAL_SUBJECT = "tenant";
    private static final int MOST_NAMED = 8;
    /**
     * The pattern of a subject with its value, as printed by top and metrics. A Base64 key does not match, even though
     * it can end in "=" or "==".
     */
    private static final Pattern PAIR = Pattern.compile("([^=|\\s]{1,128})=([^=].*)", Pattern.DOTALL);

    /**
     * Parses the typed text.
     *
     * @param subject the value of {@code --subject}; {@code null} if the option is missing
     * @throws IllegalArgumentException if the text cannot be a client; the message explains why
     */
    public static TypedClient of(String typed, @Nullable String subject) {
        Matcher pair = PAIR.matcher(typed);
        boolean isPair = pair.matches() && (subject == null || subject.equals(pair.group(1)));
        String named = isPair ? pair.group(1) : subject == null ? USUAL_SUBJECT : subject;
        if (!named.matches("[^|\\s]{1,128}")) {
            throw new IllegalArgumentException("--subject '" + named + "' cannot be the name of a subject");
        }
        String value = isPair ? pair.group(2) : typed;
        if (!value.matches("[^*]{1,256}")) {
            throw new IllegalArgumentException(
                    "'" + typed + "' cannot be a client; write 1 to 256 characters without a star");
        }
        return new TypedClient(named, isPair || subject != null, value);
    }

    /**
     * Returns the clients in a file with this display name, in the form in which counters identify them. The file can
     * contain a secret in plain text. In that case, counters contain its hash.
     */
    public static Stream<Subject> named(String name, Limits limits) {
        return limits.named(name).stream().map(one -> {
            boolean isKey = !one.source().isEmpty();
            List<SubjectSource> chain = limits.subjects().getOrDefault(one.name(), List.of());
            return new Subject(one.name(), "", isKey ? one.value() : SubjectKey.of(chain, one.value()));
        });
    }

    /**
     * Returns the override for the typed client. If the typed value is not listed in any file, but is the display name
     * of exactly one client, the override is for that client.
     *
     * @param limit the override for the client with this value
     * @param known the files in force, which contain display names
     */
    ClientOverride meantBy(ClientOverride limit, List<FollowedFile> known) {
        Set<Subject> named = known.stream()
                .flatMap(file -> named(value, file.limits()))
                .filter(one -> !isSubjectTyped || one.name().equals(subject))
                .collect(Collectors.toSet());
        if (named.isEmpty() || known.stream().anyMatch(file -> SeenCallers.isListed(file.limits(), limit))) {
            return limit;
        }
        if (named.size() > 1) {
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    SafeText.cut(value, 80) + " stands for " + named.size() + " keys; write one of them: "
                            + named.stream()
                                    .map(one -> SafeText.cut(CallerText.pair(one.name(), one.value()), 80))
                                    .sorted()
                                    .limit(MOST_NAMED)
                                    .collect(Collectors.joining(", ")));
        }
        Subject only = named.iterator().next();
        return new ClientOverride(only.name(), only.value(), limit.endpoint(), limit.tiers());
    }
}
