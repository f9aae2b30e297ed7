package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.internal.match.path.PathPatternException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Imports one of a filter's {@code rate-limits} with its cache key, conditions and tiers. */
final class RateLimitImport {

    private final Draft draft;
    private final SpringSettings limit;
    private final EndpointDraft endpoint;
    private final ContextPath context;
    private final List<Term> conditions = new ArrayList<>();
    private List<String> paths;
    private final Set<String> except = new LinkedHashSet<>();
    private boolean isExpressible = true;

    /**
     * Reads the conditions.
     *
     * @param paths the paths of the filter
     */
    RateLimitImport(
            Draft draft, SpringSettings limit, EndpointDraft endpoint, ContextPath context, List<String> paths) {
        this.draft = draft;
        this.limit = limit;
        this.endpoint = endpoint;
        this.context = context;
        this.paths = paths;
        conditions("executecondition", ConditionReader::of);
        conditions("skipcondition", ConditionReader::not);
        predicates("executepredicates", ConditionReader::allOf);
        predicates("skippredicates", ConditionReader::notAllOf);
    }

    /** Returns the terms that a call must meet; {@code null} if one of the conditions could not be expressed. */
    @Nullable List<Term> conditions() {
        return isExpressible ? conditions : null;
    }

    private void conditions(String key, Function<String, @Nullable List<Term>> reading) {
        String expression = limit.text(key);
        if (expression != null && !take(reading.apply(expression))) {
            refuseCondition(key, Quote.of(expression));
        }
    }

    private void predicates(String key, Function<List<String>, @Nullable List<Term>> reading) {
        List<String> predicates = ConditionReader.predicates(limit, key);
        if (!take(reading.apply(predicates))) {
            refuseCondition(key, Quote.of(String.join(" and ", predicates)));
        }
    }

    private boolean take(@Nullable List<Term> terms) {
        if (terms != null) {
            conditions.addAll(terms);
        }
        return terms != null;
    }

    private void refuseCondition(String key, String written) {
        isExpressible = false;
        endpoint.remark(
                Kind.STRICTER,
                limit.position(key),
                "the condition " + written
                        + " cannot be expressed, so the limit applies without it; \"when\" accepts a value, "
                        + "present or absent, for a header, principal and other sources, and for a SubjectResolver");
    }

    /**
     * Adds the limit to the draft. If that is not possible, adds a remark with the reason.
     *
     * @param earlier the conditions of the filter's earlier limits
     */
    void make(List<@Nullable List<Term>> earlier) {
        CacheKey key = CacheKey.of(CacheKey.written(limit));
        String written = CacheKey.key(limit);
        if (!key.problem().isEmpty()) {
            draft.notImported(
                    limit.position(written),
                    limit.written(written) + " " + Quote.of(CacheKey.written(limit)) + ": " + key.problem());
            return;
        }
        String problem = Bandwidths.read(limit, endpoint);
        // An earlier limit without a condition applied to every call, so the starter never reached this one.
        if (problem.isEmpty() && earlier.stream().anyMatch(List.<Term>of()::equals)) {
            problem = "the filter's strategy is \"first\", and a limit above this one has no condition, so this one"
                    + " never applied";
        }
        if (!problem.isEmpty()) {
            draft.notImported(limit.position(), problem);
            return;
        }
        key.subjects().forEach(chain -> endpoint.countPer(draft.subject(chain)));
        callers(key);
        counting();
        List<Term> all = new ArrayList<>(conditions);
        earlier.forEach(other -> all.addAll(negated(other)));
        all.forEach(this::express);
        endpoints();
    }

    private void callers(CacheKey key) {
        List<String> sources = key.subjects().stream().flatMap(List::stream).toList();
        if (sources.stream().anyMatch("header:x-forwarded-for"::equalsIgnoreCase)) {
            endpoint.remark(
                    Kind.DIFFERENT,
                    limit.position(CacheKey.key(limit)),
                    "callers can spoof X-Forwarded-For; \"per: [ ip ]\" with \"trustedProxies\" prevents that");
        }
        if (sources.contains("ip")) {
            endpoint.remark(
                    Kind.DIFFERENT,
                    limit.position(CacheKey.key(limit)),
                    "behind a proxy, name the proxy in \"trustedProxies\"");
        }
    }

