package dev.sluice.internal.config.keys;

import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.CostResolver;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.internal.config.caller.KeySubjects;
import dev.sluice.internal.config.caller.SubjectsSection;
import dev.sluice.internal.config.caller.WhenSection;
import dev.sluice.internal.config.keys.CountSection.CountFilter;
import dev.sluice.internal.config.tier.PositionedTier;
import dev.sluice.internal.config.tier.TierChecks;
import dev.sluice.internal.config.tier.TierKeysOfEndpoint;
import dev.sluice.internal.config.tier.TierSection;
import dev.sluice.internal.config.value.Identifiers;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one item of {@code endpoints}. */
public final class EndpointSection {

    private static final String EXAMPLE =
            "{ id: get-product, methods: [ GET ], pathPattern: /product/*, tiers: [ { period: 10s, threshold: 1000 } "
                    + "] }";

    /**
     * The spelling of the {@code on} key after a YAML 1.1 tool has rewritten the file. Such tools interpret {@code on}
     * as a boolean.
     */
    private static final String ON_IN_YAML_1_1 = "true";

    private final Mode modeOfFile;
    private final SubjectsSection subjects;
    private final WhenSection whens;
    private final Map<String, CostResolver> costs;
    private final TierSection tiersOfFile;
    private final Map<String, FilePosition> ids = new HashMap<>();
    // Clients and plans can define their own tiers for an endpoint. The maps below serve to check those tiers. They
    // include invalid endpoints, so that one mistake does not cause further errors.
    private final Map<String, Cost> costsOfCalls = new HashMap<>();
    private final Set<String> openIds = new HashSet<>();
    private final Map<String, BigDecimal> regionShares = new HashMap<>();
    private final Map<String, String> whyNoBlocks = new HashMap<>();

    /**
     * Creates a reader for the endpoints of a file.
     *
     * @param zone the time zone of calendar periods without a {@code zone}
     * @param regionShare the fraction of each limit that applies in this region
     */
    public EndpointSection(
            Mode modeOfFile,
            SubjectsSection subjects,
            WhenSection whens,
            Map<String, CostResolver> costs,
            Sync syncOfFile,
            ZoneId zone,
            BigDecimal regionShare) {
        this.modeOfFile = modeOfFile;
        this.subjects = subjects;
        this.whens = whens;
        this.costs = costs;
        this.tiersOfFile = new TierSection(syncOfFile, zone, regionShare, "");
    }

    public Shape<List<PositionedEndpoint>> endpoints() {
        return Shapes.listOf(
                Section.shape(EXAMPLE, this::read),
                "[ " + EXAMPLE + " ]",
                "write at least one endpoint, such as " + EXAMPLE);
    }

    /**
     * Returns the cost of a call, by endpoint id. The map contains all endpoints that have been read, including invalid
     * ones.
     */
    public Map<String, Cost> costsOfCalls() {
        return costsOfCalls;
    }

    /** Returns the ids that contain no variable. Messages can show these ids without revealing a secret. */
    public Set<String> openIds() {
        return openIds;
    }

    /**
     * Returns the fraction of the limits that applies in this region, by endpoint id. The map contains all endpoints
     * that have been read.
     */
    public Map<String, BigDecimal> regionShares() {
        return regionShares;
    }

    /**
     * Returns the messages that explain why {@code block} cannot be used, by endpoint id. The map contains all
     * endpoints that have been read. A message is empty if {@code block} can be used at the endpoint.
     */
    public Map<String, String> whyNoBlocks() {
        return whyNoBlocks;
    }

