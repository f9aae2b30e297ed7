package dev.sluice.internal.http.response;

import dev.sluice.RefusalBody;
import dev.sluice.ResponseOptions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a refusal. Callers who prefer HTML receive a page. Other callers receive the body from the limits
 * file, or a problem document if the file does not define a body.
 *
 * @param variesByAccept whether the content depends on the caller's {@code Accept} header
 */
public record RefusalContent(String contentType, String text, boolean variesByAccept) {

    private static final String HTML = "text/html";

    /**
     * Returns the content for one caller.
     *
     * @param path the path as sent by the caller
     * @param accept the caller's {@code Accept} header, or several such headers joined by commas; {@code null} if there
     *     is none
     */
    public static RefusalContent of(ResponseOptions options, Refusal refusal, String path, @Nullable String accept) {
        RefusalBody body = options.body();
        RefusalBody page = options.html();
        boolean varies = page != null;
        if (page != null && prefersHtml(accept, body == null ? Refusal.PROBLEM_JSON : body.contentType())) {
            body = page;
        }
        return body == null
                ? new RefusalContent(Refusal.PROBLEM_JSON, refusal.problem(), varies)
                : new RefusalContent(body.contentType(), RefusalTemplate.filledIn(body, refusal, path), varies);
    }

    /**
     * Whether a caller prefers HTML to the other content type. The result is false if the caller prefers neither type.
     */
    static boolean prefersHtml(@Nullable String accept, String other) {
        if (accept == null || accept.equals("*/*")) {
            return false;
        }
        String[] ranges = accept.toLowerCase(Locale.ROOT).split(",");
        int html = quality(ranges, HTML);
        return html > 0 && html > liking(ranges, mediaType(other));
    }

    /**
     * Returns the quality that the caller assigns to a type. A caller who accepts {@code application/json} or
     * {@code application/*+json} is assumed to accept every kind of JSON.
     */
    private static int liking(String[] ranges, String type) {
        int quality = quality(ranges, type);
        return type.endsWith("json")
                ? Math.max(
                        quality, Math.max(quality(ranges, "application/json"), quality(ranges, "application/*+json")))
                : quality;
    }

    /**
     * Returns the quality of a type in thousandths, taken from the most specific range that includes the type; 0 if no
     * range does.
     */
    private static int quality(String[] ranges, String type) {
        String anySubtype = type.substring(0, type.indexOf('/') + 1) + '*';
        int quality = 0;
        int specific = 0;
        for (String range : ranges) {
            String named = mediaType(range);
            int how = named.equals(type) ? 3 : named.equals(anySubtype) ? 2 : named.equals("*/*") ? 1 : 0;
            if (how > specific) {
                specific = how;
                quality = weight(range);
            }
        }
        return quality;
    }

    private static String mediaType(String range) {
        int end = range.indexOf(';');
        return (end < 0 ? range : range.substring(0, end)).strip();
    }

    /** Returns the weight of a range in thousandths; 0 if the weight is malformed. */
    private static int weight(String range) {
        int from = range.indexOf(';');
        while (from >= 0) {
            int end = range.indexOf(';', from + 1);
            String parameter =
                    range.substring(from + 1, end < 0 ? range.length() : end).strip();
            if (parameter.startsWith("q=")) {
                return thousandths(parameter.substring(2));
            }
            from = end;
        }
        return 1000;
    }

    private static int thousandths(String weight) {
        return switch (weight.isEmpty() ? 'x' : weight.charAt(0)) {
            case '1' -> weight.matches("1(\\.0{0,3})?") ? 1000 : 0;
            case '0' ->
                weight.matches("0(\\.[0-9]{0,3})?")
                        ? Integer.parseInt((weight.substring(Math.min(2, weight.length())) + "000").substring(0, 3))
                        : 0;
            default -> 0;
        };
    }
}
