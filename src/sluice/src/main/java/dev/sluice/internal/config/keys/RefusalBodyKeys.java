package dev.sluice.internal.config.keys;

import dev.sluice.RefusalBody;
import dev.sluice.RefusalBody.Syntax;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code body}, {@code contentType} and {@code html} keys of {@code reject}. {@code body} and
 * {@code contentType} require each other. {@code html} is the page for callers who prefer HTML.
 */
final class RefusalBodyKeys {

    private static final String BODY = "body";
    private static final String CONTENT_TYPE = "contentType";
    private static final String HTML = "html";
    private static final String NONE = "none";
    private static final String EXAMPLE = "application/json";

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("([a-z]{1,20}/[a-z0-9][a-z0-9.+-]{0,80})( *; *charset=\"?(utf|UTF)-8\"?)?");
    private static final Pattern JSON = Pattern.compile("(application|text)/json|[^/]*/.+\\+json");
    private static final Pattern MARKUP = Pattern.compile("text/html|(application|text)/xml|[^/]*/.+\\+xml");
    private static final Pattern PLAIN = Pattern.compile("text/plain");

    private static final Shape<ContentType> TYPE =
            Shapes.text("a content type", EXAMPLE).then(RefusalBodyKeys::type);

    private static final Shape<Text> TEXT = Shapes.text("a text", "\"Too many calls\"");

    private static final Shape<Text> PAGE = Shapes.text("a page of HTML", "\"<p>{detail}</p>\"");

    private RefusalBodyKeys() {}

    /** Reads the body. Reports an invalid body. Returns {@code null} if the body is missing or invalid. */
    static @Nullable RefusalBody read(Section reject) {
        ContentType type = type(reject);
        return reject.optional(
                BODY,
                TEXT.then((text, findings) ->
                        type == null ? null : BodyTemplate.read(text, type.header, type.syntax, findings)));
    }

    /** Reads the page. Returns {@code null} if callers who prefer HTML also receive the body. */
    static @Nullable RefusalBody readPage(Section reject, @Nullable RefusalBody body) {
        if (body != null && RefusalBody.defaultPage(body) == null) {
            reject.misplaced(HTML, "body is already an HTML page, so all callers receive it; remove html, or body");
            return null;
        }
        boolean isWritten = reject.unread(HTML) != null;
        RefusalBody page = reject.optional(HTML, PAGE.then(RefusalBodyKeys::page));
        return isWritten ? page : RefusalBody.defaultPage(body);
    }

    private static @Nullable RefusalBody page(Text text, Findings findings) {
        if (text.content().equals(NONE)) {
            return null;
        }
        return text.content().indexOf('<') < 0
                ? findings.refuse(
                        ProblemCode.UNKNOWN_WORD,
                        text,
                        " is not HTML; write the page itself, such as \"<h1>Too many requests</h1><p>{detail}</p>\", "
                                + "or none")
                : BodyTemplate.read(text, "text/html;charset=utf-8", Syntax.MARKUP, findings);
    }

    private static @Nullable ContentType type(Section reject) {
        if (reject.unread(BODY) != null) {
            return reject.required(CONTENT_TYPE, TYPE, CONTENT_TYPE + ": " + EXAMPLE);
        }
        reject.misplaced(CONTENT_TYPE, "contentType describes the body, but there is no body; write both or neither");
        return null;
    }

    private static @Nullable ContentType type(Text text, Findings findings) {
        Matcher mediaType = MEDIA_TYPE.matcher(text.content());
        Syntax syntax = mediaType.matches() ? syntax(mediaType.group(1)) : null;
        if (syntax == null) {
            return findings.refuse(
                    ProblemCode.UNKNOWN_WORD,
                    text,
                    " is not a content type for a body; write application/json, another type that ends in +json, "
                            + "text/plain, text/html or application/xml");
        }
        // JSON is always UTF-8. Other types must specify their charset.
        return new ContentType(mediaType.group(1) + (syntax == Syntax.JSON ? "" : ";charset=utf-8"), syntax);
    }

    private static @Nullable Syntax syntax(String mediaType) {
        if (JSON.matcher(mediaType).matches()) {
            return Syntax.JSON;
        }
        if (MARKUP.matcher(mediaType).matches()) {
            return Syntax.MARKUP;
        }
        return PLAIN.matcher(mediaType).matches() ? Syntax.PLAIN : null;
    }

    private record ContentType(String header, Syntax syntax) {}
}
