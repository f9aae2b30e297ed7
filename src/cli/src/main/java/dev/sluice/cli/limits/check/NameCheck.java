package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.SubjectSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks names before an override is set. A file must contain the named endpoint, and that endpoint must be keyed by
 * the named subject.
 *
 * @param limit the override to be set
 * @param namesSubject whether the operator specified the subject that identifies the client
 */
public record NameCheck(ClientOverride limit, boolean namesSubject) {

    private static final int MOST_NAMED = 8;

    /** Explains why the override would have no effect and what to write instead; empty if it would have an effect. */
    public Optional<String> problem(FollowedFile file) {
        List<Endpoint> concerned = ClientAtEndpoint.endpoints(file, limit);
        if (concerned.isEmpty()) {
            return Optional.of(unknownEndpoint(limit.endpoint(), file));
        }
        if (limit.isOfPlan()) {
            Set<String> plans = file.limits().plans().byName().keySet();
            return plans.contains(limit.value())
                    ? Optional.empty()
                    : Optional.of(unknown("plan", limit.value(), file, plans));
        }
        List<SubjectSource> sources = file.limits().subjects().get(limit.subject());
        boolean counts = concerned.stream().anyMatch(endpoint -> endpoint.per().contains(limit.subject()));
        if (sources == null || (!counts && !namesSubject)) {
            return Optional.of(wrongSubject(file, concerned.get(0), sources));
        }
        return SubjectKey.isClearSecret(sources, limit.value())
                ? Optional.of(
                        "the " + limit.subject() + " is secret, and instances know only the hash of what you typed;"
                                + " specify the file of the service with --config FILE to hash it, or type the hash"
                                + " that the log shows")
                : Optional.empty();
    }

    /**
     * Creates the message that there is no such endpoint in the file. The message suggests the most similar endpoint.
     */
    public static String unknownEndpoint(String id, FollowedFile file) {
        return unknown(
                "endpoint",
                id,
                file,
                file.limits().endpoints().stream().map(Endpoint::id).toList());
    }

    private boolean isForAll() {
        return limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS);
    }

    /**
     * Explains why the override would have no effect in any file; empty if it would have an effect. If one of the files
     * contains the endpoint, the explanation refers to that file.
     */
    public Optional<String> problemEverywhere(List<FollowedFile> all) {
        if (!all.stream().allMatch(one -> problem(one).isPresent())) {
            return Optional.empty();
        }
        return Stream.concat(
                        all.stream()
                                .filter(one ->
                                        !ClientAtEndpoint.endpoints(one, limit).isEmpty()),
                        all.stream())
                .findFirst()
                .flatMap(this::problem);
    }

    /** Ends the command if the override would have no effect in any file. */
    public void requireEffect(List<FollowedFile> all) {
        problemEverywhere(all).ifPresent(problem -> {
            throw new CommandFailure(ExitCodes.UNKNOWN_NAME, problem);
        });
    }

    /**
     * Warns the operator if the client might be a secret in plain text, because the override would store this secret.
     */
    public Optional<String> note(FollowedFile file) {
        List<SubjectSource> sources = file.limits().subjects().getOrDefault(limit.subject(), List.of());
        return SubjectKey.mayBeClearSecret(sources, limit.value())
                ? Optional.of("some sources of the " + limit.subject() + " are secret; if " + client()
                        + " is a secret, unset this limit, because the store now contains the secret in clear text, "
                        + "and use --config FILE to hash it")
                : Optional.empty();
    }

    private String pair() {
        return SafeText.cut(CallerText.pair(limit.subject(), limit.value()), 80);
    }

    private String client() {
        return SafeText.cut(limit.value(), 80);
    }

    private static String keying(Endpoint endpoint) {
        return endpoint.per().isEmpty()
                ? "counts all callers together"
                : "is keyed by " + String.join(" and ", endpoint.per());
    }

    private String wrongSubject(FollowedFile file, Endpoint endpoint, @Nullable List<SubjectSource> sources) {
        if (namesSubject) {
            return unknown(
                    "subject", limit.subject(), file, file.limits().subjects().keySet());
        }
        if (isForAll()) {
            return "no endpoint of " + SafeText.cut(file.name(), 200) + " is keyed by " + limit.subject()
                    + ", so a factor for " + pair() + " might have no effect; write --subject NAME; "
                    + known("subjects", file.limits().subjects().keySet());
        }
        String problem = endpoint.id() + " " + keying(endpoint) + ", not by " + limit.subject() + ", so a limit for "
                + pair() + " might have no effect; write ";
        if (endpoint.per().isEmpty()) {
            return problem + "--subject NAME to count callers with that subject separately; "
                    + known("subjects", file.limits().subjects().keySet());
        }
        return problem
                + String.join(
                        " or ",
                        endpoint.per().stream().map(name -> "--subject " + name).toList())
                + (sources == null ? "" : ", or --subject " + limit.subject() + " if you mean that");
    }

    private static String unknown(String what, String name, FollowedFile file, Collection<String> known) {
        String guess = Nearest.to(name, known);
        String hint = guess == null ? known(what + "s", known) : "did you mean " + SafeText.cut(guess, 80) + "?";
        return "there is no " + what + " " + SafeText.cut(name, 80) + " in " + SafeText.cut(file.name(), 200) + "; "
                + hint;
    }

    private static String known(String what, Collection<String> names) {
        if (names.isEmpty()) {
            return "it has no " + what;
        }
        List<String> first = new TreeSet<>(names)
                .stream().limit(MOST_NAMED).map(name -> SafeText.cut(name, 80)).toList();
        return "its " + what + " are " + String.join(", ", first)
                + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
    }
}
