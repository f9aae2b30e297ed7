package dev.sluice.internal.config.file;

import dev.sluice.Endpoint;
import dev.sluice.LimitsException;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.config.caller.CallersSection;
import dev.sluice.internal.config.caller.SubjectsSection;
import dev.sluice.internal.config.caller.WhenSection;
import dev.sluice.internal.config.keys.ClientSection;
import dev.sluice.internal.config.keys.ClientsSection;
import dev.sluice.internal.config.keys.EndpointSection;
import dev.sluice.internal.config.keys.OverrideKeys;
import dev.sluice.internal.config.keys.PlansSection;
import dev.sluice.internal.config.keys.PositionedEndpoint;
import dev.sluice.internal.config.keys.ResponseSection;
import dev.sluice.internal.config.keys.StoreSection;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.value.Percentage;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.value.Zones;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Limits.PendingCalls;
import dev.sluice.limits.Plan;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts the content of a limits file to limits, or reports all mistakes in that file. Not thread-safe, except for
 * its static methods.
 */
public final class LimitsReader {

    private static final int MOST_COUNTERS = 100_000_000;
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(5);
    private static final Shape<Duration> REFUSALS = Shapes.duration(Duration.ofSeconds(1), Duration.ofDays(1));
    private static final Shape<BigDecimal> REGION_SHARE =
            Shapes.number(new BigDecimal("0.001"), BigDecimal.ONE, LimitsReader::shareMeant, "0.5");

    private static final Shape<Duration> INTERVAL = Shapes.duration(Duration.ofMillis(100), Duration.ofDays(1));

    private final LoadContext context;
    private final Findings findings;

    LimitsReader(LoadContext context, Findings findings) {
        this.context = context;
        this.findings = findings;
    }

    /**
     * Reads and validates a file without putting it into force.
     *
     * @param resolvers the names of the application's resolvers and client sources. The file can refer only to these
     *     names
     * @throws LimitsException if the file contains errors; it lists all errors and warnings
     */
    public static LimitsFile read(ConfigSource source, Set<String> resolvers) {
        return parse(SourceContent.of(source), LoadContext.ofNames(resolvers));
    }

    /**
     * Reads and validates the content of a file.
     *
     * @throws LimitsException if the file contains errors; it lists all errors and warnings
     */
    public static LimitsFile parse(SourceContent content, LoadContext context) {
        Findings findings = new Findings(content.name());
        LimitsFile file = new LimitsReader(context, findings).file(content);
        if (file == null || findings.failed()) {
            throw new LimitsException(findings.problems());
        }
        return file;
    }

    /**
     * Reads the file. If the list of endpoints is missing, reports an error and returns {@code null}. Check the
     * findings before you use the result.
     */
    @Nullable LimitsFile file(SourceContent content) {
        Value root = content.value(context.variables(), findings);
        return root == null
                ? null
                : Section.<LimitsFile>shape(
                                "endpoints: followed by a list, or only that list",
                                (keys, problems) -> file(content.name(), keys))
                        .read(root, findings);
    }

    private @Nullable LimitsFile file(String name, Section keys) {
        StoreSection.Sharing sharing = StoreSection.read(keys);
        Mode mode = keys.optional("mode", Shapes.word(Mode.class), Mode.ENFORCE);
        ZoneId zone = keys.optional("zone", Zones.ZONE, Zones.UTC);
        ResponseOptions responses = ResponseSection.read(keys);
        BigDecimal regionShare = keys.optional("regionShare", REGION_SHARE, BigDecimal.ONE);
        boolean caseSensitive = keys.optional("caseSensitive", Shapes.trueOrFalse(), true);
        int maximumCounters = keys.optional("maximumCounters", Shapes.count(1, MOST_COUNTERS), 100_000);
        Duration reload = keys.optional("reload", INTERVAL, USUAL_INTERVAL);
        Duration refresh = refresh(keys);
        Duration refusals = refusals(keys);
        PendingCalls pendingCalls = pendingCalls(keys);
        // Endpoints refer to subjects, and plans and clients refer to endpoints, so we read the sections in this order.
        SubjectsSection subjects = new SubjectsSection(
                CallersSection.read(keys, context.server(), context.resolvers(), context.warnings()));
        keys.optional("subjects", subjects::read, subjects);
        EndpointSection section = new EndpointSection(
                mode,
                subjects,
                new WhenSection(subjects, caseSensitive, zone),
                context.costs(),
                sharing.sync(),
                zone,
                regionShare);
        List<PositionedEndpoint> endpoints =
                keys.required("endpoints", section.endpoints(), "endpoints: followed by a list");
        OverrideKeys overrides = new OverrideKeys(
                section.costsOfCalls(),
                section.openIds(),
                section.regionShares(),
                section.whyNoBlocks(),
                sharing.sync(),
                zone);
        PlansSection plans = PlansSection.read(keys, overrides);
        ClientsSection.Found clients = new ClientsSection(
                        new ClientSection(overrides, plans, subjects), plans, subjects, context.clientSources())
                .read(keys, findings);
        if (endpoints == null) {
            return null;
        }
        warnOfDuplicates(endpoints);
        if (!findings.failed()) {
            warnOfEqualNames(endpoints, clients);
        }
        List<Endpoint> enabled = enabled(endpoints);
        Limits limits = new Limits(
                enabled,
                subjects.chains(),
                caseSensitive,
                maximumCounters,
                responses,
                sharing.sharing(),
                clients.list(),
                List.of(),
                pendingCalls,
                clients.plans());
        int disabled = endpoints.size() - enabled.size();
        return new LimitsFile(
                SafeText.of(name),
                limits,
                new LimitsFile.Store(
                        sharing.uri() == null ? CounterStores.MEMORY : sharing.uri(),
                        sharing.uri() != null,
                        sharing.onStart()),
                disabled,
                onMethods(endpoints),
                new LimitsFile.Intervals(reload, refresh, refusals),
                new LimitsFile.AllTiers(sharing.sync(), regionShare),
                findings.problems());
    }

