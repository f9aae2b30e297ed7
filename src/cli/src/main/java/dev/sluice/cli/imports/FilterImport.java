package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Imports one of the starter's filters with its paths and limits. The order of the limits is preserved. */
final class FilterImport {

    private static final Map<String, String> WITHOUT_COUNTERPART = Map.of(
            "filterorder", "the filter's order is set during its registration",
            "cachename", "the store identifies counts by the endpoint's id",
            "metrics", "metrics here are tagged with endpoint and tier",
            "majorversion", "a changed file is reloaded",
            "minorversion", "a changed file is reloaded",
            "httpresponseheaders", "a RefusalHandler of the application sets the headers of a refusal");

    private final Draft draft;
    private final SpringSettings filter;
    private final ContextPath context;

    FilterImport(Draft draft, SpringSettings filter, ContextPath context) {
        this.draft = draft;
        this.filter = filter;
        this.context = context;
    }

    void read() {
        String url = filter.text("url", ".*");
        RegexPaths.Patterns paths = RegexPaths.of(url);
        boolean onlyFirst = !filter.text("strategy", "first").equalsIgnoreCase("all");
        List<@Nullable List<Term>> earlier = new ArrayList<>();
        Map<String, Integer> keys = new HashMap<>();
        boolean servlet = filter.text("filtermethod", "servlet").equalsIgnoreCase("servlet");
        String name = filter.text("id", url.replaceAll("[^A-Za-z0-9/_-]+", ""));
        for (SpringSettings limit : filter.maps("ratelimits")) {
            if (paths.all().isEmpty()) {
                draft.notImported(
                        limit.position(),
                        "the url " + Quote.of(url) + " (line "
                                + filter.position("url").line() + "): " + paths.problem());
                continue;
            }
            EndpointDraft endpoint = new EndpointDraft(limit.position(), name);
            RateLimitImport one = new RateLimitImport(
                    draft,
                    limit,
                    endpoint,
                    context,
                    context.omittedFrom(paths.all(), endpoint, filter.position("url"), url));
            remarkPaths(endpoint, url, paths);
            if (!servlet) {
                endpoint.remark(
                        Kind.DIFFERENT,
                        filter.position("filtermethod"),
                        "this filter is not for servlets; check that the application runs Sluice's filter");
            }
            String key = CacheKey.written(limit);
            Integer twin = keys.putIfAbsent(key, limit.position().line());
            if (twin != null) {
                endpoint.remark(
                        Kind.DIFFERENT,
                        "the starter counted its calls together with those of line " + twin
                                + ", because both have the same url and cache-key; here each limit counts alone");
            }
            one.make(onlyFirst ? earlier : List.of());
            earlier.add(one.conditions());
        }
        withoutCounterpart();
    }

    private void remarkPaths(EndpointDraft endpoint, String url, RegexPaths.Patterns paths) {
        if (!paths.broader().isEmpty()) {
            endpoint.remark(
                    Kind.STRICTER,
                    filter.position("url"),
                    "the pattern matches more than " + Quote.of(url) + ": " + paths.broader());
        }
        if (!paths.also().isEmpty()) {
            endpoint.remark(Kind.DIFFERENT, filter.position("url"), "the pattern also matches " + paths.also());
        }
    }

    private void withoutCounterpart() {
        for (String key : filter.unread()) {
            draft.remark(
                    Kind.LEFT_OUT,
                    filter.position(key),
                    // An unknown setting might limit calls, so its remark asks the user to check it.
                    WITHOUT_COUNTERPART.getOrDefault(
                            key,
                            "the setting " + Quote.of(filter.written(key))
                                    + " is unknown here; check whether it limits calls"));
        }
    }
}
