package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.draft.YamlText;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Translates the filters' refusal responses into {@code reject} and {@code headers}. Not thread-safe. */
final class RefusalAnswers {

    private static final Map<String, Integer> STATUSES = Map.of(
            "TOO_MANY_REQUESTS", 429,
            "SERVICE_UNAVAILABLE", 503,
            "FORBIDDEN", 403,
            "UNAUTHORIZED", 401,
            "BAD_REQUEST", 400,
            "CONFLICT", 409,
            "BANDWIDTH_LIMIT_EXCEEDED", 509,
            "LOCKED", 423,
            "NOT_ACCEPTABLE", 406);
    private static final String ANY_ENDPOINT =
            "endpoints: [ { id: any, pathPattern: /any, tiers: [ { period: 1s, threshold: 1 } ] } ]\n";

    private final Draft draft;
    private final SpringSettings starter;
    private final Set<Integer> statuses = new LinkedHashSet<>();
    /** The distinct bodies of refusals, each with the position of the first filter that uses it. */
    private final Map<Body, FilePosition> bodies = new LinkedHashMap<>();

    private final Set<Boolean> hidden = new LinkedHashSet<>();

    /** A refusal body. An empty text stands for the starter's default body. */
    private record Body(String text, String contentType) {}

    RefusalAnswers(Draft draft, SpringSettings starter) {
        this.draft = draft;
        this.starter = starter;
    }

    void add(SpringSettings filter) {
        statuses.add(status(filter));
        Body body = new Body(
                ownOrDefault(filter, "httpresponsebody", ""),
                ownOrDefault(filter, "httpcontenttype", "application/json"));
        bodies.putIfAbsent(body, filter.position("httpresponsebody"));
        hidden.add(filter.truth("hidehttpresponseheaders", false));
    }

    private String ownOrDefault(SpringSettings filter, String key, String otherwise) {
        String own = filter.text(key, "");
        return own.isEmpty() ? starter.text("default" + key, otherwise) : own;
    }

    private int status(SpringSettings filter) {
        String written = ownOrDefault(filter, "httpstatuscode", "429");
        String word = written.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        Integer named = STATUSES.get(word);
        if (named == null && !word.matches("[45]\\d\\d")) {
            draft.remark(
                    Kind.DIFFERENT,
                    filter.has("httpstatuscode")
                            ? filter.position("httpstatuscode")
                            : starter.position("defaulthttpstatuscode"),
                    Quote.of(written) + " is not known here as a status from 400 to 599; refusals have 429 here");
            return 429;
        }
        return named != null ? named : Integer.parseInt(word);
    }

    /** Adds the keys that apply to all filters at the beginning of the result. */
    void head() {
        if (hidden.isEmpty()) {
            return;
        }
        List<String> reject = new ArrayList<>();
        // A limits file defines only one response for all refusals. We use the response of the first filter, and a
        // remark describes the difference.
        int status = statuses.iterator().next();
        if (status != 429) {
            reject.add("status: " + status);
        }
        if (statuses.size() > 1) {
            remarkFilters("filters refuse with different statuses, but \"reject.status\" applies to the whole file; "
                    + "here it is " + status + " for all");
        }
        body(reject);
        if (!reject.isEmpty()) {
            draft.head("reject: { " + String.join(", ", reject) + " }");
        }
        if (hidden.equals(Set.of(true))) {
            draft.head("headers: { style: none }");
        } else {
            remarkFilters("here callers receive x-ratelimit-remaining and Retry-After, not x-rate-limit-remaining and "
                    + "x-rate-limit-retry-after-seconds");
        }
    }

    private void body(List<String> reject) {
        Body body = bodies.keySet().stream()
                .filter(one -> !one.text.isEmpty())
                .findFirst()
                .orElse(null);
        if (body == null) {
            return;
        }
        if (bodies.size() > 1) {
            remarkFilters("filters refuse with different bodies, but \"reject.body\" applies to the whole file; here "
                    + "all refusals have the first body");
        }
        // The loader validates bodies, for example as JSON. The result must not contain a body that the loader rejects.
        String type = Stream.of(body.contentType, "text/plain")
                .filter(one -> Draft.problems("reject: { " + keys(body, one) + " }\n" + ANY_ENDPOINT)
                        .isEmpty())
                .findFirst()
                .orElse("");
        FilePosition position = bodies.getOrDefault(body, starter.position("filters"));
        if (type.isEmpty()) {
            draft.remark(
                    Kind.DIFFERENT,
                    position,
                    "\"reject.body\" cannot have this text; refusals have a problem document (RFC 9457) here");
            return;
        }
        if (!type.equals(body.contentType)) {
            draft.remark(
                    Kind.DIFFERENT,
                    position,
                    "the body is not valid as " + Quote.plain(body.contentType) + "; it is sent as " + type + " here");
        }
        reject.add(keys(body, type));
    }

    private static String keys(Body body, String type) {
        return "contentType: " + YamlText.of(type) + ", body: " + YamlText.of(body.text);
    }

    private void remarkFilters(String sentence) {
        draft.remark(Kind.DIFFERENT, starter.position("filters"), sentence);
    }
}
