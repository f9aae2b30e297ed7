package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.match.caller.AddressRange;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.glob.Glob;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the tiers that apply to a caller at an endpoint. It follows the same rules as the limiter. */
public final class EffectiveTiers {

    /** Sorts overrides into the order in which they are tried and listed. */
    public static final Comparator<ClientOverride> ORDER = Comparator.comparing(ClientOverride::subject)
            .thenComparing(ClientOverride::value)
            .thenComparing(ClientOverride::endpoint);

    private static final int LONGEST_PLAN = 200;
    private static final String PLAN = "plan ";

    private static final SecretDigest UNKEYED = SecretDigest.unkeyed();

    private final Limits limits;
    private final Map<String, List<ClientOverride>> kept = new HashMap<>();

    /** Creates an instance that applies the limits in a file, and the limits that are set in the store. */
    public EffectiveTiers(Limits limits, List<ClientOverride> kept) {
        this.limits = limits;
        kept.stream()
                .sorted(ORDER)
                .forEach(limit -> this.kept
                        .computeIfAbsent(limit.endpoint(), missing -> new ArrayList<>())
                        .add(limit));
    }

    /**
     * The tiers that apply to a caller, and their origin.
     *
     * @param origin where the tiers are set: {@code file}, a plan or a client in the file, or {@code store}
     * @param isExempt whether the caller is never refused
     * @param plans the plans for which the tiers apply, if the caller's plan becomes known only during a call. An empty
     *     name stands for callers without a plan
     */
    public record Found(List<Tier> tiers, String origin, boolean isExempt, List<String> plans) {

        public Optional<Tier> named(String name) {
            return tiers.stream().filter(tier -> tier.name().equals(name)).findFirst();
        }

        /**
         * Describes the plans for which the tiers apply, such as {@code plan pro}; empty if the tiers apply regardless
         * of the plan.
         */
        public String planText() {
            return plans.stream()
                    .map(plan -> plan.isEmpty() ? "no plan" : "plan " + SafeText.cut(plan, LONGEST_PLAN))
                    .collect(Collectors.joining(" or "));
        }

        /** Formats the plans as a suffix, for example {@code , by plan pro}; empty if the plan does not matter. */
        public String byPlan() {
            return plans.isEmpty() ? "" : ", by " + planText();
        }

        /** Formats the plans and tiers, for example {@code by plan pro: tier 10s: fixed-window, threshold 50}. */
        public String text() {
            String tiersText = FileNotation.tiers(tiers) + (isExempt ? ", exempt" : "");
            return plans.isEmpty() ? tiersText : "by " + planText() + ": " + tiersText;
        }

        private boolean isLike(Found other) {
            return tiers.equals(other.tiers) && isExempt == other.isExempt;
        }
    }

    /**
     * Returns the tiers that can apply to the client of an override; see {@link #of(Endpoint, List)}. If the override
     * is for a plan, returns the tiers of those callers on the plan that do not have their own limit.
     */
    public List<Found> of(Endpoint endpoint, ClientOverride limit) {
        return limit.isOfPlan()
                ? List.of(with(limits.plans().byName().get(limit.value()), endpoint, Optional.empty(), null))
                : of(endpoint, subjects(limit));
    }

    /**
     * Returns the tiers that can apply to a caller. Usually, the list has one element. If the tiers depend on a plan
     * that becomes known only during a call ({@link #planNamer}), the list has one element for each possible result.
     */
    public List<Found> of(Endpoint endpoint, List<Subject> subjects) {
        Optional<Client> client = client(subjects);
        OverrideText outside = outside(endpoint, subjects);
        List<Found> all = new ArrayList<>();
        for (String plan : plans(client.map(Client::plan).orElse(""), subjects)) {
            Found found = with(limits.plans().byName().get(plan), endpoint, client, outside);
            int like = 0;
            // Several plans can result in the same tiers. We list such tiers only once, with the names of all their
            // plans.
            while (like < all.size() && !all.get(like).isLike(found)) {
                like++;
            }
            List<String> plans = new ArrayList<>(like < all.size() ? all.get(like).plans : List.of());
            plans.add(plan);
            Found known = new Found(found.tiers, found.origin, found.isExempt, plans);
            if (like < all.size()) {
                all.set(like, known);
            } else {
                all.add(known);
            }
        }
        if (all.size() > 1) {
            return all;
        }
        Found only = all.get(0);
        boolean isOfAnyPlan = only.plans.size() > 1 && only.origin.startsWith(PLAN);
        return List.of(new Found(only.tiers, isOfAnyPlan ? "file" : only.origin, only.isExempt, List.of()));
    }

