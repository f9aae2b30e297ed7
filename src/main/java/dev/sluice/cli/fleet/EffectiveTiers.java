package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.text.FileNotation;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.text.Glob;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the tiers that apply to a caller at an endpoint, by the rules of the limiter. */
public final class EffectiveTiers {

    /** The order in which overrides are tried and listed. */
    public static final Comparator<ClientOverride> ORDER = Comparator.comparing(ClientOverride::subject)
            .thenComparing(ClientOverride::value)
            .thenComparing(ClientOverride::endpoint);

    private static final SecretDigest UNKEYED = SecretDigest.unkeyed();

    private final Limits limits;
    private final Map<String, List<ClientOverride>> kept = new HashMap<>();

    /** Applies the limits of a file, and those that are set in the store. */
    public EffectiveTiers(Limits limits, List<ClientOverride> kept) {
        this.limits = limits;
        kept.stream()
                .sorted(ORDER)
                .forEach(limit -> this.kept
                        .computeIfAbsent(limit.endpoint(), missing -> new ArrayList<>())
                        .add(limit));
    }

    /**
     * The tiers that apply.
     *
     * @param origin who sets them: {@code file}, a plan or a client of the file, or {@code store}
     * @param isExempt whether the caller is never refused
     */
    public record Found(List<Tier> tiers, String origin, boolean isExempt) {

        public Optional<Tier> named(String name) {
            return tiers.stream().filter(tier -> tier.name().equals(name)).findFirst();
        }
    }

    /** The tiers that apply to the client of a limit. */
    public Found of(Endpoint endpoint, ClientOverride limit) {
        return of(endpoint, subjects(limit));
    }

    public Found of(Endpoint endpoint, List<Subject> subjects) {
        Optional<Client> client = limits.clients().stream()
                .filter(one -> fits(limits, one, subjects))
                .findFirst();
        Plan plan = plan(client.map(Client::plan).orElse(""), subjects);
        boolean isExempt = client.map(Client::exempt).orElse(false) || (plan != null && plan.exempt());
        OverrideText outside = outside(endpoint, subjects);
        if (outside != null && !outside.isFactor()) {
            return new Found(outside.tiers(), "store", isExempt);
        }
        boolean countsAll = countsAll(endpoint);
        Found ofFile = ofFile(endpoint, client, plan, isExempt, countsAll);
        return outside == null || countsAll
                ? ofFile
                : new Found(times(ofFile.tiers(), outside.factor()), "store", isExempt);
    }

    /** Whether an endpoint counts all callers together, so that factors have no effect. */
    public static boolean countsAll(Endpoint endpoint) {
        return endpoint.per().stream().allMatch("server"::equals);
    }

    private static Found ofFile(
            Endpoint endpoint, Optional<Client> client, @Nullable Plan plan, boolean isExempt, boolean countsAll) {
        List<Tier> planned = plan == null
                ? endpoint.tiers()
                : changed(endpoint, endpoint.tiers(), plan.endpoints(), countsAll ? BigDecimal.ONE : plan.multiply());
        String ofPlan = plan == null ? "file" : "plan " + plan.name();
        if (client.isEmpty()) {
            return new Found(planned, ofPlan, isExempt);
        }
        BigDecimal multiple = countsAll ? BigDecimal.ONE : client.get().multiply();
        return new Found(
                changed(endpoint, planned, client.get().endpoints(), multiple),
                FileNotation.client(client.get()),
                isExempt);
    }

    private static List<Tier> changed(
            Endpoint endpoint, List<Tier> tiers, Map<String, List<Tier>> own, BigDecimal multiple) {
        List<Tier> replacing = own.get(endpoint.id());
        if (replacing != null) {
            return replacing;
        }
        return times(tiers, multiple);
    }

    private static List<Tier> times(List<Tier> tiers, BigDecimal factor) {
        return factor.compareTo(BigDecimal.ONE) == 0
                ? tiers
                : tiers.stream().map(tier -> tier.times(factor)).toList();
    }

