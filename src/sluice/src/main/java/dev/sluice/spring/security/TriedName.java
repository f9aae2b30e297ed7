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
     * The name as the caller typed it; {@code null} if this is not a login by name. Among Spring Security's own
     * classes, only one contains a name and a password. The others represent tokens, tickets, remembered users and
     * users with a certificate. An application class is treated as a login by name, unless it extends one of these
     * other classes. The same applies to objects that claim to be authenticated, because authentication
     * managers also check the passwords of such objects.
     */
    static @Nullable String of(@Nullable Authentication login) {
        if (login == null || !isByName(login.getClass())) {
            return null;
        }
        try {
            String name = login.getName();
            return name == null ? "" : name;
        } catch (RuntimeException e) {
            return ""; // the application's class did not return a name
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