    private Found with(@Nullable Plan plan, Endpoint endpoint, Optional<Client> client, @Nullable OverrideText own) {
        boolean isExempt = !endpoint.countsFailedLogins()
                && (client.map(Client::exempt).orElse(false) || (plan != null && plan.exempt()));
        if (own != null && !own.isFactor()) {
            return new Found(own.tiers(), "store", isExempt, List.of());
        }
        boolean countsAll = countsAll(endpoint);
        boolean keeps = keepsItsTiers(endpoint);
        OverrideText outside = own;
        if (own == null && plan != null) {
            outside = outside(endpoint, List.of(new Subject(ClientOverride.PLAN, "", plan.name())));
            if (outside != null && !outside.isFactor()) {
                Plan replaced = new Plan(
                        plan.name(),
                        plan.exempt(),
                        BigDecimal.ONE,
                        plan.mode(),
                        Map.of(endpoint.id(), outside.tiers()));
                return ofFile(endpoint, client, replaced, isExempt, keeps);
            }
        }
        Found ofFile = ofFile(endpoint, client, plan, isExempt, keeps);
        return outside == null || countsAll
                ? ofFile
                : new Found(times(ofFile.tiers(), outside.factor()), "store", isExempt, List.of());
    }

    /** Whether an endpoint counts all callers together. Factors have no effect at such an endpoint. */
    public static boolean countsAll(Endpoint endpoint) {
        return endpoint.per().stream().allMatch("server"::equals);
    }

    /**
     * Whether only settings that name the endpoint change its limits. This is the case if the endpoint counts all
     * callers together. It is also the case for limits on failed logins, because those limits protect other users'
     * accounts from the caller.
     */
    public static boolean keepsItsTiers(Endpoint endpoint) {
        return countsAll(endpoint) || endpoint.countsFailedLogins();
    }

