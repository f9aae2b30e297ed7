package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Fields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts the Bucket4j starter's settings in an {@code application.yml} to a draft. */
final class Bucket4jImport {

    private static final Set<String> METRICS = Set.of("defaultmetrictags", "defaultmethodmetrictags");
    private static final Set<String> CACHES =
            Set.of("filterconfigcachingenabled", "filterconfigcachename", "cachetouse");

    private static final String NO_STARTER =
            "there is no \"bucket4j\", and import reads only the settings of the Bucket4j starter; for Envoy, Kong, "
                    + "Resilience4j and others, docs/coming-from.md shows setting by setting what to write";

    private final SpringFile file;
    private final Draft draft;

    private Bucket4jImport(SpringFile file) {
        this.file = file;
        this.draft = new Draft("Made by sluice import from " + Quote.of(file.name())
                + ", the settings of the Bucket4j starter for Spring Boot.");
    }

    /** Converts the file to a draft. */
    static Draft draft(SpringFile file) {
        return new Bucket4jImport(file).draft();
    }

    private Draft draft() {
        draft.head("# The starter counted the calls of all instances together in a cache. To do the same, set "
                + "SLUICE_STORE to a Redis.");
        draft.head("store: { uri: \"${SLUICE_STORE:memory:}\" }");
        SpringSettings found = null;
        String mountedAt = "";
        for (Fields document : file.documents()) {
            SpringSettings root = new SpringSettings(document, file.findings(), draft);
            String profile = below(root, "spring", "config", "activate", "onprofile");
            if (profile != null && root.has("bucket4j")) {
                draft.notImported(
                        root.position("bucket4j"),
                        "these settings are for the profile " + Quote.of(profile) + "; import it from a file of "
                                + "its own");
                continue;
            }
            String path = below(root, "server", "servlet", "contextpath");
            mountedAt = path == null || path.equals("/") ? mountedAt : path;
            SpringSettings settings = root.map("bucket4j");
            // In Spring, a later document in the file overrides an earlier one, so the last one applies.
            found = settings == null ? found : settings;
        }
        file.requireSound();
        if (found == null) {
            file.findings()
                    .add(
                            ProblemCode.MISSING_KEY,
                            FilePosition.WHOLE_FILE,
                            isAnywhere() ? "there is no \"bucket4j\" outside of a profile" : NO_STARTER);
        } else {
            starter(found, new ContextPath(mountedAt));
        }
        file.requireSound();
        return draft;
    }

    private boolean isAnywhere() {
        return file.documents().stream().anyMatch(document -> document.fields().containsKey("bucket4j"));
    }

    private static @Nullable String below(SpringSettings root, String... keys) {
        SpringSettings at = root;
        for (int i = 0; i < keys.length - 1 && at != null; i++) {
            String dotted = String.join(".", List.of(keys).subList(i, keys.length));
            if (at.has(dotted)) {
                return at.text(dotted);
            }
            at = at.map(keys[i]);
        }
        return at == null ? null : at.text(keys[keys.length - 1]);
    }

    private void starter(SpringSettings settings, ContextPath context) {
        List<SpringSettings> filters = settings.maps("filters");
        RefusalAnswers refusals = new RefusalAnswers(draft, settings);
        filters.forEach(refusals::add);
        file.requireSound();
        if (!settings.truth("enabled", true)) {
            draft.head("# bucket4j.enabled is false: remove this line to limit calls.");
            draft.head("mode: off");
            draft.remark(
                    Kind.DIFFERENT,
                    settings.position("enabled"),
                    "nothing is limited; here \"mode: off\" has this effect");
        }
        refusals.head();
        filters.forEach(filter -> new FilterImport(draft, filter, context).read());
        for (SpringSettings method : settings.maps("methods")) {
            draft.notImported(
                    method.position(),
                    "the limit " + Quote.of(method.text("name", ""))
                            + " is for a method (@RateLimiting); limit the paths that lead to it, or annotate it "
                            + "with @RateLimited");
        }
        for (String key : settings.unread()) {
            draft.remark(
                    Kind.LEFT_OUT,
                    settings.position(key),
                    METRICS.contains(key)
                            ? "metrics here are tagged with endpoint and tier"
                            : CACHES.contains(key)
                                    ? "here a changed file is reloaded, and counts stay in the store"
                                    : "this setting has no counterpart");
        }
    }
}
