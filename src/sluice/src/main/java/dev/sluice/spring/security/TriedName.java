package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/** Finds the user name of a login. */
final class TriedName {

    private static final String SPRING = "org.springframework.security.";

    private TriedName() {}

    /**
     * The name as the caller typed it; {@code null} if this is not a login by a name. Of Spring Security's own classes,
     * only one holds a name and a password; the others hold tokens, tickets, or users that are remembered or have a
     * certificate. The application's classes count as logins unless they extend one of those. It does not matter
     * whether the object says that it is authenticated already, because managers compare the password of such an object
     * too.
     */
    static @Nullable String of(@Nullable Authentication login) {
        if (login == null || !isByName(login.getClass())) {
            return null;
        }
        try {
            String name = login.getName();
            return name == null ? "" : name;
        } catch (RuntimeException e) {
            return ""; // the application's class has no name to tell
        }
    }

    private static boolean isByName(Class<?> login) {
        Class<?> known = login;
        while (known != null && !known.getName().startsWith(SPRING)) {
            known = known.getSuperclass();
        }
        return known == null
                || known == AbstractAuthenticationToken.class
                || known == UsernamePasswordAuthenticationToken.class;
    }
}
