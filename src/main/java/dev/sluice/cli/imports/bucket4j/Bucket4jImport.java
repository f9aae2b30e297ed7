package dev.sluice.cli.imports.bucket4j;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Fields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns the settings of the Bucket4j starter in an {@code application.yml} into a draft. */
public final class Bucket4jImport {

    private static final Set<String> METRICS = Set.of("defaultmetrictags", "defaultmethodmetrictags");
    private static final Set<String> CACHES =
            Set.of("filterconfigcachingenabled", "filterconfigcachename", "cachetouse");

    private final ForeignFile file;
    private final Draft draft;
    private final SpringNotation notation;

    private Bucket4jImport(ForeignFile file) {
        this.file = file;
        this.draft = new Draft("Made by sluice import from " + Quote.of(file.name())
                + ", the settings of the Bucket4j starter for Spring Boot.");
        this.notation = new SpringNotation(draft);
    }

    /** Whether a document has such settings. */
    public static boolean isOne(Fields document) {
        return document.fields().containsKey("bucket4j");
    }

    /** The file as a draft. */
    public static Draft draft(ForeignFile file) {
        return new Bucket4jImport(file).draft();
    }

    private Draft draft() {
        draft.head("# The starter counted for all instances in a cache: name a Redis for that in SLUICE_STORE.");
        draft.head("store: { uri: \"${SLUICE_STORE:memory:}\" }");
        ForeignSettings found = null;
        String mountedAt = "";
        for (Fields document : file.documents()) {
            ForeignSettings root = new ForeignSettings(document, notation, file.findings());
            String profile = below(root, "spring", "config", "activate", "onprofile");
            if (profile != null && root.has("bucket4j")) {
                draft.notImported(
                        root.position("bucket4j"),
                        "this is for the profile " + Quote.of(profile) + "; import it from a file of its own");
                continue;
            }
            String path = below(root, "server", "servlet", "contextpath");
            mountedAt = path == null || path.equals("/") ? mountedAt : path;
            ForeignSettings settings = root.map("bucket4j");
            found = settings == null ? found : settings;
        }
        file.requireSound();
        if (found == null) {
            file.findings()
                    .add(
                            ProblemCode.MISSING_KEY,
                            FilePosition.WHOLE_FILE,
                            "there is no \"bucket4j\" outside of a profile");
        } else {
            starter(found, new ContextPath(mountedAt));
        }
        file.requireSound();
        return draft;
    }

    private static @Nullable String below(ForeignSettings root, String... keys) {
        ForeignSettings at = root;
        for (int i = 0; i < keys.length - 1 && at != null; i++) {
            String dotted = String.join(".", List.of(keys).subList(i, keys.length));
            if (at.has(dotted)) {
                return at.text(dotted);
            }
            at = at.map(keys[i]);
        }
        return at == null ? null : at.text(keys[keys.length - 1]);
    }

    private void starter(ForeignSettings settings, ContextPath context) {
        List<ForeignSettings> filters = settings.maps("filters");
        Refusals refusals = new Refusals(draft, settings);
        filters.forEach(refusals::add);
        file.requireSound();
        if (!settings.truth("enabled", true)) {
            draft.head("# bucket4j.enabled is false: remove this line to limit calls.");
            draft.head("mode: off");
            draft.remark(Kind.DIFFERENT, settings.position("enabled"), "it limits nothing; here \"mode: off\" says so");
        }
        refusals.head();
        filters.forEach(filter -> new FilterImport(draft, filter, context).read());
        for (ForeignSettings method : settings.maps("methods")) {
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
                                    ? "here a changed file is reloaded, and the store keeps the counts"
                                    : "this setting has no counterpart");
        }
    }
}
