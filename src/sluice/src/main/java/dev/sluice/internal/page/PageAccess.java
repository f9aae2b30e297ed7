package dev.sluice.internal.page;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Defines who can read the page, or who can make changes on it: everybody, users with certain roles, or nobody.
 * Immutable.
 *
 * @param roles the roles that grant access; a user needs only one of them
 * @param open whether everybody has access
 */
public record PageAccess(Set<String> roles, boolean open) {

    /** Nobody has access. */
    public static final PageAccess CLOSED = new PageAccess(Set.of(), false);

    /** Everybody who can reach the server has access. */
    public static final PageAccess OPEN = new PageAccess(Set.of(), true);

    public PageAccess {
        roles = Set.copyOf(roles);
    }

    public boolean isClosed() {
        return !open && roles.isEmpty();
    }

    /**
     * Whether a caller has access.
     *
     * @param hasRole whether the caller has a given role
     */
    public boolean admits(Predicate<String> hasRole) {
        return open || roles.stream().anyMatch(hasRole);
    }
}
