package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.Set;

/** The settings of the filter with which Envoy asks its ratelimit service, and the name of their file. */
record FilterSettings(ForeignSettings settings, String file) {

    /** Settings that have no effect here, or that are handled elsewhere. */
    private static final Set<String> HANDLED = Set.of(
            "@type",
            "domain",
            "rate_limit_service",
            "stat_prefix",
            "disable_x_envoy_ratelimited_header",
            "failure_mode_deny");

    String domain() {
        return settings.text("domain", "");
    }

    /** What happens to calls while the service is away, as a value of {@code store.onFailure}. */
    String onFailure() {
        return settings.truth("failure_mode_deny", false) ? "deny" : "allow";
    }

    /** Adds remarks on all settings that the result does not express. */
    void remarks(Draft draft) {
        if (settings.has("timeout")) {
            remark(
                    draft,
                    "timeout",
                    "Envoy waits " + settings.text("timeout", "") + " for its service; here a call without a permit "
                            + "waits for the store as long as \"sync.timeout\", by default 250 ms");
        }
        ForeignSettings status = settings.map("rate_limited_status");
        String code = status == null ? "TooManyRequests" : status.text("code", "TooManyRequests");
        if (!Set.of("TooManyRequests", "429").contains(code)) {
            remark(
                    draft,
                    "rate_limited_status",
                    "Envoy refuses with the status " + Quote.of(code)
                            + "; here it is 429, and \"reject: { status: … }\" sets another");
        }
        if (settings.text("enable_x_ratelimit_headers", "OFF").equalsIgnoreCase("OFF")) {
            remark(
                    draft,
                    "enable_x_ratelimit_headers",
                    "callers also get x-ratelimit-limit, -remaining and -reset here; \"headers: { style: none }\" "
                            + "omits them");
        }
        settings.unread().stream()
                .filter(key -> !HANDLED.contains(key))
                .forEach(key -> remark(
                        draft,
                        key,
                        "the setting " + Quote.of(settings.written(key))
                                + " of Envoy's filter was not read; check whether it changes which calls count"));
    }

    private void remark(Draft draft, String key, String sentence) {
        draft.remark(
                Kind.DIFFERENT,
                FilePosition.WHOLE_FILE,
                sentence + " (line " + settings.position(key).line() + " of " + file + ")");
    }
}