    private @Nullable PositionedEndpoint read(Section keys, Findings findings) {
        Text id = keys.required("id", Identifiers.id(), "id: get-product");
        boolean enabled = keys.optional("enabled", Shapes.trueOrFalse(), true);
        boolean onMethods = isOnMethods(keys);
        Text on = keys.optional("on", Identifiers.id());
        if (onMethods) {
            refuseKeysOfRequests(keys);
        }
        List<String> methods = onMethods ? List.of() : keys.optional("methods", MethodShape.LIST, List.of());
        PathsSection written = onMethods ? null : PathsSection.read(keys, whens.caseSensitive());
        EndpointPaths paths = written == null ? null : written.paths();
        boolean hasPer = keys.unread("per") != null;
        KeySubjects read = keys.optional("per", subjects::per);
        // If per is invalid, we use the default in its place, so that the rest of the endpoint is still checked.
        KeySubjects per = read == null ? new KeySubjects(List.of("tenant"), keys.position()) : read;
        Mode mode = keys.optional("mode", Shapes.word(Mode.class), modeOfFile);
        CountFilter filter = onMethods ? CountFilter.ALL : CountSection.read(keys);
        Endpoint.Headers headers = keys.optional(
                "headers", Shapes.word(Endpoint.Headers.class), Endpoint.Headers.unlessWritten(filter.someOnly()));
        Cost cost = keys.optional("cost", onMethods ? CostShape.ofMethods(costs) : CostShape.of(costs), Cost.ONE);
        Condition when = whens.read(keys, paths, onMethods);
        if (written != null) {
            written.check(keys, filter, findings);
        }
        boolean isPerLogin = subjects.arePerLogin(per.names());
        if (isPerLogin) {
            checkLogin(per, filter, cost, onMethods, findings);
        }
        if (written != null && !isPerLogin && written.areAll() && filter.someOnly() && when == Condition.ALWAYS) {
            findings.add(
                    ProblemCode.COUNT_ON_ALL_PATHS,
                    keys.position("pathPattern"),
                    "with the key count, each call to any path holds a permit of this limit until its outcome is "
                            + "known. While all permits are taken, the caller's next call awaits an outcome for up to "
                            + "2 s or is refused. Write the path to protect, such as /login, or a condition, such as "
                            + "when: { \"header:Authorization\": present }");
        }
        // A per-instance limit is not shared between regions, so it applies in full.
        BigDecimal share = subjects.areOfEachInstance(per.names()) ? BigDecimal.ONE : tiersOfFile.regionShare();
        // An invalid per has already been reported. We cannot tell whether block could be used with the intended value.
        String whyNoBlock = hasPer && read == null ? "" : subjects.whyNoBlock(per.names());
        List<PositionedTier> tiers = tiers(keys, tiersOfFile.at(share, whyNoBlock));

        refuseSecondUse(id, findings);
        if (id != null) {
            costsOfCalls.putIfAbsent(id.content(), cost);
            if (!id.isSubstituted()) {
                openIds.add(id.content());
            }
            regionShares.putIfAbsent(id.content(), share);
            whyNoBlocks.putIfAbsent(id.content(), whyNoBlock);
        }
        subjects.checkSources(per, paths, onMethods, findings);
        if (tiers != null) {
            TierChecks.check(tiers, findings);
            TierChecks.checkCost(cost, CostShape.usual(cost), tiers, findings);
        }
        if (id == null
                || (onMethods ? on == null : written == null)
                || tiers == null
                || tiers.isEmpty()
                || !keys.isValid()) {
            return null;
        }
        List<Tier> limits = tiers.stream().map(PositionedTier::tier).toList();
        Endpoint endpoint = new Endpoint(
                id.content(),
                Set.copyOf(methods),
                written == null ? List.of() : written.pathPatterns(),
                written == null ? List.of() : written.except(),
                on == null ? null : on.content(),
                per.names(),
                mode,
                when,
                filter.statuses(),
                filter.failedLogins(),
                cost,
                headers,
                limits);
        return new PositionedEndpoint(endpoint, enabled, keys.position());
    }

    /**
     * Reports keys that cannot be combined with the {@code login} subject, because the user name is known only during a
     * login attempt.
     */
    private static void checkLogin(
            KeySubjects per, CountFilter filter, Cost cost, boolean onMethods, Findings findings) {
        if (onMethods) {
            findings.add(
                    ProblemCode.MISUSED_LOGIN,
                    per.position(),
                    "login is the user name in a login attempt, but a method call is not a login attempt; name a "
                            + "different subject, or write pathPattern instead of on");
        } else if (!filter.failedLogins()) {
            findings.add(
                    ProblemCode.MISUSED_LOGIN,
                    per.position(),
                    "the value of login is known only during a login attempt, so an endpoint keyed by it can count "
                            + "only failed logins; add count: { outcome: login-failure }");
        } else if (cost.charged() || cost.reserved()) {
            findings.add(
                    ProblemCode.MISUSED_LOGIN,
                    per.position(),
                    "with the subject login, the cost of a login attempt must be known when the request arrives, but "
                            + "this cost is known only later; remove cost, or write a number");
        }
    }

    /**
     * Whether the endpoint limits methods. A misspelt {@code on} is also recognised, so that the missing
     * {@code pathPattern} is not reported as a second mistake.
     */
    private static boolean isOnMethods(Section keys) {
        if (keys.unread(ON_IN_YAML_1_1) != null) {
            keys.mistaken(ON_IN_YAML_1_1, "many YAML tools read the key on as true; write it in quotes: \"on\"");
            return true;
        }
        return keys.unread("on") != null || (keys.unread("pathPattern") == null && keys.misspells("on"));
    }

    private static void refuseKeysOfRequests(Section keys) {
        keys.misplaced(
                "pathPattern",
                "the key pathPattern limits requests, and the key on limits method calls; keep one of the two");
        keys.misplaced(
                "except",
                "the key except excludes paths from pathPattern, but method calls have no path; remove except");
        keys.misplaced(
                "methods",
                "the key methods applies to requests, but the key on limits calls to the application's methods; remove "
                        + "methods");
        keys.misplaced(
                "count",
                "the key count depends on the response to a request, but an endpoint with the key on counts every "
                        + "call; remove count");
    }

    private @Nullable List<PositionedTier> tiers(Section keys, TierSection section) {
        Shape<List<PositionedTier>> tiers = section.tiers();
        return TierKeysOfEndpoint.refuse(keys)
                ? keys.optional("tiers", tiers)
                : keys.required("tiers", tiers, "tiers: [ { period: 10s, threshold: 1000 } ]");
    }

    private void refuseSecondUse(@Nullable Text id, Findings findings) {
        FilePosition first = id == null ? null : ids.putIfAbsent(id.content(), id.position());
        if (id != null && first != null) {
            findings.add(
                    ProblemCode.DUPLICATE_ID,
                    id,
                    " is already the id of the endpoint in " + first.seenFrom(id.position())
                            + "; choose a different id");
        }
    }
}