    private static Found ofFile(
            Endpoint endpoint, Optional<Client> client, @Nullable Plan plan, boolean isExempt, boolean keeps) {
        List<Tier> planned = plan == null
                ? endpoint.tiers()
                : changed(endpoint, endpoint.tiers(), plan.endpoints(), keeps ? BigDecimal.ONE : plan.multiply());
        String ofPlan = plan == null ? "file" : PLAN + plan.name();
        if (client.isEmpty()) {
            return new Found(planned, ofPlan, isExempt, List.of());
        }
        BigDecimal multiple = keeps ? BigDecimal.ONE : client.get().multiply();
        return new Found(
                changed(endpoint, planned, client.get().endpoints(), multiple),
                FileNotation.client(client.get()),
                isExempt,
                List.of());
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

    /**
     * Finds the override for a caller, either for this endpoint or, if there is none, for all endpoints. Skips invalid
     * overrides, as instances do.
     */
    private @Nullable OverrideText outside(Endpoint endpoint, List<Subject> subjects) {
        List<String> places = endpoint.countsFailedLogins()
                ? List.of(endpoint.id())
                : List.of(endpoint.id(), ClientOverride.ALL_ENDPOINTS);
        for (String place : places) {
            for (ClientOverride limit : kept.getOrDefault(place, List.of())) {
                OverrideText said = fits(limit, subjects) ? parsed(limit) : null;
                if (said != null) {
                    return said;
                }
            }
        }
        return null;
    }

    /**
     * Returns the plans that the client of an override might have, as far as this command can tell. An empty name
     * stands for no plan.
     */
    public List<String> plans(ClientOverride limit) {
        List<Subject> subjects = subjects(limit);
        return plans(client(subjects).map(Client::plan).orElse(""), subjects);
    }

    private Optional<Client> client(List<Subject> subjects) {
        return limits.clients().stream()
                .filter(one -> fits(limits, one, subjects))
                .findFirst();
    }

    /**
     * Returns the plans that a caller might have, as far as this command can tell. If the file or its table determines
     * the plan, the list contains only that plan. If the call or the application determines the plan, the list contains
     * all plans. An empty name stands for no plan.
     *
     * @param named the caller's plan in the list of clients; empty if the list specifies no plan
     */
    private List<String> plans(String named, List<Subject> subjects) {
        Plans plans = limits.plans();
        if (plans.byName().containsKey(named)) {
            return List.of(named);
        }
        String listed = inTable(subjects);
        if (plans.byName().containsKey(listed)) {
            return List.of(listed);
        }
        if (planNamer(subjects).isEmpty()) {
            return List.of(plans.byDefault());
        }
        Set<String> all = new LinkedHashSet<>();
        all.add(plans.byDefault());
        plans.byName().keySet().stream().sorted().forEach(all::add);
        return List.copyOf(all);
    }

    private String inTable(List<Subject> subjects) {
        Plans.Directory directory = limits.plans().directory();
        return directory == null
                ? ""
                : subjects.stream()
                        .filter(subject -> subject.name().equals(directory.subject()))
                        .map(subject -> directory.clients().planOf(subject.source(), "", subject.value()))
                        .filter(plan -> !plan.isEmpty())
                        .findFirst()
                        .orElse("");
    }

    /**
     * If a caller's plan becomes known only during a call, explains where the plan comes from, for example {@code each
     * call names its plan, by header:X-Plan}. Empty if this command can determine the plan.
     */
    public String planNamer(List<Subject> subjects) {
        List<String> namers = new ArrayList<>();
        Plans.Directory directory = limits.plans().directory();
        if (directory != null) {
            boolean isTable = directory.from().startsWith("file:");
            String from = SafeText.cut(directory.from(), LONGEST_PLAN);
            boolean isOther = subjects.stream().noneMatch(one -> one.name().equals(directory.subject()));
            if (isOther) {
                namers.add("the " + directory.subject() + " of each call has its plan in " + from);
            } else if (directory.clients() == ClientDirectory.EMPTY) {
                namers.add(
                        isTable
                                ? "the table " + from + " names the plan (--config reads it)"
                                : "the ClientSource " + from + " names the plan");
            }
        }
        if (!limits.plans().claimed().isEmpty()) {
            namers.add("each call names its plan, by "
                    + limits.plans().claimed().stream()
                            .map(SubjectSource::name)
                            .map(name -> SafeText.cut(name, LONGEST_PLAN))
                            .collect(Collectors.joining(" or ")));
        }
        return String.join(", or else ", namers);
    }

    private static @Nullable OverrideText parsed(ClientOverride limit) {
        try {
            return OverrideText.parse(limit, Sync.DEFAULT);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether the override applies to a caller with these subjects. */
    public static boolean fits(ClientOverride limit, List<Subject> subjects) {
        return subjects.stream()
                .anyMatch(subject -> subject.name().equals(limit.subject())
                        && subject.value().equals(SubjectKey.ofNamed(limit.value())));
    }

    /** Returns the subjects that identify the client of an override in counters. */
    public static List<Subject> subjects(ClientOverride limit) {
        return List.of(new Subject(limit.subject(), "", SubjectKey.ofNamed(limit.value())));
    }

    /** Whether a caller with these subjects matches the given client. */
    public static boolean fits(Limits limits, Client client, List<Subject> subjects) {
        return client.who().entrySet().stream()
                .allMatch(who -> subjects.stream()
                        .filter(subject -> subject.name().equals(who.getKey()))
                        .anyMatch(subject -> who.getValue().stream()
                                .anyMatch(value -> fits(
                                        limits.subjects().getOrDefault(subject.name(), List.of()), value, subject))));
    }

    /** Whether this subject's value is one of the values that identify a client. */
    public static boolean names(Limits limits, Client client, Subject subject) {
        return client.who().getOrDefault(subject.name(), List.of()).stream()
                .anyMatch(value -> fits(limits.subjects().getOrDefault(subject.name(), List.of()), value, subject));
    }

    /** Whether a value in a file identifies the caller with this subject. The value can be a secret in plain text. */
    private static boolean fits(List<SubjectSource> chain, String written, Subject subject) {
        AddressRange network = SubjectSources.areAddresses(chain) ? AddressRange.networkIn(written) : null;
        return Glob.isLike(subject.value(), written)
                || (network != null && network.containsKey(subject.value()))
                || subject.value().equals(SubjectKey.ofNamed(written))
                || subject.value().equals(SubjectKey.of(chain, written))
                || (isReported(chain) && UNKEYED.apply(subject.value()).equals(written));
    }

    /**
     * Whether the chain comes from an instance's report. If one of its sources is secret, the report contains hashes
     * instead of the subject's client keys. This command can compute such a hash only if the hash is not keyed.
     */
    private static boolean isReported(List<SubjectSource> chain) {
        return chain.stream().anyMatch(SubjectSource::isNamedSecret)
                && chain.stream().noneMatch(SubjectSource::isSecret)
                && !chain.stream().allMatch(SubjectSource::isNamedSecret);
    }

    /**
     * Whether the file might list the client of an override, even though no client matches. Some clients appear in
     * reports only as hashes.
     */
    public boolean isUncertain(ClientOverride limit) {
        Subject subject = subjects(limit).get(0);
        return isReported(limits.subjects().getOrDefault(subject.name(), List.of()))
                && !SecretDigest.isHash(subject.value())
                && limits.clients().stream().noneMatch(client -> fits(limits, client, List.of(subject)))
                && limits.clients().stream()
                        .flatMap(client -> client.who().getOrDefault(subject.name(), List.of()).stream())
                        .anyMatch(SecretDigest::isHash);
    }
}
