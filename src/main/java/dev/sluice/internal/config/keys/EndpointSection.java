package dev.sluice.internal.config.keys;

import dev.sluice.Condition;
import dev.sluice.Cost;
import dev.sluice.CostResolver;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.internal.config.caller.CountedSubjects;
import dev.sluice.internal.config.caller.SubjectsSection;
import dev.sluice.internal.config.caller.WhenSection;
import dev.sluice.internal.config.keys.CountSection.Counted;
import dev.sluice.internal.config.shape.Identifiers;
import dev.sluice.internal.config.shape.Section;
import dev.sluice.internal.config.shape.Shape;
import dev.sluice.internal.config.shape.Shapes;
import dev.sluice.internal.config.tier.PositionedTier;
import dev.sluice.internal.config.tier.TierChecks;
import dev.sluice.internal.config.tier.TierKeysOfEndpoint;
import dev.sluice.internal.config.tier.TierSection;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One item of {@code endpoints}. */
public final class EndpointSection {

    private static final String EXAMPLE =
            "{ id: get-product, methods: [ GET ], pathPattern: /product/*, tiers: [ { period: 10s, threshold: 1000 } ] }";

    private static final String EXAMPLE_OF_PATTERN = "pathPattern: /product/*, or on: report for calls of a method";

    /** What YAML 1.1 reads in place of the key {@code on}, so that its tools write it. */
    private static final String ON_IN_YAML_1_1 = "true";

    /** Whether callers learn of the limit by headers. */
    private enum HeadersOfEndpoint {
        NONE,
        SHOWN
    }

    private static final String ALL_PATHS = "/**";

    /** Each instance has its own value of this subject, and so counts by itself. */
    private static final String SERVER = "server";

    private final Mode modeOfFile;
    private final SubjectsSection subjects;
    private final WhenSection whens;
    private final Map<String, CostResolver> costs;
    private final TierSection tiersOfFile;
    private final Map<String, FilePosition> ids = new HashMap<>();
    private final Map<String, Cost> costsOfCalls = new HashMap<>();
    private final Map<String, BigDecimal> regionShares = new HashMap<>();
    private final Map<String, String> whyNoBlocks = new HashMap<>();

    /**
     * Reads the endpoints of a file.
     *
     * @param zone of periods of the calendar that have none
     * @param regionShare the part of each limit that holds in this region
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

    /** The cost of a call, by the id of each endpoint that was read, also of those with mistakes. */
    public Map<String, Cost> costsOfCalls() {
        return costsOfCalls;
    }

    /** The part of its limits that holds in this region, by the id of each endpoint that was read. */
    public Map<String, BigDecimal> regionShares() {
        return regionShares;
    }

    /** Why no caller can be blocked, by the id of each endpoint that was read; empty where they can. */
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
        PathPattern pattern = onMethods ? null : keys.required("pathPattern", PatternShape.PATTERN, EXAMPLE_OF_PATTERN);
        boolean hasPer = keys.unread("per") != null;
        CountedSubjects read = keys.optional("per", subjects::per);
        CountedSubjects per = read == null ? new CountedSubjects(List.of("tenant"), keys.position()) : read;
        Mode mode = keys.optional("mode", Shapes.word(Mode.class), modeOfFile);
        HeadersOfEndpoint headers =
                keys.optional("headers", Shapes.word(HeadersOfEndpoint.class), HeadersOfEndpoint.SHOWN);
        Counted counted = onMethods ? Counted.ALL : CountSection.read(keys, findings);
        Cost cost = keys.optional("cost", onMethods ? CostShape.ofMethods(costs) : CostShape.of(costs), Cost.ONE);
        Condition when = whens.read(keys, pattern, onMethods, findings);
        if (pattern != null && pattern.toString().equals(ALL_PATHS) && counted.someOnly() && when == Condition.ALWAYS) {
            findings.add(
                    ProblemCode.COUNT_ON_ALL_PATHS,
                    keys.position("pathPattern"),
                    "with count, each call to any path holds a place of this limit until it is answered; while all are "
                            + "taken, the caller's next call waits up to 2 s or is refused. Write the path that is to be "
                            + "guarded, such as /login, or a condition, such as when: { \"header:Authorization\": present }");
        }
        BigDecimal share = per.names().contains(SERVER) ? BigDecimal.ONE : tiersOfFile.regionShare();
        String whyNoBlock = hasPer && read == null ? "" : subjects.whyNoBlock(per.names());
        List<PositionedTier> tiers = tiers(keys, tiersOfFile.at(share, whyNoBlock));

        refuseSecondUse(id, findings);
        if (id != null) {
            costsOfCalls.putIfAbsent(id.content(), cost);
            regionShares.putIfAbsent(id.content(), share);
            whyNoBlocks.putIfAbsent(id.content(), whyNoBlock);
        }
        subjects.checkSources(per, pattern, onMethods, findings);
        if (tiers != null) {
            TierChecks.check(tiers, findings);
            TierChecks.checkCost(cost, CostShape.usual(cost), tiers, findings);
        }
        if (id == null
                || (onMethods ? on == null : pattern == null)
                || tiers == null
                || tiers.isEmpty()
                || !keys.isValid()) {
            return null;
        }
        List<Tier> limits = tiers.stream().map(PositionedTier::tier).toList();
        Endpoint endpoint = new Endpoint(
                id.content(),
                Set.copyOf(methods),
                pattern == null ? "" : pattern.toString(),
                on == null ? null : on.content(),
                per.names(),
                mode,
                when,
                counted.statuses(),
                counted.failedLogins(),
                cost,
                headers == HeadersOfEndpoint.SHOWN,
                limits);
        return new PositionedEndpoint(endpoint, enabled, keys.position());
    }

    /** Also if the key is misspelt, which is reported. */
    private static boolean isOnMethods(Section keys) {
        if (keys.unread(ON_IN_YAML_1_1) != null) {
            keys.mistaken(ON_IN_YAML_1_1, "many YAML tools take the key on for true; write it in quotes: \"on\"");
            return true;
        }
        return keys.unread("on") != null || (keys.unread("pathPattern") == null && keys.misspells("on"));
    }

    private static void refuseKeysOfRequests(Section keys) {
        keys.misplaced(
                "pathPattern", "pathPattern and on both say what is limited: requests, or calls of methods; keep one");
        keys.misplaced("methods", "methods are those of requests, and on limits calls of the application's methods");
        keys.misplaced("count", "count asks how a request was answered or its login ended; with on, each call counts");
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
                    " is the id of the endpoint in line " + first.line() + " already; choose another");
        }
    }
}