    /** The override for a caller: for the endpoint, or else for all endpoints. As instances do, skips invalid ones. */
    private @Nullable OverrideText outside(Endpoint endpoint, List<Subject> subjects) {
        for (String place : List.of(endpoint.id(), ClientOverride.ALL_ENDPOINTS)) {
            for (ClientOverride limit : kept.getOrDefault(place, List.of())) {
                OverrideText said = fits(limit, subjects) ? parsed(limit) : null;
                if (said != null) {
                    return said;
                }
            }
        }
        return null;
    }

    /** The plan in the file or its table; a plan that a claim or the application names is unknown here. */
    private @Nullable Plan plan(String named, List<Subject> subjects) {
        Plans plans = limits.plans();
        Plans.Directory directory = plans.directory();
        if (!named.isEmpty()) {
            return plans.byName().get(named);
        }
        if (directory != null) {
            for (Subject subject : subjects) {
                Plan plan = subject.name().equals(directory.subject())
                        ? plans.byName().get(directory.clients().planOf(subject.source(), "", subject.value()))
                        : null;
                if (plan != null) {
                    return plan;
                }
            }
        }
        return plans.byName().get(plans.byDefault());
    }

    private static @Nullable OverrideText parsed(ClientOverride limit) {
        try {
            return OverrideText.parse(limit, Sync.DEFAULT);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether the limit is for a caller with these subjects. */
    public static boolean fits(ClientOverride limit, List<Subject> subjects) {
        return subjects.stream()
                .anyMatch(subject -> subject.name().equals(limit.subject())
                        && subject.value().equals(CountedValue.ofNamed(limit.value())));
    }

    /** The subject that counts the client of a limit. */
    public static List<Subject> subjects(ClientOverride limit) {
        return List.of(new Subject(limit.subject(), "", CountedValue.ofNamed(limit.value())));
    }

    /** Whether callers with these subjects are that client. */
    public static boolean fits(Limits limits, Client client, List<Subject> subjects) {
        return client.who().entrySet().stream()
                .allMatch(who -> subjects.stream()
                        .filter(subject -> subject.name().equals(who.getKey()))
                        .anyMatch(subject -> who.getValue().stream()
                                .anyMatch(value -> fits(
                                        limits.subjects().getOrDefault(subject.name(), List.of()), value, subject))));
    }

    /** Whether one of the values that identify a client is this subject's value. */
    public static boolean names(Limits limits, Client client, Subject subject) {
        return client.who().getOrDefault(subject.name(), List.of()).stream()
                .anyMatch(value -> fits(limits.subjects().getOrDefault(subject.name(), List.of()), value, subject));
    }

    /** Whether a value in a file, which may be a secret in clear, names the caller with this subject. */
    private static boolean fits(List<SubjectSource> chain, String written, Subject subject) {
        return Glob.isLike(subject.value(), written)
                || subject.value().equals(CountedValue.ofNamed(written))
                || subject.value().equals(CountedValue.of(chain, written))
                || (isReported(chain) && UNKEYED.apply(subject.value()).equals(written));
    }

    /**
     * Whether the chain comes from the report of an instance. If one of its sources is secret, the report names all
     * clients of the subject by their hashes. This command can compute a hash that has no key.
     */
    private static boolean isReported(List<SubjectSource> chain) {
        return chain.stream().anyMatch(SubjectSource::isNamedSecret)
                && chain.stream().noneMatch(SubjectSource::isSecret)
                && !chain.stream().allMatch(SubjectSource::isNamedSecret);
    }

    /** Whether the file may list the client of a limit after all, since a report names some clients by hashes only. */
    public boolean isUncertain(Endpoint endpoint, ClientOverride limit) {
        Subject subject = subjects(limit).get(0);
        return isReported(limits.subjects().getOrDefault(subject.name(), List.of()))
                && !SecretDigest.isHash(subject.value())
                && of(endpoint, limit).origin().equals("file")
                && limits.clients().stream()
                        .flatMap(client -> client.who().getOrDefault(subject.name(), List.of()).stream())
                        .anyMatch(SecretDigest::isHash);
    }
}