    private void counting() {
        Long tokens = limit.number("numtokens");
        endpoint.cost(tokens == null ? 1 : tokens);
        String after = limit.text("postexecutecondition");
        if (after != null) {
            List<String> statuses = ConditionReader.statuses(after);
            if (statuses == null) {
                endpoint.remark(
                        Kind.STRICTER,
                        limit.position("postexecutecondition"),
                        "the condition " + Quote.of(after) + " cannot be expressed, so all responses count; "
                                + "\"count.status\" accepts statuses and classes such as 4xx");
            } else {
                endpoint.countStatuses(statuses);
            }
        }
        if (limit.has("tokensinheritancestrategy")) {
            draft.remark(
                    Kind.LEFT_OUT,
                    limit.position("tokensinheritancestrategy"),
                    "counts are kept when a threshold changes");
        }
        limit.unread().forEach(key -> endpoint.remarkUnknown(limit.position(key), limit.written(key)));
    }

    /**
     * Returns the terms that a call must meet so that an earlier limit does not apply to it. With the "first" strategy,
     * the starter would otherwise apply the earlier limit instead of this one.
     */
    private List<Term> negated(@Nullable List<Term> other) {
        if (other != null && other.stream().anyMatch(term -> conditions.stream().anyMatch(term::excludes))) {
            return List.of();
        }
        Term only = Term.only(other);
        Term negated = only == null ? null : only.negated();
        if (negated == null) {
            endpoint.remark(
                    Kind.STRICTER,
                    "the filter's strategy is \"first\": this limit did not apply to calls to which a limit above it"
                            + " applied; here it does");
            return List.of();
        }
        return List.of(negated);
    }

    private void express(Term term) {
        boolean isExpressed = true;
        switch (term.kind()) {
            case PRESENT, ABSENT, IS -> isExpressed = endpoint.require(term.source(), term.requirement());
            case METHOD -> {
                isExpressed = endpoint.methods().isEmpty();
                endpoint.methods(isExpressed ? term.values() : endpoint.methods());
            }
            case PATH, URI -> {
                isExpressed = paths.equals(List.of("/**"));
                paths = isExpressed ? within(term) : paths;
            }
            case NOT_PATH, NOT_URI -> except(term);
        }
        if (!isExpressed) {
            endpoint.remark(
                    Kind.STRICTER,
                    "it has two conditions for " + term.about() + "; the endpoint has only the first, not "
                            + term.text());
        }
    }

    /**
     * Excludes the term's paths from the endpoint. This is not possible if one of these paths might be a login whose
     * failures count.
     */
    private void except(Term term) {
        List<String> patterns = within(term);
        boolean arePatterns = patterns.stream().allMatch(RateLimitImport::isPattern);
        if (arePatterns && !patterns.contains("/**") && !endpoint.mayCountLogins()) {
            except.addAll(patterns);
            return;
        }
        endpoint.remark(
                Kind.STRICTER,
                "the limit did not apply to " + term.text() + "; here it does, because \"except\" cannot exclude "
                        + (!arePatterns
                                ? "a path that no pattern matches"
                                : patterns.contains("/**") ? "all paths" : "a login whose failures count"));
    }

    private static boolean isPattern(String text) {
        try {
            return PathPattern.parse(text).toString().equals(text);
        } catch (PathPatternException e) {
            return false;
        }
    }

    /**
     * Returns the exceptions that are needed. An exception is needed if it matches paths of the limit, and if no other
     * exception covers it. The loader would warn about any other exception.
     */
    private List<String> neededExceptions() {
        List<PathPattern> limited = paths.stream()
                .filter(RateLimitImport::isPattern)
                .map(PathPattern::parse)
                .toList();
        List<PathPattern> needed = new ArrayList<>();
        for (PathPattern one : except.stream().map(PathPattern::parse).toList()) {
            boolean meets = limited.stream().anyMatch(path -> path.overlaps(one, false));
            if (meets && needed.stream().noneMatch(other -> other.covers(one, false))) {
                needed.removeIf(other -> one.covers(other, false));
                needed.add(one);
            }
        }
        return needed.stream().map(PathPattern::toString).toList();
    }

    /** Returns the term's patterns without the context path. */
    private List<String> within(Term term) {
        return term.kind() == Term.Kind.URI || term.kind() == Term.Kind.NOT_URI
                ? context.omittedFrom(term.values(), endpoint, limit.position(), String.join(", ", term.values()))
                : term.values();
    }

    private void endpoints() {
        if (endpoint.methods().size() > 1) {
            endpoint.remark(
                    Kind.LOOSER,
                    "the starter counted calls of these methods together; here each method has its own limit");
        }
        endpoint.paths(paths, neededExceptions());
        draft.add(endpoint);
    }
}
