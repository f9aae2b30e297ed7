package dev.sluice.page;

import dev.sluice.internal.page.PageRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;

/** Reads the token of Spring Security's CSRF filter. No other class in this package uses Spring Security. */
final class SpringCsrf {

    private SpringCsrf() {}

    /**
     * Returns the header and its value; {@code null} if the attribute is not a token. This call might create a session.
     */
    static PageRequest.@Nullable CsrfToken of(Object attribute) {
        return attribute instanceof CsrfToken token
                ? new PageRequest.CsrfToken(token.getHeaderName(), token.getToken())
                : null;
    }
}