    /**
     * Converts a percentage to a fraction, for example {@code 50%} to {@code 0.5}. Returns {@code null} if the text is
     * not a percentage.
     */
    private static @Nullable String shareMeant(Text text) {
        Double percentage = text.isSubstituted() ? null : Percentage.parse(text.content());
        return percentage == null
                ? null
                : BigDecimal.valueOf(percentage).stripTrailingZeros().toPlainString();
    }

    private static Duration refresh(Section file) {
        try (Section limits = file.section("limits", "refresh", INTERVAL, "{ refresh: 5s }")) {
            return limits.optional("refresh", INTERVAL, USUAL_INTERVAL);
        }
    }

    private static Duration refusals(Section file) {
        try (Section log = file.section("log", "refusals", REFUSALS, "{ refusals: 10s }")) {
            return log.optional("refusals", REFUSALS, Duration.ZERO);
        }
    }

    private static PendingCalls pendingCalls(Section file) {
        PendingCalls byDefault = PendingCalls.DEFAULT;
        try (Section bounds = file.section("pendingCalls", "{ queued: 20, waiting: 100, awaitingOutcomes: 100 }")) {
            return new PendingCalls(
                    bounds.optional("queued", Shapes.count(0, PendingCalls.MOST), byDefault.queued()),
                    bounds.optional("waiting", Shapes.count(1, PendingCalls.MOST), byDefault.waiting()),
                    bounds.optional(
                            "awaitingOutcomes", Shapes.count(0, PendingCalls.MOST), byDefault.awaitingOutcomes()));
        }
    }

    private static Set<String> onMethods(List<PositionedEndpoint> endpoints) {
        return endpoints.stream()
                .flatMap(one -> Stream.ofNullable(one.endpoint().on()))
                .collect(Collectors.toSet());
    }

    private static List<Endpoint> enabled(List<PositionedEndpoint> endpoints) {
        return endpoints.stream()
                .filter(PositionedEndpoint::enabled)
                .map(PositionedEndpoint::endpoint)
                .toList();
    }

    /**
     * Warns about enabled endpoints whose limits have the same name in response headers. If an endpoint has several
     * tiers, the name of each limit consists of the endpoint's id and the tier's name, joined by a dash. A second
     * endpoint might have an id that is identical to such a name.
     */
    private void warnOfEqualNames(List<PositionedEndpoint> endpoints, ClientsSection.Found clients) {
        Map<String, PositionedEndpoint> seen = new HashMap<>();
        for (PositionedEndpoint here : endpoints) {
            if (!here.enabled() || here.endpoint().headers() == Endpoint.Headers.NONE) {
                continue;
            }
            for (String name : policyNames(here.endpoint(), clients)) {
                PositionedEndpoint earlier = seen.putIfAbsent(name, here);
                if (earlier != null) {
                    findings.add(
                            ProblemCode.SAME_POLICY,
                            here.position(),
                            "in response headers, a limit of this endpoint is named " + Quote.of(name)
                                    + ", as is a limit of " + earlier.endpoint().id() + " in "
                                    + earlier.position().seenFrom(here.position())
                                    + "; rename one of the two endpoints");
                }
            }
        }
    }

    /** Returns the names of an endpoint's limits in response headers. They include the limits of clients and plans. */
    private static Set<String> policyNames(Endpoint endpoint, ClientsSection.Found clients) {
        Set<String> names = new LinkedHashSet<>();
        addPolicyNames(endpoint, names);
        for (Client client : clients.list()) {
            addPolicyNames(endpoint, client.endpoints(), names);
        }
        for (Plan plan : clients.plans().byName().values()) {
            addPolicyNames(endpoint, plan.endpoints(), names);
        }
        return names;
    }

    private static void addPolicyNames(Endpoint endpoint, Map<String, List<Tier>> ownTiers, Set<String> names) {
        List<Tier> own = ownTiers.get(endpoint.id());
        if (own != null) {
            addPolicyNames(endpoint.withLimits(endpoint.per(), endpoint.mode(), own), names);
        }
    }

    private static void addPolicyNames(Endpoint endpoint, Set<String> names) {
        for (Tier tier : endpoint.tiers()) {
            names.add(endpoint.policyName(tier));
        }
    }

    /** Warns about enabled endpoints that are identical except for their ids. */
    private void warnOfDuplicates(List<PositionedEndpoint> endpoints) {
        Map<Endpoint, PositionedEndpoint> seen = new HashMap<>();
        for (PositionedEndpoint endpoint : endpoints) {
            PositionedEndpoint earlier = endpoint.enabled() ? seen.putIfAbsent(endpoint.withoutId(), endpoint) : null;
            if (earlier != null) {
                findings.add(
                        ProblemCode.IDENTICAL_ENDPOINTS,
                        endpoint.position(),
                        "this endpoint is identical to " + earlier.endpoint().id() + " in "
                                + earlier.position().seenFrom(endpoint.position())
                                + " except for its id; keep one of the two");
            }
        }
    }
}
