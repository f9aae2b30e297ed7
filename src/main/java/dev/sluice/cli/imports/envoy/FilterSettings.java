package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.Set;

/** The settings of the filter by which Envoy asks its ratelimit service. */
record FilterSettings(ForeignSettings settings) {

    /** What has no effect here, or is told elsewhere. */
    private static final Set<String> NOT_TOLD = Set.of(
            "@type",
            "domain",
            "rate_limit_service",
            "stat_prefix",
            "disable_x_envoy_ratelimited_header",
            "failure_mode_deny");

    String domain() {
        return settings.text("domain", "");
    }

    /** What it does with calls while the service is away, as {@code store.onFailure} has it. */
    String onFailure() {
        return settings.truth("failure_mode_deny", false) ? "deny" : "allow";
    }

    /** Tells of all that the result does not have. */
    void remarks(Draft draft, String file) {
        if (settings.has("timeout")) {
            tell(
                    draft,
                    file,
                    "timeout",
                    "Envoy waits " + settings.text("timeout", "") + " for its service; here a call that finds no "
                            + "permit waits for the store, \"sync.timeout\", 250 ms by default");
        }
        ForeignSettings status = settings.map("rate_limited_status");
        String code = status == null ? "TooManyRequests" : status.text("code", "TooManyRequests");
        if (!Set.of("TooManyRequests", "429").contains(code)) {
            tell(
                    draft,
                    file,
                    "rate_limited_status",
                    "Envoy refuses with the status " + Quote.of(code)
                            + "; here it is 429, and \"reject: { status: … }\" sets another");
        }
        if (settings.text("enable_x_ratelimit_headers", "OFF").equalsIgnoreCase("OFF")) {
            tell(
                    draft,
                    file,
                    "enable_x_ratelimit_headers",
                    "callers also read x-ratelimit-limit, -remaining and -reset here; \"headers: { style: none }\" "
                            + "leaves them out");
        }
        settings.unread().stream()
                .filter(key -> !NOT_TOLD.contains(key))
                .forEach(key -> tell(
                        draft,
                        file,
                        key,
                        "the setting " + Quote.of(settings.written(key))
                                + " of Envoy's filter is not read here; look whether it changes which calls count"));
    }

    private void tell(Draft draft, String file, String key, String sentence) {
        draft.remark(
                Kind.DIFFERENT,
                FilePosition.WHOLE_FILE,
                sentence + " (line " + settings.position(key).line() + " of " + file + ")");
    }
}
