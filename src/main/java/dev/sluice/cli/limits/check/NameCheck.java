package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.internal.config.shape.Nearest;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.match.caller.CallerAddress;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Sync;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks, before a limit of a client is set, whether it would change anything under a file.
 *
 * @param limit to be set
 * @param namesSubject whether the operator named the subject that identifies the client
 */
public record NameCheck(ClientOverride limit, boolean namesSubject) {

    private static final int USUAL_PREFIX = 64;
    private static final int MOST_NAMED = 8;
    private static final CallerAddress ADDRESSES = new CallerAddress(List.of(), USUAL_PREFIX, () -> {});

    /** Why the limit would have no effect, and what would; empty if it would have one. */
    public Optional<String> problem(FollowedFile file) {
        List<Endpoint> concerned = ClientAtEndpoint.endpoints(file, limit);
        if (concerned.isEmpty()) {
            return Optional.of(unknownEndpoint(limit.endpoint(), file));
        }
        List<SubjectSource> sources = file.limits().subjects().get(limit.subject());
        boolean counts = concerned.stream().anyMatch(endpoint -> endpoint.per().contains(limit.subject()));
        if (sources == null || (!counts && !namesSubject)) {
            return Optional.of(wrongSubject(file, concerned.get(0), sources));
        }
        String prefix = limit.value().substring(0, Math.max(0, limit.value().indexOf('=')));
        if (file.limits().subjects().containsKey(prefix)) {
            String rest = limit.value().substring(prefix.length() + 1);
            return Optional.of(client() + " contains the subject " + prefix + "; write " + SafeText.cut(rest, 80)
                    + " --subject " + prefix);
        }
        if (CountedValue.isClearSecret(sources, limit.value())) {
            return Optional.of(
                    "the " + limit.subject() + " is secret, and instances know only the hash of what you typed; let"
                            + " --config FILE, the file of the service, hash it, or type the hash"
                            + " that the log shows");
        }
        String impossible = impossible(sources);
        if (impossible != null) {
            return Optional.of(impossible);
        }
        if (isFactor() && concerned.stream().allMatch(EffectiveTiers::countsAll)) {
            return Optional.of(place() + " counts all callers together, so a factor for a client has no effect; write "
                    + "tiers, such as 5000/10s");
        }
        return pointless(file, concerned);
    }

    /** Says that the file has no such endpoint, and which is nearest. */
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

    private String place() {
        return isForAll() ? "each endpoint" : limit.endpoint();
    }

    private boolean isFactor() {
        try {
            return OverrideText.parse(limit, Sync.DEFAULT).isFactor();
        } catch (IllegalArgumentException e) {
            return false; // as for limits get, which has no tiers
        }
    }

    /** Why the limit would have no effect anywhere, preferably for a file that has the endpoint. */
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

    /** Ends the command if the limit would have no effect anywhere. */
    public void requireEffect(List<FollowedFile> all) {
        problemEverywhere(all).ifPresent(problem -> {
            throw new CommandFailure(ExitCodes.UNKNOWN_NAME, problem);
        });
    }

    /** A note for the operator on a limit that has an effect. */
    public Optional<String> note(FollowedFile file) {
        Endpoint endpoint = file.endpoint(limit.endpoint()).orElse(null);
        if (endpoint == null) {
            return clearSecret(file);
        }
        if (!endpoint.per().contains(limit.subject())) {
            String apart =
                    endpoint.per().isEmpty() ? "" : ", separately for each " + String.join(" and ", endpoint.per());
            return Optional.of(endpoint.id() + " counts " + countedBy(endpoint) + "; callers whose " + limit.subject()
                    + " is " + client() + " are then counted by themselves" + apart);
        }
        if (endpoint.mode() == Mode.DRY_RUN) {
            return Optional.of(endpoint.id() + " is in dry-run mode: it refuses nobody, whatever the limit");
        }
        return clearSecret(file);
    }

    private Optional<String> clearSecret(FollowedFile file) {
        List<SubjectSource> sources = file.limits().subjects().getOrDefault(limit.subject(), List.of());
        return CountedValue.mayBeClearSecret(sources, limit.value())
                ? Optional.of("some sources of the " + limit.subject() + " are secret; if " + client()
                        + " is a secret, unset this limit, since the store now has the secret in clear, and let "
                        + "--config FILE hash it")
                : Optional.empty();
    }

    private String client() {
        return SafeText.cut(limit.value(), 80);
    }

    private static String countedBy(Endpoint endpoint) {
        return endpoint.per().isEmpty() ? "all callers together" : "by " + String.join(" and ", endpoint.per());
    }

    private String wrongSubject(FollowedFile file, Endpoint endpoint, @Nullable List<SubjectSource> sources) {
        if (namesSubject) {
            return unknown(
                    "subject", limit.subject(), file, file.limits().subjects().keySet());
        }
        if (isForAll()) {
            return "no endpoint of " + SafeText.cut(file.name(), 200) + " counts by " + limit.subject()
                    + ", so a factor for the " + limit.subject() + " " + client()
                    + " may have no effect; write --subject NAME; "
                    + known("subjects", file.limits().subjects().keySet());
        }
        String counted = endpoint.id() + " counts " + countedBy(endpoint) + ", not by " + limit.subject()
                + ", so a limit for the " + limit.subject() + " " + client() + " may have no effect; write ";
        if (endpoint.per().isEmpty()) {
            return counted + "--subject NAME to count callers with that subject by themselves; "
                    + known("subjects", file.limits().subjects().keySet());
        }
        return counted
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

    /** Why no caller can have this value: addresses and countries count in one spelling only. */
    private @Nullable String impossible(List<SubjectSource> sources) {
        if (isAll(sources, "ip") && !limit.value().contains("/")) {
            String known = ADDRESSES.normalised(limit.value());
            return limit.value().equals(known)
                    ? null
                    : "no caller's " + limit.subject() + " is " + client() + ": "
                            + (known == null
                                    ? "it is not an address; write one such as 192.0.2.7 or 2001:db8::/64"
                                    : "it is counted as " + known + "; write that");
        }
        return isAll(sources, "country") && !limit.value().matches("[A-Z]{2}")
                ? "no caller's " + limit.subject() + " is " + client()
                        + ": a country is two capital letters, such as FR"
                : null;
    }

    private static boolean isAll(List<SubjectSource> sources, String name) {
        return !sources.isEmpty()
                && sources.stream().allMatch(source -> source.name().equals(name));
    }

    private Optional<String> pointless(FollowedFile file, List<Endpoint> concerned) {
        List<Subject> subjects = EffectiveTiers.subjects(limit);
        Optional<Client> exempt = file.limits().clients().stream()
                .filter(Client::exempt)
                .filter(client -> EffectiveTiers.fits(file.limits(), client, subjects))
                .findFirst();
        if (exempt.isPresent()
                && new EffectiveTiers(file.limits(), List.of())
                        .of(concerned.get(0), subjects).stream().allMatch(EffectiveTiers.Found::isExempt)) {
            return Optional.of("the client " + SafeText.cut(exempt.get().name(), 120) + " is exempt in "
                    + SafeText.cut(file.name(), 200) + ", so a limit has no effect; change that file");
        }
        return concerned.stream().allMatch(endpoint -> endpoint.mode() == Mode.OFF)
                ? Optional.of("the mode of " + place() + " is off in " + SafeText.cut(file.name(), 200)
                        + ", so a limit has no effect; change that file")
                : Optional.empty();
    }
}
